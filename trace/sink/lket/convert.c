/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/sink/lket/convert.h"

#include "trace/messages.h"

static const struct lketform_ops *const forms[] = {
	[CONVERT_TEXT] = &text_form,
	[CONVERT_BYTES] = &bytes_form,
	[CONVERT_TABLES] = &tables_form,
};
_Static_assert(sizeof(forms) / sizeof(forms[0]) == CONVERT_FORMS, "a row for every form");

bool convert_init(struct convert *c, const struct convert_options *o)
{
	*c = (struct convert){ .options = o,
			       .run = { .module = "lket", .host = "", .mode = DATABASE_ONCE } };
	if (registry_init(&c->registry))
		return true;
	message_error("no memory");
	return false;
}

bool convert_begin(struct convert *c)
{
	for (unsigned i = 0; i < CONVERT_FORMS; i++)
		if (c->options->wanted[i] && !forms[i]->begin(c, &c->forms[i]))
			return false;
	return true;
}

static bool give(struct convert *c, const struct event *e, bool registration)
{
	for (unsigned i = 0; i < CONVERT_FORMS; i++)
		if (c->forms[i] && (!registration || forms[i]->takes_registrations) &&
		    !forms[i]->event(c, c->forms[i], e))
			return false;
	return true;
}

static void learn_registration(struct convert *c, const struct event *e)
{
	const char *wrong = registry_add(&c->registry, e);

	if (!wrong)
		return;
	message_warning("a registration of group %d, hook %d: %s",
			e->nfields ? (int)e->fields[0].number : 0,
			e->nfields > 1 ? (int)e->fields[1].number : 0, wrong);
	c->damaged = true;
}

bool convert_event(struct convert *c, struct event *e)
{
	struct registry_hook *h;

	if (!c->events++)
		c->first_usec = e->usec;
	if (e->cut && !c->cut_reported) {
		message_warning("an event has more than %d values, or %d bytes of text: the "
				"rest is left out",
				EVENT_FIELDS, EVENT_BYTES);
		c->cut_reported = c->damaged = true;
	}
	if (e->group == GROUP_REGISTER) {
		learn_registration(c, e);
		return give(c, e, true);
	}
	h = registry_of(&c->registry, e->group, e->hook);
	if (!h || !names_learn(&c->names, h->role, e)) {
		message_error("no memory");
		c->damaged = true;
		return false;
	}
	names_fill(&c->names, e);
	return give(c, e, false);
}

bool convert_flush(struct convert *c)
{
	c->flush_due = false;
	for (unsigned i = 0; i < CONVERT_FORMS; i++)
		if (c->forms[i] && forms[i]->flush && !forms[i]->flush(c, c->forms[i]))
			return false;
	return true;
}

void convert_end(struct convert *c, const struct books *books)
{
	for (unsigned i = 0; i < CONVERT_FORMS; i++)
		if (c->forms[i] && !forms[i]->end(c, c->forms[i], books))
			c->damaged = true;
}

void convert_deinit(struct convert *c)
{
	registry_deinit(&c->registry);
	names_deinit(&c->names);
}

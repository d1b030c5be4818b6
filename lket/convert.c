/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lket/convert.h"

#include "stapio/messages.h"

static const struct sink_ops *const sinks[] = {
	[CONVERT_TEXT] = &text_sink,
	[CONVERT_BYTES] = &bytes_sink,
	[CONVERT_SQLITE] = &sqlite_sink,
};
_Static_assert(sizeof(sinks) / sizeof(sinks[0]) == CONVERT_SINKS, "a row for every sink");

bool convert_init(struct convert *c, const struct convert_options *o)
{
	*c = (struct convert){ .options = o };
	if (registry_init(&c->registry))
		return true;
	message_error("no memory");
	return false;
}

bool convert_begin(struct convert *c)
{
	for (unsigned i = 0; i < CONVERT_SINKS; i++)
		if (c->options->wanted[i] && !sinks[i]->begin(c, &c->sinks[i]))
			return false;
	return true;
}

static bool give(struct convert *c, const struct event *e, bool registration)
{
	for (unsigned i = 0; i < CONVERT_SINKS; i++)
		if (c->sinks[i] && (!registration || sinks[i]->takes_registrations) &&
		    !sinks[i]->event(c, c->sinks[i], e))
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
		message_warning("an event has more than %d values, or %d bytes of text: what is "
				"behind them is left out",
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

void convert_end(struct convert *c, const struct books *books)
{
	for (unsigned i = 0; i < CONVERT_SINKS; i++)
		if (c->sinks[i] && !sinks[i]->end(c, c->sinks[i], books))
			c->damaged = true;
}

void convert_deinit(struct convert *c)
{
	registry_deinit(&c->registry);
	names_deinit(&c->names);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See registry.h. */
#include "trace/sink/lket/registry.h"

#include <stdlib.h>
#include <string.h>

struct known {
	unsigned group, hook;
	const char *name, *types, *names;
};

static const struct known library[] = {
#define GROUP(id, name)
#define HOOK(group, hook, name, types, names) { group, hook, name, types, names },
#include "trace/sink/lket/hooks.def"
#undef GROUP
#undef HOOK
};

static void drop(struct registry_fields *f)
{
	free(f->text);
	*f = (struct registry_fields){ 0 };
}

/*
 * Parses a type. "UINT32" is the type that the manual page calls INT32. False: not a
 * type.
 */
static bool parse_type(const char *word, enum event_type *ret)
{
	static const char *const names[] = {
		[EVENT_INT8] = "INT8",	 [EVENT_INT16] = "INT16",   [EVENT_INT32] = "INT32",
		[EVENT_INT64] = "INT64", [EVENT_STRING] = "STRING",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == EVENT_TYPES, "a row for every type");
	word += *word == 'U';
	for (unsigned i = 0; i < EVENT_TYPES; i++)
		/* The programs of 2006 say "INT8b" once, and compare beginnings. */
		if (!strncmp(word, names[i], strlen(names[i]))) {
			*ret = (enum event_type)i;
			return true;
		}
	return false;
}

/* Adds fields. Returns NULL, or the error in the lists. */
static const char *add_fields(struct registry_fields *f, char *types, char *names)
{
	char *type = NULL, *name = NULL;

	while (types || names) {
		type = types ? strsep(&types, ":") : NULL;
		name = names ? strsep(&names, ":") : NULL;
		if (!type || !name)
			return "unpaired types/names";
		if (!*type && !*name && !types && !names)
			break;
		if (f->count == EVENT_FIELDS)
			return "more fields than any event has";
		if (!parse_type(type, &f->types[f->count]))
			return "a field of unknown type";
		f->names[f->count++] = name;
	}
	f->known = true;
	return NULL;
}

static const char *set_fields(struct registry_fields *f, const char *types, size_t types_len,
			      const char *names, size_t names_len)
{
	char *text = malloc(types_len + names_len + 2);
	const char *wrong;

	drop(f);
	if (!text)
		return "no memory";
	f->text = text;
	memcpy(text, types, types_len);
	text[types_len] = 0;
	memcpy(text + types_len + 1, names, names_len);
	text[types_len + 1 + names_len] = 0;
	wrong = add_fields(f, text, text + types_len + 1);
	if (wrong)
		drop(f);
	return wrong;
}

static bool are_fields(const struct registry_fields *f, unsigned count, const char *const *names)
{
	for (unsigned i = 0; i < count; i++)
		if (i >= f->count || strcmp(f->names[i], names[i]))
			return false;
	return f->count == count;
}

/*
 * Tells the hooks of group 3 apart by their fields: programs of 2006 number fork and
 * execve the other way round from their manual page, and programs of 2007 differ again.
 */
static void set_role(struct registry_hook *h)
{
	static const char *const names[] = { "tid", "pid", "ppid", "pname" };
	static const char *const role_names[] = { NULL, "process_snapshot", "process.fork",
						  "process.execve" };

	h->role = are_fields(&h->own, 4, names)					    ? ROLE_SNAPSHOT
		  : are_fields(&h->own, 3, names)				    ? ROLE_FORK
		  : are_fields(&h->own, 2, (const char *const[]){ "pid", "pname" }) ? ROLE_EXEC
										    : ROLE_NONE;
	if (h->role == ROLE_NONE)
		return;
	free(h->name);
	h->name = strdup(role_names[h->role]);
}

struct registry_hook *registry_of(struct registry *f, unsigned group, unsigned hook)
{
	if (!f->hooks[group][hook])
		f->hooks[group][hook] = calloc(1, sizeof(struct registry_hook));
	return f->hooks[group][hook];
}

bool registry_init(struct registry *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < sizeof(library) / sizeof(library[0]); i++) {
		const struct known *k = &library[i];
		struct registry_hook *h = registry_of(f, k->group, k->hook);

		if (!h ||
		    set_fields(&h->own, k->types, strlen(k->types), k->names, strlen(k->names)))
			return false;
		h->name = strdup(k->name);
		if (k->group == 3)
			set_role(h);
	}
	return true;
}

void registry_deinit(struct registry *f)
{
	for (unsigned g = 0; g < 256; g++)
		for (unsigned h = 0; h < 256; h++) {
			if (!f->hooks[g][h])
				continue;
			drop(&f->hooks[g][h]->own);
			drop(&f->hooks[g][h]->user);
			free(f->hooks[g][h]->name);
			free(f->hooks[g][h]);
		}
}

/* Stores the name of an event, "iosyscall.read.entry", from its description. */
static const char *set_name(struct registry_hook *h, const struct event_field *text)
{
	free(h->name);
	h->name = strndup(text->text, text->len);
	return h->name ? NULL : "no memory";
}

const char *registry_add(struct registry *f, const struct event *e)
{
	const struct event_field *v = e->fields;
	bool text = e->hook == REGISTER_TEXT;
	struct registry_hook *h;
	const char *wrong;

	if (e->hook != REGISTER_SYSTEM && e->hook != REGISTER_USER &&
	    e->hook != REGISTER_USER_2007 && !text)
		return "a registration of unknown kind";
	if (e->nfields < (text ? 3u : 4u) || v[0].type == EVENT_STRING ||
	    v[1].type == EVENT_STRING || v[2].type != EVENT_STRING ||
	    (!text && v[3].type != EVENT_STRING))
		return "a registration without its fields";
	h = registry_of(f, (uint8_t)v[0].number, (uint8_t)v[1].number);
	if (!h)
		return "no memory";
	if (text)
		return set_name(h, &v[2]);
	wrong = set_fields(e->hook == REGISTER_SYSTEM ? &h->own : &h->user, v[2].text, v[2].len,
			   v[3].text, v[3].len);
	if (!wrong && e->hook == REGISTER_SYSTEM && (uint8_t)v[0].number == 3)
		set_role(h);
	return wrong;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module is linked from besides the script's own object: the runtime, regular expressions and the probe families that the
 * script uses. They do not depend on the script and are kept with the kernel's other files.
 */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "base/session.h"
#include "build/parts.h"

static const char *const families[] = {
#define FAMILY(name) #name,
#include "probe/families.def"
#undef FAMILY
};

#define SETUP "runtime_setup"

/*
 * Frame pointers make small tables for the unwinder: a function needs one line where each push and pop would need its own, and
 * a line with its relocation is 34 bytes.
 */
const char *object_flags(const char *object)
{
	return !strcmp(object, SETUP) || !strcmp(object, "symbols") ? "-Os -fno-omit-frame-pointer" : NULL;
}

/* The text has stp_family_NAME as a word. */
static bool uses_family(const char *text, const char *name)
{
	static const char prefix[] = "stp_family_";
	size_t len = strlen(name);

	while ((text = strstr(text, prefix))) {
		text += sizeof(prefix) - 1;
		if (!strncmp(text, name, len) && !isalnum((unsigned char)text[len]) && text[len] != '_')
			return true;
	}
	return false;
}

/* Parts of the runtime by what the text says when it needs them. */
static const struct part {
	const char *object, *marks[5];
} parts[] = {
	{ "arrays", { "&stp_arrays_part", "&stp_stats_part" } },
	{ "regex", { "struct stp_regex ", "stp_matched" } },
	{ "symbols", { "&stp_variables_part", "&stp_family_function,", "&stp_family_perf,", "&stp_family_tracepoint," } },
	{ "userstack", { "&stp_userstack_part" } },
	{ "lines", { "&stp_lines_part" } },
	{ "hits", { ".hit = stp_hit," } },
	{ "usertable", { "&stp_userstack_part", "&stp_lines_part" } },
};

static bool uses_part(const char *text, const char *const *marks)
{
	for (; *marks; marks++)
		if (strstr(text, *marks))
			return true;
	return false;
}

bool object_is_part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(name, parts[i].object))
			return true;
	return false;
}

void objects_of(struct build *b)
{
	struct arena *a = b->s->arena;

	vec_push(a, &b->objects, "runtime");
	vec_push(a, &b->objects, SETUP);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (uses_part(b->c_text, parts[i].marks))
			vec_push(a, &b->objects, parts[i].object);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (uses_family(b->c_text, families[i]))
			vec_push(a, &b->objects, arena_printf(a, "family_%s", families[i]));
	}
}

const char *object_source(struct build *b, const char *object)
{
	if (!strncmp(object, "family_", 7))
		return arena_printf(b->s->arena, "%s/probe/%s.c", b->runtime, object + 7);
	return arena_printf(b->s->arena, "%s/kernel/%s.c", b->runtime, object);
}

const char *object_path(struct build *b, const char *object)
{
	return arena_printf(b->s->arena, "%s/%s.o", b->kernel_dir, object);
}

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

void objects_of(struct build *b)
{
	struct arena *a = b->s->arena;
	bool stacks = strstr(b->c_text, "struct stp_user_modules "), lines = strstr(b->c_text, "struct stp_source_tables ");

	vec_push(a, &b->objects, "runtime");
	if (strstr(b->c_text, "struct stp_regex ") || strstr(b->c_text, "stp_matched"))
		vec_push(a, &b->objects, "regex");
	if (stacks)
		vec_push(a, &b->objects, "userstack");
	if (lines)
		vec_push(a, &b->objects, "lines");
	if (stacks || lines)
		vec_push(a, &b->objects, "usertable");
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (uses_family(b->c_text, families[i]))
			vec_push(a, &b->objects, arena_printf(a, "family_%s", families[i]));
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

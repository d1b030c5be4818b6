/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that a module is linked from besides the script's own: the runtime, regular
 * expressions and the probe families that the script uses. They do not depend on the
 * script and are kept with the kernel's other files.
 */
#define _GNU_SOURCE
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

#define SETUP    "runtime_setup"
#define VALUES   "values"
#define POINTS   "points"

/*
 * Frame pointers make small tables for the unwinder: a function needs two or three lines
 * where each push and pop would need its own, and a line with its relocation is 34 bytes.
 * Gaps between aligned functions would be lines as well. This saves a tenth of a module,
 * for one or two instructions a call. Generated code, where each instruction counts, does
 * without, and so do functions that call nothing: they have hardly anything to push, and
 * nobody looks through them at their callers by frame pointers.
 */
#define FRAMES "-fno-omit-frame-pointer -momit-leaf-frame-pointer -falign-functions=1"

bool object_is_cold(const char *object)
{
	return !strcmp(object, SETUP) || !strcmp(object, POINTS);
}

const char *object_flags(const char *object)
{
	static const char *const flags[] = { FRAMES, "-Os " FRAMES };

	return flags[object_is_cold(object) || !strcmp(object, "syscalls")];
}

/* True: the text has stp_family_NAME as a word. */
static bool uses_family(const char *text, const char *name)
{
	static const char prefix[] = "stp_family_";
	size_t len = strlen(name);

	while ((text = strstr(text, prefix))) {
		text += sizeof(prefix) - 1;
		if (!strncmp(text, name, len) && !isalnum((unsigned char)text[len]) &&
		    text[len] != '_')
			return true;
	}
	return false;
}

/* Parts of the runtime, with the words in the text that show that it needs them. */
static const struct part {
	const char *object, *marks[5];
} parts[] = {
	{ "arrays", { "&stp_arrays_part", "&stp_stats_part" } },
	{ "stores", { "stp_store(", "stp_set_arg(", "stp_set_syscall_arg(" } },
	{ "regex", { "struct stp_regex ", "stp_matched" } },
	{ "syscalls", { "stp_shown_" } },
	{ "program_stack", { "&stp_program_stack_part" } },
	{ "lines", { "&stp_lines_part" } },
	{ "namespaces", { "&stp_namespaces_part" } },
	{ "hits", { ".hit = stp_hit," } },
	{ "areas", { "stp_area_" } },
	{ "program_table", { "&stp_program_stack_part", "&stp_lines_part" } },
};

/*
 * Names of the runtime that the text may use without VALUES: inline functions, and
 * functions of the other objects, as far as these do without it. Any other name makes
 * VALUES a part of the module.
 */
static const char *const plain_names[] = {
	"called_at",
	"charge",
	"charge_later",
	"cpu",
	"error",
	"exit",
	"failed",
	"family_function",
	"family_marker",
	"family_timer",
	"family_tracepoint",
	"frame_pop",
	"frame_push",
	"frame_root",
	"item",
	"hit",
	"hit_entry",
	"item_format",
	"item_long",
	"item_string",
	"item_string_bytes",
	"param_ops",
	"script",
	"spend",
	"tracepoint_hit",
	"trace_arg",
	"where",
};

bool build_words_have(const words *list, const char *word)
{
	vec_each(list, i)
		if (!strcmp(list->data[i], word))
			return true;
	return false;
}

static bool is_plain(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(plain_names) / sizeof(*plain_names); i++)
		if (strlen(plain_names[i]) == len && !memcmp(plain_names[i], name, len))
			return true;
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* True: the word is the name of a struct or an enum. */
static bool is_tag(const char *text, const char *at)
{
	return (at - text >= 7 && !memcmp(at - 7, "struct ", 7)) ||
	       (at - text >= 5 && !memcmp(at - 5, "enum ", 5));
}

/*
 * True: the name is the text's own, as the first line with that word is a definition.
 * Names of the runtime are declared in headers only.
 */
static bool is_own(const char *text, const char *name, size_t len)
{
	for (const char *at = text; (at = memmem(at, strlen(at), name, len)); at += len) {
		if ((at > text && is_word(at[-1])) || is_word(at[len]))
			continue;
		while (at > text && at[-1] != '\n')
			at--;
		return !strncmp(at, "static ", 7);
	}
	return false;
}

static bool needs_values(struct arena *a, const char *text)
{
	static const char prefix[] = "stp_";
	const size_t before = sizeof(prefix) - 1;
	words own = { 0 };

	for (const char *at = text; (at = strstr(at, prefix)); at += before) {
		size_t len = 0;
		const char *name;

		if ((at > text && is_word(at[-1])) || is_tag(text, at))
			continue;
		while (is_word(at[before + len]))
			len++;
		if (is_plain(at + before, len))
			continue;
		name = arena_strndup(a, at, before + len);
		if (build_words_have(&own, name))
			continue;
		if (!is_own(text, name, before + len))
			return true;
		vec_push(a, &own, name);
	}
	return false;
}

static bool uses_part(const char *text, const char *const *marks)
{
	for (; *marks; marks++)
		if (strstr(text, *marks))
			return true;
	return false;
}

void objects_of(struct build *b)
{
	struct arena *a = b->s->arena;
	bool points = strstr(b->c_text, "&stp_variables_part") != NULL;

	vec_push(a, &b->objects, "runtime");
	vec_push(a, &b->objects, SETUP);
	if (needs_values(a, b->c_text))
		vec_push(a, &b->objects, VALUES);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (uses_part(b->c_text, parts[i].marks))
			vec_push(a, &b->objects, parts[i].object);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		/* Markers are part of SETUP: most scripts have one. */
		if (!strcmp(families[i], "marker") || !uses_family(b->c_text, families[i]))
			continue;
		/* Tracepoints are part of POINTS: their code runs once. */
		if (strcmp(families[i], "tracepoint"))
			vec_push(a, &b->objects, arena_printf(a, "family_%s", families[i]));
		points = true;
	}
	if (points)
		vec_push(a, &b->objects, POINTS);
}

/* A family of one file is a unit; the unit of one with a folder is in objects/. */
const char *object_source(struct build *b, const char *object)
{
	const char *unit = arena_printf(b->s->arena, "%s/objects/%s.c", b->runtime, object);

	if (strncmp(object, "family_", 7) || path_exists(unit))
		return unit;
	return arena_printf(b->s->arena, "%s/probe/%s.c", b->runtime, object + 7);
}

const char *object_file(struct build *b, const char *object)
{
	return arena_printf(b->s->arena, "stp-%s", object);
}

const char *object_path(struct build *b, const char *object)
{
	return arena_printf(b->s->arena, "%s/%s.o", b->kernel_dir, object);
}

const char *objects_module_info_path(struct build *b)
{
	return arena_printf(b->s->arena, "%s/%s.mod.o", b->work, b->name);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/which_program.h"

#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "probe/probe.h"

#define BUILD_ID_DIGITS 40

static bool is_build_id(const char *name)
{
	return strlen(name) == BUILD_ID_DIGITS &&
	       strspn(name, "0123456789abcdef") == BUILD_ID_DIGITS;
}

static void add(struct session *s, struct executable *file, int64_t pid, program_files *ret)
{
	struct program_file one = { .file = file,
				    .pid = pid,
				    .prefix =
					    arena_printf(s->arena, "process(\"%s\")", file->seen) };

	vec_push(s->arena, ret, one);
}

static struct error *find_by_glob(struct session *s, const char *pattern, program_files *ret)
{
	executables found = { 0 };
	struct error *err = lookup_matching(s, pattern, &found);

	vec_each(&found, i)
		add(s, found.data[i], 0, ret);
	return err;
}

/* Returns the present path of a library that has moved. */
static const char *name_now(struct session *s, const struct component *c)
{
	const char *now = librarydrift_now(s, c->string);

	if (now)
		diag_taken(s, c->arg_loc, "'%s' is '%s' here", c->string, now);
	return now ? now : c->string;
}

static struct error *find_by_name(struct session *s, const char *name, program_files *ret)
{
	struct executable *file = NULL;
	struct error *err;

	if (glob_is(name))
		return find_by_glob(s, name, ret);
	err = is_build_id(name) ? lookup_build_id(s, name, &file)
				: lookup_executable(s, name, &file);
	if (!err)
		add(s, file, 0, ret);
	return err;
}

static struct error *find_by_pid(struct session *s, int64_t pid, int64_t only, program_files *ret)
{
	struct executable *file = NULL;
	struct error *err = lookup_process(s, pid, &file);

	if (!err)
		add(s, file, only, ret);
	return err;
}

struct error *which_program_named(struct session *s, const struct component *c, program_files *ret)
{
	const char *command;

	if (c->arg_kind == ARG_STRING)
		return find_by_name(s, name_now(s, c), ret);
	if (c->arg_kind == ARG_NUMBER)
		return find_by_pid(s, c->number, c->number, ret);
	if (s->options->target_pid)
		return find_by_pid(s, s->options->target_pid, 0, ret);
	command = lookup_of_command(s);
	if (command)
		return find_by_name(s, command, ret);
	return diag_error_page(
		probe_wrong(s, "'process' without a name is the target's program; give it "
			       "with -c CMD or -x PID, or write process(\"PATH\")"),
		PAGE_PROCESS_TRACKING);
}

/* ---- libraries ---- */

static void add_library(struct session *s, const struct program_file *of,
			struct executable *library, program_files *ret)
{
	struct program_file one = *of;

	one.file = library;
	one.user = of->file;
	one.prefix = arena_printf(s->arena, "%s.library(\"%s\")", of->prefix, library->seen);
	vec_push(s->arena, ret, one);
}

/*
 * Returns the present name of a library that the program does not have by that name. The
 * directory of the library follows from the program.
 */
static const char *base_now(struct session *s, const struct component *c)
{
	const char *now = librarydrift_now(s, c->string), *old = strrchr(c->string, '/');

	old = old ? old + 1 : c->string;
	if (!now || !strcmp(strrchr(now, '/') + 1, old))
		return NULL;
	diag_taken(s, c->arg_loc, "'%s' is '%s' here", c->string, now);
	return strrchr(now, '/') + 1;
}

/* Finds the libraries by that name, but not empty ones, whose functions are in libc. */
static struct error *find_called(struct session *s, struct executable *user, const char *name,
				 executables *ret)
{
	executables found = { 0 };
	struct error *err = library_find(s, user, name, &found);

	vec_each(&found, i)
		if (!librarydrift_is_remainder(found.data[i]))
			vec_push(s->arena, ret, found.data[i]);
	return err;
}

static struct error *find_libraries(struct session *s, const struct program_file *of,
				    const struct component *c, program_files *ret)
{
	executables found = { 0 };
	struct error *err = find_called(s, of->file, c->string, &found);
	const char *now =
		!found.count && (!err || err->kind == ERROR_ABSENT) ? base_now(s, c) : NULL;

	if (now || (!found.count && !err))
		err = library_find(s, of->file, now ? now : c->string, &found);
	vec_each(&found, i)
		add_library(s, of, found.data[i], ret);
	return err;
}

/* ---- the program ---- */

static struct error *find(struct session *s, const struct point *p, unsigned *i, program_files *ret)
{
	const struct component *library = probe_component(p, 1);
	program_files programs = { 0 };
	struct error *err = which_program_named(s, probe_component(p, 0), &programs), *last = NULL;

	*i = 1;
	if (err || !probe_component_is(p, 1, "library", ARG_STRING)) {
		*ret = programs;
		return err;
	}
	++*i;
	vec_each(&programs, k) {
		err = find_libraries(s, &programs.data[k], library, ret);
		if (err && err->kind != ERROR_ABSENT)
			return err;
		last = err ? err : last;
	}
	return ret->count ? NULL : last;
}

struct error *which_program_find(struct session *s, const struct point *p, unsigned *i,
				 program_files *ret)
{
	struct error *err = find(s, p, i, ret);

	vec_each(ret, k)
		ret->data[k].is_matched = which_program_is_glob(p);
	return err;
}

bool which_program_is_glob(const struct point *p)
{
	for (unsigned i = 0; i < 2 && i < p->components.count; i++)
		if (probe_component(p, i)->arg_kind == ARG_STRING &&
		    (!i || probe_component_is(p, i, "library", ARG_STRING)) &&
		    glob_is(probe_component(p, i)->string))
			return true;
	return false;
}

void which_program_emit(struct strbuf *b, const struct program_file *where, uint64_t offset,
			bool optional)
{
	const struct executable *p = where->file;

	strbuf_adds(b, ".path = ");
	strbuf_addquoted(b, p->seen, strlen(p->seen));
	strbuf_addf(b, ", .size = %llu", (unsigned long long)p->size);
	if (p->id_size) {
		strbuf_addf(b, ", .id_offset = %#llx, .id_size = %zu, .id = (const uint8_t *)\"",
			    (unsigned long long)p->id_offset, p->id_size);
		for (size_t i = 0; i < p->id_size; i++)
			strbuf_addf(b, "\\x%02x", p->id[i]);
		strbuf_addc(b, '"');
	}
	strbuf_addf(b, ", .offset = %#llx", (unsigned long long)offset);
	if (where->user && !where->pid) {
		strbuf_adds(b, ", .program = ");
		strbuf_addquoted(b, where->user->seen, strlen(where->user->seen));
	}
	if (where->pid)
		strbuf_addf(b, ", .pid = %lld", (long long)where->pid);
	if (optional)
		strbuf_adds(b, ", .optional = true");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects programs and libraries: those that are probed, those that -c, -x and -d name,
 * and with --ldd the libraries linked with these.
 */
#include "kernel/modules.h"
#include "unwind/unwind.h"

#include <string.h>

#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "program/executable.h"
#include "unwind/vdso.h"

struct collection {
	struct session *s;
	bool with_lines;
	struct hashmap known; /* by path */
	VEC(const struct executable *) programs;
	unwind_modules *ret;
};

static void add_program(struct collection *c, const struct executable *p)
{
	if (p->is_32 || hashmap_get(&c->known, p->path))
		return;
	hashmap_put(&c->known, p->path, (void *)p);
	vec_push(c->s->arena, &c->programs, p);
}

/* ---- programs of the script ---- */

/*
 * Adds process("PATH") and, after it, library("PATH"): points are resolved, so that
 * paths are absolute.
 */
static void add_point(struct collection *c, const char *pp)
{
	static const char *const words[] = { "process(\"", ".library(\"" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = strstr(pp, words[i]);
		struct executable *p;

		if (at && (i || at == pp)) {
			at += strlen(words[i]);
			if (!executable_read(c->s,
					     arena_strndup(c->s->arena, at, strcspn(at, "\"")), &p))
				add_program(c, p);
		}
	}
}

static void add_target(struct collection *c)
{
	const struct options *o = c->s->options;
	const char *command = lookup_of_command(c->s);
	struct executable *p;

	if (o->target_pid && !lookup_process(c->s, o->target_pid, &p))
		add_program(c, p);
	if (command && !lookup_executable(c->s, command, &p))
		add_program(c, p);
}

/*
 * True for the name of a module. The kernel's own symbols are always available; -d
 * accepts its modules' names, as SystemTap needs them there.
 */
static bool is_kernel_module(struct session *s, const char *name)
{
	const char *const *names;
	size_t n;

	return !strcmp(name, "kernel") ||
	       (!strchr(name, '/') && !kernel_modules_matching(s, name, &names, &n) && n);
}

/* Finds a file by path, or by name: a library first, as libraries are not in PATH. */
static struct error *find_named(struct session *s, const char *name, executables *ret)
{
	static const struct executable nobody = { .path = "/", .seen = "/", .root = "" };
	struct executable *p;
	struct error *err = strchr(name, '/') ? NULL : library_find(s, &nobody, name, ret);

	if (!strchr(name, '/') && (!err || err->kind != ERROR_ABSENT))
		return err;
	err = lookup_executable(s, name, &p);
	if (!err)
		vec_push(s->arena, ret, p);
	return err;
}

static void add_named(struct collection *c)
{
	vec_each(&c->s->options->modules, i) {
		const char *name = c->s->options->modules.data[i];
		executables found = { 0 };
		struct error *err;

		if (is_kernel_module(c->s, name))
			continue;
		err = find_named(c->s, name, &found);
		if (err)
			diag_error(c->s, (struct loc){ 0 }, "-d %s: %s", name,
				   err->kind == ERROR_ABSENT ? "there is no such program, library "
							       "or module of the kernel"
							     : err->text);
		vec_each(&found, k)
			add_program(c, found.data[k]);
	}
}

/* ---- their libraries ---- */

#define NAMES_SAID 6

static void add_libraries(struct collection *c)
{
	size_t n = c->programs.count;

	for (size_t i = 0; i < n; i++) {
		executables libraries = { 0 };

		library_list(c->s, c->programs.data[i], &libraries);
		vec_each(&libraries, k)
			add_program(c, libraries.data[k]);
	}
}

static void note_absent(struct collection *c, const struct executable *p, struct hashmap *said,
			struct strbuf *text, unsigned *count)
{
	executables libraries = { 0 };

	library_list(c->s, p, &libraries);
	vec_each(&libraries, i) {
		const struct executable *library = libraries.data[i];

		if (hashmap_get(&c->known, library->path) || hashmap_get(said, library->path))
			continue;
		hashmap_put(said, library->path, (void *)library);
		if ((*count)++ < NAMES_SAID)
			strbuf_addf(text, "%s%s", *count > 1 ? ", " : "", library->path);
	}
}

static void warn_absent(struct collection *c)
{
	struct hashmap said;
	struct strbuf text;
	unsigned count = 0;

	hashmap_init(&said, c->s->arena);
	strbuf_init(&text, c->s->arena);
	vec_each(&c->programs, i)
		note_absent(c, c->programs.data[i], &said, &text, &count);
	if (!c->programs.count)
		diag_warning(c->s, (struct loc){ 0 },
			     "no program's symbols and unwind tables are at hand; -d PATH adds "
			     "those of a program or library, "
			     "--ldd those of its libraries");
	else if (count > NAMES_SAID)
		diag_warning(c->s, (struct loc){ 0 },
			     "no symbols and unwind tables of %s and %u more; --ldd adds them",
			     text.s, count - NAMES_SAID);
	else if (count)
		diag_warning(c->s, (struct loc){ 0 },
			     "no symbols and unwind tables of %s; --ldd adds them, or -d PATH one "
			     "of them",
			     text.s);
}

/* ---- reading ---- */

static void read_module(struct collection *c, const struct executable *p, const struct bytes *image)
{
	struct unwind_module *m = arena_new(c->s->arena, struct unwind_module);
	struct error *err;

	m->program = p;
	if (image) {
		m->image = image->data;
		m->image_size = image->len;
	}
	err = unwind_module_read(c->s, m, c->with_lines);
	if (err)
		diag_warning(c->s, (struct loc){ 0 }, "%s; it is left out of stacks and symbols",
			     err->text);
	/* without a build-id nobody could tell whether a mapped file is this one */
	else if (p || m->id_size)
		vec_push(c->s->arena, c->ret, m);
}

void unwind_collect(struct session *s, bool with_lines, unwind_modules *ret)
{
	struct collection c = { .s = s, .with_lines = with_lines, .ret = ret };
	struct bytes vdso;

	hashmap_init(&c.known, s->arena);
	vec_each(&s->program->probes, i)
		add_point(&c, s->program->probes.data[i]->pp);
	add_target(&c);
	add_named(&c);
	if (s->options->ldd)
		add_libraries(&c);
	warn_absent(&c);
	vec_each(&c.programs, i)
		read_module(&c, c.programs.data[i], NULL);
	if (vdso_find(s, &vdso))
		read_module(&c, NULL, &vdso);
}

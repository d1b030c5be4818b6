/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process(…).mark("GLOB") and process(…).provider("GLOB").mark("GLOB"): static markers,
 * found by the notes in the program (sdt/). $arg1 and so on are numbers; other variables
 * are those of the surrounding code, from its debuginfo. The program's semaphore is
 * incremented while the marker is probed. The runtime's part is the same as for all
 * points in programs.
 */
#include "probe/user/mark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "base/writer.h"
#include "dwarf/find.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "probe/counter.h"
#include "probe/user/uprobe.h"
#include "sdt/sdt.h"

static const struct probe_family family;

/* The points' derived->data. */
struct mark {
	struct mark_program from;
	const struct sdt_file *file;
	const struct sdt_mark *mark;
	uint64_t offset, semaphore; /* in the file */
};

/* The request of a point in the script. */
struct question {
	struct session *s;
	const struct point *p;
	const struct mark_program *from;
	const char *provider, *name; /* patterns; the first may be NULL */
};

/* ---- the point's text ---- */

static struct error *read_text(struct question *q, unsigned i)
{
	const struct component *c = probe_component(q->p, i);

	if (probe_component_is(q->p, i, "provider", ARG_STRING)) {
		q->provider = c->string;
		c = probe_component(q->p, ++i);
	}
	if (!c || strcmp(c->name, "mark") || c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(q->s,
				   "a marker needs a name: process(\"PATH\").mark(\"NAME\") or "
				   "process(\"PATH\").provider(\"NAME\").mark(\"NAME\")");
	q->name = c->string;
	c = probe_component(q->p, ++i);
	return c ? probe_wrong(q->s, "nothing can follow as '.%s' here", c->name) : NULL;
}

/* ---- finding ---- */

static struct error *add(struct question *q, const struct sdt_file *file, const struct sdt_mark *m,
			 derived_list *ret)
{
	struct mark data = { .from = *q->from, .file = file, .mark = m };
	struct derived *d;

	if (!executable_code_offset(q->from->program, m->pc, &data.offset))
		return error_create(q->s->arena, ERROR_ENVIRONMENT,
				    "%s: marker '%s' is at %#llx, where there is no code",
				    file->path, m->name, (unsigned long long)m->pc);
	if (m->semaphore && !executable_offset(q->from->program, m->semaphore, &data.semaphore))
		return error_create(q->s->arena, ERROR_ENVIRONMENT,
				    "%s: the semaphore of marker '%s' is not in the file, at %#llx",
				    file->path, m->name, (unsigned long long)m->semaphore);
	d = probe_derived_new(q->s, &family, q->p, ret);
	d->data = memcpy(arena_new(q->s->arena, struct mark), &data, sizeof(data));
	d->pp = q->provider ? arena_printf(q->s->arena, "%s.provider(\"%s\").mark(\"%s\")",
					   q->from->where->prefix, m->provider, m->name)
			    : arena_printf(q->s->arena, "%s.mark(\"%s\")", q->from->where->prefix,
					   m->name);
	d->pfunc = executable_function_at(q->from->program, m->pc);
	d->pmodule = file->path;
	return NULL;
}

static struct error *absent(struct question *q, const struct sdt_file *file)
{
	VEC(const char *) names = { 0 };
	const char *near = NULL;

	vec_each(&file->marks, i)
		vec_push(q->s->arena, &names, file->marks.data[i].name);
	if (!glob_is(q->name))
		near = diag_near(q->s, q->name, names.data, names.count);
	return error_create(q->s->arena, ERROR_ABSENT, "no marker %s '%s' in %s%s%s%s%s",
			    glob_is(q->name) ? "matches" : "is called", q->name, file->path,
			    q->provider ? " by provider " : "", q->provider ? q->provider : "",
			    near ? "; did you mean " : "", near ? near : "");
}

static struct error *find(struct question *q, const struct sdt_file *file, derived_list *ret)
{
	struct glob name = glob_make(q->name),
		    provider = glob_make(q->provider ? q->provider : "*");
	size_t before = ret->count;

	vec_each(&file->marks, i) {
		const struct sdt_mark *m = &file->marks.data[i];
		struct error *err = NULL;

		if (glob_match(&name, m->name) && glob_match(&provider, m->provider))
			err = add(q, file, m, ret);
		if (err)
			return err;
	}
	return ret->count > before ? NULL : absent(q, file);
}

static struct error *read_marks(struct session *s, struct executable *p)
{
	struct sdt_file *file;
	struct bytes elf;
	struct error *err = p->marks ? NULL : file_map(s->arena, p->path, &elf);

	if (p->marks || err)
		return err;
	err = sdt_read(s->arena, &elf, &file);
	if (!err)
		p->marks = file;
	return err;
}

struct error *mark_resolve(struct session *s, const struct point *p, unsigned i,
			   const struct mark_program *program, derived_list *ret)
{
	struct question q = { .s = s, .p = p, .from = program };
	struct error *err = read_text(&q, i);

	if (!err)
		err = read_marks(s, program->program);
	return err ? err : find(&q, program->program->marks, ret);
}

/* ---- target variables ---- */

/* Returns 12 for "$arg12"; 0 for other names. */
static uint64_t argument_number(const char *name)
{
	char *end;
	uint64_t n;

	if (strncmp(name, "$arg", 4) || name[4] < '1' || name[4] > '9')
		return 0;
	n = strtoull(name + 4, &end, 10);
	return *end ? 0 : n;
}

static struct error *unknown(struct session *s, const struct sdt_mark *m, const char *name)
{
	size_t n = m->arguments.count;
	const char *last = n > 1 ? arena_printf(s->arena, " to $arg%zu", n) : "";

	return error_create(s->arena, ERROR_ABSENT, "marker '%s' has no '%s'; it has %s%s", m->name,
			    name, n ? "$arg1" : "no arguments", last);
}

/* Finds the marker's place in debuginfo. */
static struct error *find_place(struct session *s, const struct mark *m, struct dwarf_place *ret)
{
	struct dwarf_file *file;
	struct error *err = dwarf_open(s, m->from.program->path, &file);

	return err ? err : dwarf_find_address(s, file, m->mark->pc, ret);
}

/* Handles variables of the code that contains the marker, and of the program. */
static struct error *access_variable(struct session *s, const struct mark *m, const struct node *n,
				     struct access *a)
{
	struct dwarf_place *place = arena_new(s->arena, struct dwarf_place);
	struct error *err;

	if (find_place(s, m, place))
		return unknown(s, m->mark, n->target_name);
	a->user = true;
	err = dwarf_variable(s, place, n->target_name + 1, &n->path, n->address_of, a);
	return err && !strchr(n->target_name, '@') && !dwarf_sees(s, place, n->target_name + 1)
		       ? error_create(s->arena, ERROR_ABSENT, "%s, and %s",
				      unknown(s, m->mark, n->target_name)->text, err->text)
		       : err;
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	const struct mark *m = d->data;
	struct access *a = arena_new(s->arena, struct access);
	uint64_t number = argument_number(n->target_name);
	bool is_argument = number && number <= m->mark->arguments.count;
	struct error *err;

	if (!is_argument)
		err = access_variable(s, m, n, a);
	else if (n->path.count || n->address_of)
		err = error_create(s->arena, ERROR_ABSENT,
				   "'%s' is a number, without a type or an address: markers do not "
				   "have them. @cast(%s, \"struct NAME\") "
				   "gives it one",
				   n->target_name, n->target_name);
	else
		err = sdt_argument(s->arena, m->file, m->mark, number, a);
	if (err && is_argument && err->kind != ERROR_ABSENT)
		err = error_context(s->arena, err, "'%s' of marker '%s'", n->target_name,
				    m->mark->name);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	const struct mark *m = d->data;

	vec_each(&m->mark->arguments, i) {
		struct target_variable v = { .name = arena_printf(s->arena, "$arg%zu", i + 1),
					     .c_type = "long" };

		vec_push(s->arena, ret, v);
	}
}

static const char *name_of(const struct derived *d)
{
	return ((const struct mark *)d->data)->mark->name;
}

static const char *provider_of(const struct derived *d)
{
	return ((const struct mark *)d->data)->mark->provider;
}

static const struct program_file *where(const struct derived *d)
{
	return ((const struct mark *)d->data)->from.where;
}

/* ---- emission ---- */

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct mark *m = d->data;
	struct strbuf b;

	strbuf_init(&b, s->arena);
	which_program_emit(&b, m->from.where, m->offset, m->from.optional);
	strbuf_adds(&b, ", .is_marker = true");
	if (m->semaphore)
		strbuf_addf(&b, ", .semaphore = %#" PRIx64, m->semaphore);
	counter_emit(d, &b, s, w);
	writer_line(w, "static const struct stp_point_uprobe point_%u = { %s };", d->index, b.s);
}

static const char *bpf_obstacle(const struct derived *d)
{
	return uprobe_find_obstacle(where(d), d);
}

/*
 * A family that is not in the table: its points come through probe_family_uprobe, and it
 * has the same name in the runtime.
 */
static const struct probe_family family = {
	.name = "uprobe",
	.target = target,
	.vars = vars,
	.emit = emit,
	.its_name = name_of,
	.its_provider = provider_of,
	.where = where,
	.waits = true,
	.bpf_runtime = true,
	.bpf_obstacle = bpf_obstacle,
	.whole_names = true,
};

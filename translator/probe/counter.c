/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * @perf("NAME"): the value of perf.….counter("NAME"), read before the handler of a
 * breakpoint in a program runs, because the task can wait for it there. The counters that
 * a point reads are its arguments.
 */
#include "probe/counter.h"

#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "probe/which_program.h"
#include "program/executable.h"

#define COUNTERS_MOST 16 /* STP_COUNTERS */

void counter_bind(struct session *s, struct derived *d, struct node *n)
{
	/* @enum has been replaced by a number. */
	if (n->kind != NODE_ATOP || strcmp(n->atop, "perf") || n->missing || n->reader)
		return;
	if (!*n->list->string)
		n->missing = "@perf(\"\"): the counter's name is missing: that of "
			     "perf.….counter(\"NAME\")";
	else if (d && d->family->waits)
		n->reader = d;
	else
		n->missing = "@perf reads a counter where a program runs into a breakpoint: in "
			     "process(\"PATH\").function, .statement, .plt and .mark";
}

/*
 * Finds the point of a counter. NULL: there is none, or more than one; *why is the
 * reason.
 */
static struct derived *find(struct session *s, const char *name, const char **why)
{
	struct derived *found = NULL;

	vec_each(&s->program->probes, i) {
		struct derived *d = s->program->probes.data[i];
		const struct probe_counter *counter = probe_counter(d);

		if (!counter || strcmp(counter->name, name))
			continue;
		*why = found ? arena_printf(s->arena,
					    "@perf(\"%s\"): there are several counters of that "
					    "name: %s and %s",
					    name, found->pp, d->pp)
			     : NULL;
		if (*why)
			return NULL;
		found = d;
	}
	*why = arena_printf(s->arena,
			    "@perf(\"%s\"): there is no such counter; write a probe "
			    "perf.type(N).config(M).counter(\"%s\") { }",
			    name, name);
	return found;
}

/*
 * Libraries may have an entry point, as programs do, so the name decides, as for
 * ldconfig(8).
 */
static bool is_library(const struct executable *p)
{
	const char *slash = strrchr(p->path, '/');

	return strstr(slash ? slash : p->path, ".so");
}

/*
 * Returns the program in which the point is hit; NULL: there may be several, as for a
 * library.
 */
static const char *program_of(const struct derived *d)
{
	const struct program_file *where = d->family->where ? d->family->where(d) : NULL;
	const struct executable *p;

	if (!where || where->is_matched)
		return NULL;
	p = where->user ? where->user : where->file;
	return is_library(p) ? NULL : p->seen;
}

/* Returns why the counter is always 0 where it is read; NULL: it is not. */
static const char *elsewhere(struct session *s, const struct derived *reader,
			     const struct probe_counter *counter)
{
	const char *program = counter->program ? program_of(reader) : NULL;

	if (!program || !strcmp(program, counter->program))
		return NULL;
	return arena_printf(s->arena,
			    "@perf(\"%s\") counts in processes of %s, and is always 0 here, in %s",
			    counter->name, counter->program, program);
}

static unsigned next_number(struct session *s)
{
	unsigned last = 0;

	vec_each(&s->program->probes, i) {
		const struct probe_counter *counter = probe_counter(s->program->probes.data[i]);

		last = counter && counter->number > last ? counter->number : last;
	}
	return last + 1;
}

const char *counter_use(struct session *s, struct node *n, unsigned *ret)
{
	struct handler *reader = n->reader->handler;
	const char *why;
	struct derived *d = find(s, n->list->string, &why);
	struct probe_counter *counter;

	why = d ? elsewhere(s, n->reader, probe_counter(d)) : why;
	if (why)
		return why;
	for (*ret = 0; *ret < reader->counters.count; ++*ret)
		if (reader->counters.data[*ret] == d)
			return NULL;
	if (*ret == COUNTERS_MOST)
		return arena_printf(s->arena, "@perf(\"%s\"): one probe can read %d counters",
				    n->list->string, COUNTERS_MOST);
	counter = probe_counter(d);
	counter->number = counter->number ? counter->number : next_number(s);
	vec_push(s->arena, &reader->counters, d);
	return NULL;
}

void counter_emit(const struct derived *d, struct strbuf *point, struct session *s,
		  struct writer *w)
{
	const struct handler *reader = d->handler;
	struct strbuf rows;

	if (!reader->counters.count)
		return;
	strbuf_init(&rows, s->arena);
	vec_each(&reader->counters, i) {
		const struct probe_counter *counter = probe_counter(reader->counters.data[i]);

		strbuf_addf(&rows, "{ %s, %u }, ", counter->reader, counter->number);
	}
	writer_line(w, "static const struct stp_counter counters_%u[] = { %s};", d->index, rows.s);
	strbuf_addf(point, ", .counters = counters_%u, .ncounters = %zu", d->index,
		    reader->counters.count);
}

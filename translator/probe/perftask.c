/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that the kernel counts for each task of a program:
 *
 *   perf.type(N).config(M).process("PATH")    tasks of that program
 *   perf.type(N).config(M).process            tasks of the program of -c or -x
 *
 * with .sample(K), .hz(K) or .counter("NAME") as in perf.c.
 */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "probe/perf.h"
#include "probe/which_program.h"

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct perf perf;
	program_files files = { 0 };
	struct error *err;

	if (strcmp(probe_component(p, 0)->name, "perf") || perf_parse(s, p, &perf) || !perf.process)
		return NULL;
	perf.counter.reader = "stp_task_counter";
	err = which_program_named(s, perf.process, &files);
	if (err && err->kind == ERROR_ABSENT && perf.process->arg_kind == ARG_STRING) {
		diag_warning(s, perf.process->arg_loc, "%s; nothing counts while there is none",
			     err->text);
		perf.program = perf.counter.program = perf.process->string;
		perf_add(s, &probe_family_perftask, p, &perf, ret);
		return NULL;
	}
	vec_each(&files, i) {
		perf.program = perf.counter.program = files.data[i].file->seen;
		perf_add(s, &probe_family_perftask, p, &perf, ret);
	}
	return err;
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct perf *perf = d->data;
	struct strbuf more;

	strbuf_init(&more, s->arena);
	strbuf_adds(&more, ", .program = ");
	strbuf_addquoted(&more, perf->program, strlen(perf->program));
	perf_emit(s, d, more.s, w);
}

static const char *bpf_obstacle(const struct derived *d)
{
	return "counters of one program";
}

PROBE_FAMILY(perftask,
	     "perf.type(number).config(number).process\nperf.type(number).config(number)."
	     "process(string)\n"
	     "perf.type(number).config(number).process(string).counter(string)",
	     .resolve = resolve, .emit = emit, .counter = perf_counter,
	     .bpf_obstacle = bpf_obstacle);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the probes that read memory of programs where the task can wait for it: the hit
 * is repeated when a missing page has been brought (runtime/kernel/pages.c).
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/ops.h"
#include "module/module.h"
#include "probe/probe.h"

/* True: the C reads memory of programs, by a call or a macro of the runtime's. */
static bool code_reads(const char *code)
{
	static const char *const words[] = {
		"STP_USER", "stp_shown_args", "stp_shown_text", "stp_shown_string",
		"stp_shown_address", "_load_or_zero", "uread", "uderef",
	};

	for (size_t i = 0; code && i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(code, words[i]))
			return true;
	return false;
}

static bool call_reads(const struct node *call)
{
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(call, i)); i++)
		if (f->reads_program)
			return true;
	return false;
}

static int find_read(struct node *n, void *ctx)
{
	switch (n->kind) {
	case NODE_CALL:
		return call_reads(n) ? -1 : 0;
	case NODE_TARGET:
		return n->access && n->access->user ? -1 : 0;
	case NODE_ATOP:
		return !strcmp(n->atop, "uderef") ? -1 : 0;
	case NODE_EMBED:
		return code_reads(n->string) ? -1 : 0;
	default:
		return 0;
	}
}

static bool *mark(struct function *f)
{
	return &f->reads_program;
}

static const struct reading reading = { find_read, mark, NULL };

/* The entry of a system call holds no lock; other functions of the kernel may. */
static bool can_wait(const struct derived *d)
{
	return d->family->waits || d->of_call;
}

void programreads_mark(struct emit_module *m)
{
	struct program *p = m->s->program;

	if (m->s->options->runtime != RUNTIME_KERNEL)
		return;
	vec_each(&p->functions, i)
		p->functions.data[i]->reads_program = code_reads(p->functions.data[i]->code);
	reading_mark_callers(&reading, p);
	vec_each(&p->probes, i) {
		struct derived *d = p->probes.data[i];

		d->repeats = can_wait(d) && reading_of_probe(&reading, d);
		d->handler->repeats |= d->repeats;
		m->repeats |= d->repeats;
	}
	if (!m->repeats)
		return;
	pagesahead_mark(p);
	vec_each(&p->handlers, i)
		if (p->handlers.data[i]->repeats)
			pagesahead_plan(m->s, p->handlers.data[i]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the probes that read memory of programs, or their mappings, at points where the
 * task can wait for it: the hit is repeated when a missing page has been loaded
 * (runtime/kernel/pages.c).
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
		"STP_USER",	     "stp_shown_args", "stp_shown_text", "stp_shown_string",
		"stp_shown_address", "_load_or_zero",  "uread",		 "uderef",
	};

	for (size_t i = 0; code && i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(code, words[i]))
			return true;
	return false;
}

/*
 * An argument of a system call is a value: it may be a pointer, but memory is not read
 * there.
 */
static bool access_reads(const struct access *a)
{
	if (!a || !a->user)
		return false;
	if (a->pretty || (a->base != ACCESS_SYSCALL_ARG && a->base != ACCESS_SAVED))
		return true;
	vec_each(&a->steps, i)
		if (a->steps.data[i].kind != ACCESS_TRUNCATE)
			return true;
	return false;
}

static int find_read(struct node *n, void *ctx)
{
	switch (n->kind) {
	case NODE_TARGET:
		return access_reads(n->access) ? -1 : 0;
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

static const struct reading reading = { .find = find_read, .mark = mark };

/* ---- code that cannot be deferred ---- */

/*
 * True: the C reads the kernel's stack, or may write registers. A deferred hit has a copy
 * of the registers, and runs on another stack (runtime/kernel/pages_return.c).
 */
static bool code_is_of_moment(const struct function *f)
{
	static const char *const words[] = {
		"kernel_stack(", "stack_text(",	      "print_backtrace(",	 "dump_stack(",
		"_set_arg(",	 "_set_syscall_arg(", "__builtin_frame_address",
	};

	if (!f->code || !f->source->is_tapset)
		return f->code && f->has_effects;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(f->code, words[i]))
			return true;
	return false;
}

static int find_of_moment(struct node *n, void *ctx)
{
	switch (n->kind) {
	case NODE_ASSIGN:
	case NODE_INCDEC:
		return n->kid[0]->kind == NODE_TARGET ? -1 : 0;
	case NODE_EMBED:
		return node_ops[n->kind]->effect(n) == EFFECT_OUTSIDE ? -1 : 0;
	default:
		return 0;
	}
}

static bool *mark_of_moment(struct function *f)
{
	return &f->is_of_moment;
}

static const struct reading of_moment = { .find = find_of_moment, .mark = mark_of_moment };

/*
 * The entry of a system call holds no lock, and after its return the task goes back to
 * user mode; other functions of the kernel may be called with locks held.
 */
static bool can_wait(const struct derived *d)
{
	return d->family->waits || (d->of_call && !probe_is_return(d)) ||
	       (d->ends_call && !readers_of_probe(&of_moment, d));
}

void programreads_mark(struct emit_module *m)
{
	struct program *p = m->s->program;

	if (m->s->options->runtime != RUNTIME_KERNEL)
		return;
	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		f->reads_program = code_reads(f->code) || f->pragmas & PRAGMA_USER_SYMBOLS;
		f->is_of_moment = code_is_of_moment(f);
	}
	readers_mark_callers(&reading, p);
	readers_mark_callers(&of_moment, p);
	vec_each(&p->probes, i) {
		struct derived *d = p->probes.data[i];

		d->repeats = can_wait(d) && readers_of_probe(&reading, d);
		d->handler->repeats |= d->repeats;
		m->repeats |= d->repeats;
		m->puts_off |= d->repeats && d->ends_call;
		d->begins_waiting = d->repeats && d->ends_call && readers_at_entry(&reading, d);
	}
	if (!m->repeats)
		return;
	pagesahead_mark(p);
	vec_each(&p->handlers, i)
		if (p->handlers.data[i]->repeats)
			pagesahead_plan(m->s, p->handlers.data[i]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "arch_arguments.h"
#include "arch_bpf.h"
#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpfkernel.h"
#include "user/bpfload.h"
#include "user/bpftargets.h"
#include "user/bpftrampoline.h"

#define PLACE(member) offsetof(struct pt_regs, member) / 8,
static const uint8_t argument_places[] = { ARCH_FUNCTION_ARGS(PLACE) };
static const uint8_t result_place[] = { PLACE(ARCH_BPF_RESULT) };

bool bpftrampoline_is_wanted(void)
{
	const char *way = getenv("STAP_BPF_FUNCTIONS");

	return way && *way ? !strcmp(way, "fentry") : !bpfkernel_preempts();
}

bool bpftrampoline_suits(const struct stp_probe *p)
{
	const struct stp_point_function *f = p->point;

	return f->symbol && !f->is_inside && !f->reads_registers && !f->is_syscall && !f->ncallers;
}

/*
 * Lists the words of the context that are read (bits as in `reads_arguments`): arguments,
 * and behind them the result.
 */
static unsigned take_words(const struct bpftarget *target, bool is_return, unsigned read,
			   struct bpfpoint_word *words, uint8_t *places)
{
	unsigned n = 0;

	for (unsigned i = 0; i < target->nargs + is_return; i++) {
		unsigned bit = i < target->nargs ? i : 7;

		if (target->args[i] == BPFTARGETS_NONE || !(read >> bit & 1))
			continue;
		words[n] = (struct bpfpoint_word){
			.at = (uint16_t)(8 * i),
			.size = 8,
			.how = target->args[i] == BPFTARGETS_LOADED ? BPFPOINT_LOADED
			       : i < target->nargs		    ? BPFPOINT_ARGUMENT
								    : BPFPOINT_RESULT,
		};
		places[n++] = i < target->nargs ? argument_places[i] : result_place[0];
	}
	return n;
}

/* The stack pointer at an entry, and after a return, as eventhit.c compares them. */
static int stack_after(enum bpf_part part)
{
	const struct pt_regs none = { .sp = 0 };

	return part == BPF_PART_RETURN ? -(int)arch_bpf_entry_stack(&none) : 0;
}

static bool link_function(struct bpfpoint *b)
{
	union bpf_attr attr = { .raw_tracepoint = { .prog_fd = (uint32_t)b->program } };

	b->link = (int)bpfload_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
	return b->link >= 0;
}

static bool attach_part(struct bpfpoint *b, const struct stp_probe *p,
			const struct bpftarget *target, struct bpf_calls *calls, enum bpf_part part)
{
	const struct stp_point_function *f = p->point;
	bool is_return = part != BPF_PART_ENTRY && f->is_return;
	struct bpfpoint_word words[BPFTARGETS_ARGS + 1];
	uint8_t places[BPFTARGETS_ARGS + 1];
	const struct bpfpoint_form form = {
		.kind = { .type = BPF_PROG_TYPE_TRACING,
			  .attach_type = is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY,
			  .target = target->target,
			  .is_quiet = true },
		.part = part,
		.only = BPF_ALL_TASKS,
		.calls = calls,
		.has_regs = true,
		.keeps_cpu = !bpfkernel_preempts(),
		.words = words,
		.nwords = take_words(target, is_return, p->enter ? ~0u : f->reads_arguments, words,
				     places),
		.places = places,
		.stack = stack_after(part),
	};

	if (bpfpoint_load(b, p, &form))
		return false;
	if (link_function(b))
		return true;
	b->link = 0;
	return false;
}

/* The return is attached first: a call that is seen to begin must be seen to return. */
bool bpftrampoline_attach(struct bpftrampoline *t, const struct stp_probe *p,
			  const struct bpftarget *target, struct bpf_calls *calls)
{
	bool ret;

	if (!target->target.function || bpfpoint_kinds() >= BPFTRAMPOLINE_KINDS)
		return false;
	if (p->enter)
		ret = attach_part(&t->hit, p, target, calls, BPF_PART_RETURN) &&
		      attach_part(&t->entry, p, target, calls, BPF_PART_ENTRY);
	else
		ret = attach_part(&t->hit, p, target, NULL, BPF_PART_HIT);
	if (ret)
		return true;
	bpftrampoline_detach(t);
	bpftrampoline_unload(t);
	return false;
}

void bpftrampoline_detach(struct bpftrampoline *t)
{
	bpfpoint_detach(&t->entry);
	bpfpoint_detach(&t->hit);
}

void bpftrampoline_unload(struct bpftrampoline *t)
{
	bpfpoint_unload(&t->entry);
	bpfpoint_unload(&t->hit);
}

uint64_t bpftrampoline_missed(const struct stp_probe *p, struct bpftrampoline *t)
{
	return bpfpoint_missed(p, &t->hit) + bpfpoint_missed(p, &t->entry);
}

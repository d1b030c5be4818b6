/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch_arguments.h"
#include "bpf/arena.h"
#include "bpf/calls.h"
#include "arch_bpf.h"
#include "core/port.h"
#include "core/state.h"
#include "user/bpfcgroup.h"
#include "user/bpfcode.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpftypes.h"

#define KINDS 32 /* of programs */

/* Programs of a type and purpose call the handlers through a separate array. */
struct kind {
	struct bpfload_kind of;
	int map; /* 0: there is none */
};

static struct {
	struct kind kinds[KINDS];
	int *timers; /* programs, by the probe's number */
	unsigned n;  /* points */
} points;

/* ---- writing a program ---- */

#define SHARED(member) offsetof(struct bpf_shared, member)

uint64_t *bpfpoint_skips(const struct stp_probe *p)
{
	return stp_runtime.cpus[0]->books[p->index].skipped;
}

bool bpfpoint_is_undecided(const struct bpfpoint_form *f, unsigned reason)
{
	return f->part == BPF_PART_ENTRY && reason != STP_SKIP_FILTERED;
}

/* Ends quietly if the task is outside of the run's control group: its entry counted. */
static void code_end_outside(struct bpfcode *c, const struct stp_probe *p,
			     const struct bpfpoint_form *f)
{
	unsigned inside;

	if (!bpfcgroup_is_asked(p, f->common != NULL))
		return;
	inside = bpfcgroup_passes(c);
	bpfcode_end(c);
	bpfcode_land(c, inside);
}

/* Counts a hit that does not run, and ends. */
static void code_skip(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f,
		      enum stp_skip_reason reason)
{
	if (f->part == BPF_PART_RETURN && reason != STP_SKIP_FILTERED)
		code_end_outside(c, p, f);
	if (f->common) {
		f->common->skip(c, f, reason);
	} else {
		bpfcode_number(c, 1,
			       (uintptr_t)(bpfpoint_is_undecided(f, reason)
						   ? &f->calls->skipped
						   : bpfpoint_skips(p) + reason),
			       0);
		bpfcode_put(c, TO_ARENA(1));
		bpfcode_put(c, SET(2, 1));
		bpfcode_put(c, ATOMIC(1, 0, 2, BPF_ADD));
	}
	if (!f->common && f->part == BPF_PART_RETURN) {
		bpfcode_number(c, 1, (uintptr_t)&f->calls->unseen, 0);
		bpfcode_put(c, TO_ARENA(1));
		bpfcode_put(c, ATOMIC(1, 0, 2, BPF_ADD));
	}
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, EXIT);
}

/*
 * How long a hit waits for another: as long as one of a module waits for a global. It
 * waits longer for one of a task that may not be running just now.
 */
static uint64_t patience_ns(bool is_long)
{
	uint64_t ns = (uint64_t)stp_script.limits.trylock * stp_script.limits.trylock_delay * 1000;

	return is_long ? ns * 100 : ns;
}

/*
 * Looks at the owner of the lock, in register 0, and stores how long to wait for it.
 * Sets never[] to the jumps that are taken if the hit cannot wait, or to 0.
 *
 * An owner on the same CPU is either another task, from which the kernel has taken the
 * CPU, or has been interrupted by this hit. A hit that keeps the CPU cannot wait for
 * either. In the first case the owner continues if this hit may lose the CPU, too.
 * Breakpoints may lose it. So may tracepoints of kernels from 7.0, which is known there
 * because an owner of the same kind has lost it.
 */
static void code_patience(struct bpfcode *c, const struct bpfpoint_form *f, unsigned never[2])
{
	unsigned other;

	bpfcode_number(c, 3, patience_ns(f->can_wait), 0);
	never[0] = never[1] = 0;
	if (f->can_wait) {
		bpfcode_put(c, STORE(10, BPFPOINT_WORD, 3));
		return;
	}
	bpfcode_put(c, MOVE(1, 0));
	bpfcode_put(c, ALU(BPF_XOR, 1, 7));
	bpfcode_put(c, MOVE(2, 1));
	bpfcode_put(c, ALU_K(BPF_AND, 2, BPF_LOCK_CPU));
	if (f->keeps_cpu) {
		never[0] = bpfcode_put(c, JUMP_K(BPF_JEQ, 2, 0));
		bpfcode_put(c, STORE(10, BPFPOINT_WORD, 3));
		return;
	}
	other = bpfcode_put(c, JUMP_K(BPF_JNE, 2, 0));
	bpfcode_put(c, ALU_K(BPF_RSH, 1, BPF_LOCK_THREAD));
	never[0] = bpfcode_put(c, JUMP_K(BPF_JEQ, 1, 0));
	bpfcode_put(c, ALU_K(BPF_AND, 0, BPF_LOCK_WAITS | BPF_LOCK_KEEPS));
	never[1] = bpfcode_put(c, JUMP_K(BPF_JNE, 0, 0));
	bpfcode_number(c, 3, patience_ns(true), 0);
	bpfcode_land(c, other);
	bpfcode_put(c, STORE(10, BPFPOINT_WORD, 3));
}

/* Puts what the lock is to contain into register 7. */
static void code_owner(struct bpfcode *c, const struct bpfpoint_form *f)
{
	uint32_t flags = (f->can_wait ? BPF_LOCK_WAITS : 0) | (f->keeps_cpu ? BPF_LOCK_KEEPS : 0);

	if (f->keeps_cpu) {
		bpfcode_put(c, CALL(HELPER_CPU));
		bpfcode_put(c, MOVE(7, 0));
		bpfcode_put(c, ADD(7, 1 + flags));
		return;
	}
	bpfcode_put(c, CALL(HELPER_PID));
	bpfcode_put(c, MOVE(7, 0));
	bpfcode_put(c, ALU_K(BPF_LSH, 7, BPF_LOCK_THREAD));
	bpfcode_put(c, CALL(HELPER_CPU));
	bpfcode_put(c, ADD(0, 1 + flags));
	bpfcode_put(c, ALU(BPF_OR, 7, 0));
}

/*
 * Tries to take the lock. Returns the jump where it was free; else register 0 is its
 * owner.
 */
static unsigned code_try(struct bpfcode *c)
{
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, ATOMIC(8, SHARED(lock), 7, BPF_CMPXCHG));
	return bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
}

/* Stores that the lock is free. Register 8 is the address of bpf_shared. */
static void code_unlock(struct bpfcode *c)
{
	bpfcode_put(c, SET(1, 0));
	bpfcode_put(c, ATOMIC(8, SHARED(lock), 1, BPF_XCHG));
}

/*
 * Takes the lock for this CPU and task: register 7 is what it contains then, register 8
 * the address of bpf_shared. Ends if the lock is not available.
 *
 * The kernel allows all loops of a program together a quarter of a second, the handler's
 * too, from 6.15 on. A hit that has used it up by waiting cannot run, even if it gets the
 * lock in the end.
 */
static void code_lock(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f)
{
	unsigned first, again, taken, used_up, has_time, free, never[2], last, late;

	code_owner(c, f);
	bpfcode_put(c, SET(8, (uint32_t)(uintptr_t)&bpf_shared));
	bpfcode_put(c, TO_ARENA(8));
	free = code_try(c);
	/* The program must name the arena somewhere. */
	bpfcode_number(c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpfcode_put(c, SET(9, 0)); /* when to give up: not known yet */
	first = bpfcode_put(c, GOTO);
	again = c->n;
	taken = code_try(c);
	bpfcode_land(c, first);
	code_patience(c, f, never);
	bpfcode_put(c, CALL(HELPER_CLOCK));
	late = bpfcode_put(c, JUMP_K(BPF_JNE, 9, 0));
	bpfcode_put(c, LOAD(9, 10, BPFPOINT_WORD));
	bpfcode_put(c, ALU(BPF_ADD, 9, 0));
	bpfcode_land(c, late);
	late = bpfcode_put(c, JUMP(BPF_JGT, 0, 9));
	last = bpfcode_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	bpfcode_back(c, GOTO, again);
	bpfcode_land(c, taken);
	used_up = bpfcode_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	has_time = bpfcode_put(c, GOTO);
	bpfcode_land(c, used_up);
	code_unlock(c);
	bpfcode_land(c, late);
	bpfcode_land(c, last);
	code_skip(c, p, f, STP_SKIP_LOCK);
	if (never[0]) {
		bpfcode_land(c, never[0]);
		if (never[1])
			bpfcode_land(c, never[1]);
		code_skip(c, p, f, STP_SKIP_REENTRANT);
	}
	bpfcode_land(c, free);
	bpfcode_land(c, has_time);
}

/* Puts a word of the context, in register 6, into register 0. */
static void code_word(struct bpfcode *c, const struct bpfpoint_word *word)
{
	int to = word->how == BPFPOINT_ARGUMENT ? 3 : 2;

	if (word->how == BPFPOINT_LOADED) {
		bpfcode_put(c, LOAD(0, 6, word->at));
		return;
	}
	bpfcode_put(c, MOVE(1, 6));
	if (word->how == BPFPOINT_ARGUMENT)
		bpfcode_put(c, SET(2, word->at / 8));
	bpfcode_put(c, MOVE(to, 10));
	bpfcode_put(c, ADD(to, BPFPOINT_WORD));
	bpfcode_put(c, CALL(word->how == BPFPOINT_ARGUMENT ? HELPER_ARGUMENT : HELPER_RESULT));
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_WORD));
}

/* Copies words of the context to the arguments from that number on. */
static void code_words(struct bpfcode *c, const struct bpfpoint_word *words, unsigned n,
		       unsigned to)
{
	for (unsigned i = 0; i < n; i++) {
		int unused = 64 - 8 * words[i].size;

		code_word(c, &words[i]);
		if (unused) {
			bpfcode_put(c, INSN(BPF_ALU64 | BPF_LSH | BPF_K, 0, 0, 0, unused));
			bpfcode_put(c, INSN(BPF_ALU64 | (words[i].is_signed ? BPF_ARSH : BPF_RSH) |
						    BPF_K,
					    0, 0, 0, unused));
		}
		bpfcode_put(c, STORE(8, SHARED(args) + 8 * (to + i), 0));
	}
}

/*
 * Makes registers of words. Entries and returns are told apart by the stack: the address
 * of the context is the same at the entry and at the return of a call, and lower in calls
 * from there.
 */
static void code_places(struct bpfcode *c, const struct bpfpoint_form *f)
{
	for (unsigned i = 0; i < f->nwords; i++)
		code_words(c, &f->words[i], 1, f->places[i]);
	if (f->part == BPF_PART_HIT)
		return;
	bpfcode_put(c, MOVE(0, 6));
	bpfcode_put(c, ADD(0, f->stack));
	bpfcode_put(c, STORE(8, SHARED(args) + (int)offsetof(struct pt_regs, sp), 0));
}

void bpfpoint_registers(struct bpfcode *c)
{
	struct bpfpoint_word word = { .size = 8 };

	for (; word.at < sizeof(struct pt_regs); word.at += 8)
		code_words(c, &word, 1, word.at / 8);
}

void bpfpoint_values(struct bpfcode *c)
{
#define AT(member) offsetof(struct pt_regs, member),
	static const uint16_t places[] = { ARCH_FUNCTION_ARGS(AT) AT(ARCH_BPF_RESULT) AT(sp) };
#undef AT
	struct bpfpoint_word word = { .size = 8 };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		word.at = places[i];
		code_words(c, &word, 1, word.at / 8);
	}
}

void bpfpoint_subject(struct bpfcode *c)
{
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, STORE(8, SHARED(calls), 0));
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_PLACE));
	bpfcode_put(c, STORE(8, SHARED(place), 0));
}

#define REGISTERS_AT (BPFPOINT_WORD - (int)sizeof(struct pt_regs)) /* on the stack */

void bpfpoint_registers_at(struct bpfcode *c)
{
	bpfcode_put(c, SET(2, sizeof(struct pt_regs)));
	bpfcode_put(c, MOVE(1, 10));
	bpfcode_put(c, ADD(1, REGISTERS_AT));
	bpfcode_put(c, CALL(HELPER_READ_KERNEL));
	for (unsigned i = 0; i < sizeof(struct pt_regs); i += 8) {
		bpfcode_put(c, LOAD(0, 10, REGISTERS_AT + (int)i));
		bpfcode_put(c, STORE(8, SHARED(args) + i, 0));
	}
}

/* The registers become those after the return instruction that is about to run. */
static void code_returned(struct bpfcode *c)
{
	const int sp = offsetof(struct pt_regs, sp);
	unsigned failed;

	bpfcode_put(c, LOAD(3, 6, sp));
	bpfcode_put(c, SET(2, 8));
	bpfcode_put(c, MOVE(1, 10));
	bpfcode_put(c, ADD(1, BPFPOINT_WORD));
	bpfcode_put(c, CALL(HELPER_READ_USER));
	failed = bpfcode_put(c, JUMP_K(BPF_JNE, 0, 0));
	bpfcode_put(c, LOAD(1, 10, BPFPOINT_WORD));
	bpfcode_put(c, STORE(8, SHARED(args) + (int)offsetof(struct pt_regs, ARCH_BPF_ADDRESS), 1));
	bpfcode_land(c, failed);
	bpfcode_put(c, LOAD(1, 6, sp));
	bpfcode_put(c, ADD(1, 8));
	bpfcode_put(c, STORE(8, (int)SHARED(args) + sp, 1));
}

static void set_shared(struct bpfcode *c, int offset, uint64_t value)
{
	if (value == (uint64_t)(int64_t)(int32_t)value) {
		bpfcode_put(c, STORE_K(8, offset, value));
		return;
	}
	bpfcode_number(c, 1, value, 0);
	bpfcode_put(c, STORE(8, offset, 1));
}

/* is_own: the hit begins in code of its own (bpf/ownhit.h), which needs fewer of them. */
static void fill_shared_words(struct bpfcode *c, const struct stp_probe *p, enum bpf_hit hit,
			      const struct bpfpoint_form *f, bool is_own)
{
	const struct bpf_shared kind = {
		.hit = (uint8_t)hit,
		.part = (uint8_t)f->part,
		.regs = f->places || f->only_values ? BPF_REGS_VALUES
			: f->only_told		    ? BPF_REGS_TOLD
						    : f->has_regs,
	};

	bpfcode_put(c, INSN(BPF_ST | BPF_MEM | BPF_W, 8, 0, SHARED(kind), kind.kind));
	if (!is_own || p->family != &stp_family_function)
		set_shared(c, SHARED(only), f->only);
	if (f->common) {
		f->common->fill(c, f);
		return;
	}
	if (!is_own) {
		set_shared(c, SHARED(probe), (uintptr_t)p);
		set_shared(c, SHARED(calls), (uintptr_t)f->calls);
	}
	if (f->places)
		code_places(c, f);
	else if (f->has_regs)
		bpfpoint_registers(c);
	else
		code_words(c, f->words, f->nwords, 0);
	if (f->at_site)
		code_returned(c);
}

/* Gives the lock back, and ends. */
static void code_stuck(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f)
{
	code_unlock(c);
	code_skip(c, p, f, STP_SKIP_STOPPING);
}

/* Returns a register that nothing changes which fills the shared words in. */
static int kept_register(const struct bpfpoint_form *f)
{
	bool loads = !f->common && !f->at_site;

	for (unsigned i = 0; i < f->nwords; i++)
		loads &= f->words[i].how == BPFPOINT_LOADED;
	return loads ? 2 : 9;
}

/* Continues where a hit begins. */
static void code_begin(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f,
		       bool is_own)
{
	struct bpf_insn fresh = GOTO;

	fresh.off = (int16_t)bpfload_begin();
	if (!is_own)
		bpfcode_put(c, SET(2, 0));
	else if (kept_register(f) != 2)
		bpfcode_put(c, MOVE(2, kept_register(f)));
	if (f->common)
		bpfcode_put(c, LOAD(1, 8, SHARED(probe)));
	else
		bpfcode_put(c, SET(1, (uint32_t)(uintptr_t)p));
	bpfcode_put(c, fresh);
}

/*
 * Looks whether the hit may run at once, and ends if it may not run at all. Register 2,
 * or what is kept for it, is the hit's struct stp_cpu, or 0 if the hit has to ask.
 *
 * The verifier has to follow the handlers from where a program has paused first, with
 * values that it does not know. It can do so behind a condition that never holds: it
 * follows a jump that it has met later before an earlier one.
 */
static void code_gate(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f,
		      bool is_own, unsigned *resume)
{
	int to = kept_register(f);
	unsigned runs, asks;

	if (is_own)
		bpfcode_put(c, SET(to, (uint32_t)(uintptr_t)stp_runtime.cpus[0]));
	bpfcode_put(c, LOAD(0, 8, SHARED(closed)));
	runs = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	if (is_own)
		bpfcode_put(c, SET(to, 0));
	bpfcode_put(c, LOAD_W(0, 8, SHARED(stuck)));
	asks = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	*resume = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, BPF_STUCK_NEVER));
	code_stuck(c, p, f);
	bpfcode_land(c, runs);
	bpfcode_land(c, asks);
}

/* Returns the jump that is taken if a return of a function of the kernel saves values. */
static unsigned code_saves(struct bpfcode *c)
{
	bpfcode_put(c, LOAD(2, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(1, 2, offsetof(struct bpf_point, calls)));
	return bpfcode_put(c, JUMP_K(BPF_JNE, 1, 0));
}

/*
 * Ends if the current task is not in the run's control group. A call whose return saves
 * values counts at its entry; if the task moves before the return, that must still free
 * the call's place: eventhit.c.
 */
static void code_filter(struct bpfcode *c, const struct stp_probe *p, const struct bpfpoint_form *f)
{
	bool is_return = f->part == BPF_PART_RETURN;
	unsigned inside, saves;

	if ((is_return && f->calls) || !bpfcgroup_is_asked(p, f->common != NULL))
		return;
	inside = bpfcgroup_passes(c);
	saves = is_return ? code_saves(c) : inside;
	code_skip(c, p, f, STP_SKIP_FILTERED);
	bpfcode_land(c, inside);
	bpfcode_land(c, saves);
}

/*
 * Writes the program of a point. handlers: the array by which it calls them; 0: they are
 * to follow.
 */
static void write_program(struct bpfcode *c, const struct stp_probe *p, enum bpf_hit hit,
			  int handlers, const struct bpfpoint_form *f)
{
	bool begins = !handlers && bpfload_begin();
	bool is_own =
		begins && stp_script.own_hits && hit == BPF_HIT_EVENT && f->part == BPF_PART_HIT;
	unsigned resume;

	if (!is_own || f->common || f->nwords || !f->places)
		bpfcode_put(c, MOVE(6, 1));
	if (f->common)
		f->common->find(c, f);
	code_filter(c, p, f);
	code_lock(c, p, f);
	code_gate(c, p, f, is_own, &resume);
	fill_shared_words(c, p, hit, f, is_own);
	if (begins) {
		code_begin(c, p, f, is_own);
		bpfcode_land(c, resume);
		return;
	}
	bpfcode_land(c, resume);
	bpfcode_put(c, MOVE(1, 6));
	if (!handlers)
		return;
	bpfcode_number(c, 2, (uint32_t)handlers, BPF_PSEUDO_MAP_FD);
	bpfcode_put(c, SET(3, 0));
	bpfcode_put(c, CALL(HELPER_TAIL_CALL));
	code_stuck(c, p, f);
}

/* ---- loading ---- */

static bool is_same_kind(const struct bpfload_kind *a, const struct bpfload_kind *b)
{
	return a->type == b->type && a->attach_type == b->attach_type &&
	       a->target.prototype == b->target.prototype && a->target.types == b->target.types;
}

unsigned bpfpoint_kinds(void)
{
	unsigned n = 0;

	while (n < KINDS && points.kinds[n].map)
		n++;
	return n;
}

/*
 * Returns the array by which programs of that type and purpose call the handlers: these
 * are loaded again for each. < 0: -errno.
 */
static int handlers_for(const struct bpfpoint_form *f)
{
	unsigned n = bpfpoint_kinds();
	int program, map;

	for (unsigned i = 0; i < n; i++)
		if (is_same_kind(&points.kinds[i].of, &f->kind))
			return points.kinds[i].map;
	program = bpfload_handlers(&f->kind);
	if (program < 0 || n == KINDS)
		return -EACCES;
	map = bpfload_array_of(BPF_MAP_TYPE_PROG_ARRAY, program);
	if (map < 0)
		return map;
	close(program);
	points.kinds[n] = (struct kind){ f->kind, map };
	return map;
}

int bpfpoint_program(const struct bpfcode *c, const struct bpfpoint_form *f, const char *name)
{
	char log[4096] = "";
	union bpf_attr attr = { .prog_type = f->kind.type,
				.expected_attach_type = f->kind.attach_type,
				.attach_btf_id = f->kind.target.function,
				.attach_btf_obj_fd = (uint32_t)f->kind.target.types,
				.insns = (uintptr_t)c->in,
				.insn_cnt = c->n,
				.license = (uintptr_t) "GPL",
				.prog_name = "stap_point" };
	int ret;

	if (c->n > BPFCODE_MOST)
		return -E2BIG;
	ret = (int)bpfload_call(BPF_PROG_LOAD, &attr);
	if (ret >= 0)
		return ret;
	ret = -errno;
	if (f->kind.is_quiet)
		return ret;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	bpfload_call(BPF_PROG_LOAD, &attr);
	stp_setup_error("%s: the kernel does not run its program: %s (%.150s)", name,
			strerror(-ret), log);
	return ret;
}

static int load_program_of(const struct stp_probe *p, enum bpf_hit hit,
			   const struct bpfpoint_form *f)
{
	struct bpfcode c = { .n = 0 };
	int handlers, program = -1;

	if (hit == BPF_HIT_EVENT && bpfload_has_room()) {
		write_program(&c, p, hit, 0, f);
		if (c.n <= BPFCODE_MOST)
			program = bpfload_joined(&f->kind, c.in, c.n);
		c.n = 0;
	}
	if (program >= 0)
		return program;
	handlers = handlers_for(f);
	if (handlers < 0)
		return handlers;
	write_program(&c, p, hit, handlers, f);
	return bpfpoint_program(&c, f, p->pp);
}

int bpfpoint_load(struct bpfpoint *b, const struct stp_probe *p, const struct bpfpoint_form *form)
{
	int program = bpftypes_read();

	if (!program)
		program = load_program_of(p, BPF_HIT_EVENT, form);
	if (program < 0)
		return program;
	*b = (struct bpfpoint){ program, 0, 0 };
	if (!points.n++)
		bpfload_fill_spares();
	return 0;
}

static uint64_t missed_so_far(const struct bpfpoint *b)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)b->program,
					  .info_len = sizeof(info),
					  .info = (uintptr_t)&info } };

	return bpfload_call(BPF_OBJ_GET_INFO_BY_FD, &attr) ? 0 : info.recursion_misses;
}

uint64_t bpfpoint_missed(const struct stp_probe *p, void *state)
{
	const struct bpfpoint *b = state;

	return b->program > 0 ? missed_so_far(b) : b->missed;
}

void bpfpoint_detach(struct bpfpoint *b)
{
	if (b->link > 0)
		close(b->link);
	b->link = 0;
}

/* The kernel waits for an RCU grace period. */
void bpfpoint_wait(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		usleep(20000);
	for (unsigned ms = 0; READ_ONCE(bpf_shared.lock) && ms < 1000; ms++)
		usleep(1000);
}

void bpfpoint_unload(struct bpfpoint *b)
{
	if (b->program <= 0)
		return;
	b->missed = missed_so_far(b);
	close(b->program);
	b->program = 0;
	points.n--;
}

bool bpfpoint_any(void)
{
	return points.n > 0;
}

/* ---- returns that save values ---- */

#define CALLS_LEAST 256 /* a power of two */

struct bpf_calls *bpfpoint_calls(uint32_t maxactive, uint32_t nsaved)
{
	uint64_t n = CALLS_LEAST, size = sizeof(struct bpf_call) + 8 * (uint64_t)nsaved;
	struct bpf_calls *ret;

	while (n < maxactive)
		n *= 2;
	ret = port_alloc(sizeof(*ret) + n * size);
	if (ret)
		*ret = (struct bpf_calls){ .count = n, .size = size };
	return ret;
}

/* ---- timers ---- */

/*
 * Returns the program of a timer's hits. They run like those of a raw tracepoint: without
 * pauses.
 */
static int timer_program(const struct stp_probe *p)
{
	const struct bpfpoint_form form = { .kind.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					    .only = BPF_ALL_TASKS };
	int *program;

	if (!points.timers)
		points.timers = calloc(stp_script.nprobes, sizeof(*points.timers));
	program = points.timers ? &points.timers[p->index] : NULL;
	if (program && !*program)
		*program = load_program_of(p, BPF_HIT_TIMER, &form);
	return program ? *program : -ENOMEM;
}

static bool is_of_process(const struct stp_probe *p)
{
	return p->family == &stp_family_lifecycle || p->family == &stp_family_timer;
}

bool bpfpoint_prepare_timer(const struct stp_probe *p)
{
	uint32_t i = 0;

	while (i < stp_script.nprobes && is_of_process(&stp_script.probes[i]))
		i++;
	return i == stp_script.nprobes || timer_program(p) > 0;
}

bool bpfpoint_timer(const struct stp_probe *p)
{
	int program = bpfpoint_any() ? timer_program(p) : 0;
	union bpf_attr attr = { .test = { .prog_fd = (uint32_t)program } };

	if (program <= 0)
		return false;
	if (bpfload_call(BPF_PROG_TEST_RUN, &attr))
		stp_session_fail();
	return true;
}

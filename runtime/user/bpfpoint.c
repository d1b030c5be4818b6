/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "bpf/calls.h"
#include "arch_bpf.h"
#include "core/port.h"
#include "core/state.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpftypes.h"

#define KINDS	  8 /* of programs */
#define CODE_MOST 160
/*
 * Defined here because the headers of some distributions are too old: ends a loop that
 * takes too long.
 */
#define MAY_GOTO 0xe0

/* Helpers of the kernel, by their numbers. */
enum { CLOCK = 5, CPU = 8, TAIL_CALL = 12 };

/* Programs of a type and purpose call the handlers through a separate array. */
struct kind {
	unsigned type, attach_type;
	int map; /* 0: there is none */
};

static struct {
	struct kind kinds[KINDS];
	int *timers; /* programs, by the probe's number */
	unsigned n;  /* points */
} points;

/* ---- writing a program ---- */

struct code {
	struct bpf_insn in[CODE_MOST];
	unsigned n;
};

#define INSN(code_, dst, src, off_, imm_)                                                          \
	((struct bpf_insn){ .code = (code_),                                                       \
			    .dst_reg = (dst)&15,                                                   \
			    .src_reg = (src)&15,                                                   \
			    .off = (int16_t)(off_),                                                \
			    .imm = (int32_t)(imm_) })
#define MOVE(dst, src)	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, n)	      INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n)
#define TO_ARENA(reg)	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg, 1, 1)
#define CALL(helper)	      INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define LOAD(d, s, off)	      INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, off, 0)
#define STORE(d, off, s)      INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, off, 0)
#define JUMP(op, d, s)	      INSN(BPF_JMP | (op) | BPF_X, d, s, 0, 0)
#define JUMP_K(op, d, n)      INSN(BPF_JMP | (op) | BPF_K, d, 0, 0, n)
#define ATOMIC(d, off, s, op) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, off, op)
#define EXIT		      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define SHARED(member)	      offsetof(struct bpf_shared, member)

static unsigned code_put(struct code *c, struct bpf_insn i)
{
	c->in[c->n] = i;
	return c->n++;
}

static void code_number(struct code *c, int reg, uint64_t n, int source)
{
	code_put(c, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, source, 0, (uint32_t)n));
	code_put(c, INSN(0, 0, 0, 0, n >> 32));
}

/* Makes the jump lead here. */
static void land(struct code *c, unsigned jump)
{
	c->in[jump].off = (int16_t)(c->n - jump - 1);
}

/*
 * Counts a hit that does not run, and ends. For an entry, it is known only at the return
 * whether the call becomes a hit: eventhit.c.
 */
static void code_skip(struct code *c, const struct stp_probe *p, const struct bpfpoint_form *f,
		      enum stp_skip_reason reason)
{
	uint64_t *count = f->part == BPF_PART_ENTRY
				  ? &f->calls->skipped
				  : &stp_runtime.cpus[0]->books[p->index].skipped[reason];

	code_number(c, 1, (uintptr_t)count, 0);
	code_put(c, TO_ARENA(1));
	code_put(c, SET(2, 1));
	code_put(c, ATOMIC(1, 0, 2, BPF_ADD));
	code_put(c, SET(0, 0));
	code_put(c, EXIT);
}

/*
 * How long a hit waits for another: as long as one of a module waits for a global. The
 * task of a breakpoint may wait longer: the hit that it waits for is another task's,
 * which may not be running just now.
 */
static uint64_t patience_ns(const struct bpfpoint_form *f)
{
	uint64_t ns = (uint64_t)stp_script.limits.trylock * stp_script.limits.trylock_delay * 1000;

	return f->can_wait ? ns * 100 : ns;
}

/*
 * Takes the lock for this CPU: register 7 is its number and 1, register 8 the address of
 * bpf_shared. Ends if the lock is not available.
 */
static void code_lock(struct code *c, const struct stp_probe *p, const struct bpfpoint_form *f)
{
	unsigned again, free, same = 0, last, late;

	code_put(c, CALL(CPU));
	code_put(c, MOVE(7, 0));
	code_put(c, INSN(BPF_ALU64 | BPF_ADD | BPF_K, 7, 0, 0, 1));
	code_number(c, 8, (uintptr_t)&bpf_shared, 0);
	code_put(c, TO_ARENA(8));
	code_put(c, SET(9, 0)); /* when to give up: not known yet */
	again = c->n;
	code_put(c, SET(0, 0));
	code_put(c, ATOMIC(8, SHARED(lock), 7, BPF_CMPXCHG));
	free = code_put(c, JUMP_K(BPF_JEQ, 0, 0));
	if (!f->can_wait)
		same = code_put(c, JUMP(BPF_JEQ, 0, 7));
	code_put(c, CALL(CLOCK));
	late = code_put(c, JUMP_K(BPF_JNE, 9, 0));
	code_put(c, MOVE(9, 0));
	code_number(c, 1, patience_ns(f), 0);
	code_put(c, INSN(BPF_ALU64 | BPF_ADD | BPF_X, 9, 1, 0, 0));
	land(c, late);
	late = code_put(c, JUMP(BPF_JGT, 0, 9));
	last = code_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	code_put(c, INSN(BPF_JMP | BPF_JA, 0, 0, (int)again - (int)c->n - 1, 0));
	land(c, late);
	land(c, last);
	code_skip(c, p, f, STP_SKIP_LOCK);
	if (same) {
		land(c, same);
		code_skip(c, p, f, STP_SKIP_REENTRANT);
	}
	land(c, free);
}

/* Copies words of the context, in register 6, to the arguments from that number on. */
static void code_words(struct code *c, const struct bpfpoint_word *words, unsigned n, unsigned to)
{
	for (unsigned i = 0; i < n; i++) {
		int unused = 64 - 8 * words[i].size;

		code_put(c, LOAD(0, 6, words[i].at));
		if (unused) {
			code_put(c, INSN(BPF_ALU64 | BPF_LSH | BPF_K, 0, 0, 0, unused));
			code_put(c,
				 INSN(BPF_ALU64 | (words[i].is_signed ? BPF_ARSH : BPF_RSH) | BPF_K,
				      0, 0, 0, unused));
		}
		code_put(c, STORE(8, SHARED(args) + 8 * (to + i), 0));
	}
}

static void code_registers(struct code *c)
{
	struct bpfpoint_word word = { .size = 8 };

	for (; word.at < sizeof(struct pt_regs); word.at += 8)
		code_words(c, &word, 1, word.at / 8);
}

static void set_shared(struct code *c, int offset, uint64_t value)
{
	code_number(c, 1, value, 0);
	code_put(c, STORE(8, offset, 1));
}

static void fill_shared_words(struct code *c, const struct stp_probe *p, enum bpf_hit hit,
			      const struct bpfpoint_form *f)
{
	set_shared(c, SHARED(probe), (uintptr_t)p);
	set_shared(c, SHARED(is_slow), 0);
	set_shared(c, SHARED(hit), hit);
	set_shared(c, SHARED(part), f->part);
	set_shared(c, SHARED(only), f->only);
	set_shared(c, SHARED(regs), f->has_regs);
	set_shared(c, SHARED(calls), (uintptr_t)f->calls);
	if (f->has_regs)
		code_registers(c);
	else
		code_words(c, f->words, f->nwords, 0);
}

static void write_program(struct code *c, const struct stp_probe *p, enum bpf_hit hit, int handlers,
			  const struct bpfpoint_form *f)
{
	unsigned stuck;

	code_put(c, MOVE(6, 1));
	code_number(c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	code_lock(c, p, f);
	code_put(c, INSN(BPF_LDX | BPF_MEM | BPF_W, 0, 8, SHARED(stuck), 0));
	stuck = code_put(c, JUMP_K(BPF_JNE, 0, 0));
	fill_shared_words(c, p, hit, f);
	code_put(c, MOVE(1, 6));
	code_number(c, 2, (uint32_t)handlers, BPF_PSEUDO_MAP_FD);
	code_put(c, SET(3, 0));
	code_put(c, CALL(TAIL_CALL));
	land(c, stuck);
	code_put(c, SET(1, 0));
	code_put(c, ATOMIC(8, SHARED(lock), 1, BPF_XCHG));
	code_skip(c, p, f, STP_SKIP_STOPPING);
}

/* ---- loading ---- */

/*
 * Returns the array by which programs of that type and purpose call the handlers: these
 * are loaded again for each. < 0: -errno.
 */
static int handlers_for(const struct bpfpoint_form *f)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_PROG_ARRAY,
				.key_size = 4,
				.value_size = 4,
				.max_entries = 1 };
	uint32_t key = 0, program;
	unsigned n = 0;
	int map;

	for (; n < KINDS && points.kinds[n].map; n++)
		if (points.kinds[n].type == f->type &&
		    points.kinds[n].attach_type == f->attach_type)
			return points.kinds[n].map;
	program = (uint32_t)bpfload_handlers(f->type, f->attach_type);
	if ((int)program < 0 || n == KINDS)
		return -EACCES;
	map = (int)bpfload_call(BPF_MAP_CREATE, &attr);
	attr = (union bpf_attr){ .map_fd = (uint32_t)map,
				 .key = (uintptr_t)&key,
				 .value = (uintptr_t)&program };
	if (map < 0 || bpfload_call(BPF_MAP_UPDATE_ELEM, &attr))
		return -errno;
	close((int)program);
	points.kinds[n] = (struct kind){ f->type, f->attach_type, map };
	return map;
}

static int load_program_of(const struct stp_probe *p, enum bpf_hit hit,
			   const struct bpfpoint_form *f)
{
	struct code c = { .n = 0 };
	char log[4096] = "";
	union bpf_attr attr = { .prog_type = f->type,
				.expected_attach_type = f->attach_type,
				.license = (uintptr_t) "GPL" };
	int handlers = handlers_for(f), ret;

	if (handlers < 0)
		return handlers;
	write_program(&c, p, hit, handlers, f);
	attr.insns = (uintptr_t)c.in;
	attr.insn_cnt = c.n;
	snprintf(attr.prog_name, sizeof(attr.prog_name), "stap_%u", p->index);
	ret = (int)bpfload_call(BPF_PROG_LOAD, &attr);
	if (ret >= 0)
		return ret;
	ret = -errno;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	bpfload_call(BPF_PROG_LOAD, &attr);
	stp_setup_error("%s: the kernel does not run its program: %s (%.150s)", p->pp,
			strerror(-ret), log);
	return ret;
}

int bpfpoint_load(struct bpfpoint *b, const struct stp_probe *p, const struct bpfpoint_form *form)
{
	int program = load_program_of(p, BPF_HIT_EVENT, form);

	if (program < 0)
		return program;
	*b = (struct bpfpoint){ program, 0, 0 };
	if (!points.n++)
		bpftypes_read();
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

/* ---- timers ---- */

/*
 * Returns the program of a timer's hits. They run like those of a raw tracepoint: without
 * pauses.
 */
static int timer_program(const struct stp_probe *p)
{
	const struct bpfpoint_form form = { .type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					    .only = BPF_ALL_TASKS };
	int *program;

	if (!points.timers)
		points.timers = calloc(stp_script.nprobes, sizeof(*points.timers));
	program = points.timers ? &points.timers[p->index] : NULL;
	if (program && !*program)
		*program = load_program_of(p, BPF_HIT_TIMER, &form);
	return program ? *program : -ENOMEM;
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

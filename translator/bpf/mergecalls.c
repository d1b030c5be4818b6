/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merged functions are parts of one function for the kernel. They save values across
 * their calls in frames in the arena: so they may call each other, and themselves, to any
 * depth. A frame, from its lowest word on:
 *
 *   0     number of the call site to return to
 *   8     registers 6 to 9, while another merged function runs
 *   40    the function's own variables, to the end: arenaframe.c
 *
 * As all of this is in the arena, a program can stop in a loop, or where it waits for the
 * process, and be run again to continue from there (struct bpf_resume has the rest of its
 * state).
 */
#include "arch/arch.h"
#include "base/session.h"
#include "bpf/link.h"
#include "lib/error.h"
#include "runtime/bpf/arena.h"
#include "runtime/uapi/bpfimage.h"

#define NATIVE_MOST 7 /* frames of the kernel, of 8, that remain below the entry */
#define SAVES	    32
#define LABEL	    8

/*
 * A place where a program may pause, and from which it continues. There are more of them
 * than pauses need: at the beginnings of functions, and at their return points. The
 * verifier follows the paths from each station, with unknown values in registers, and
 * ends a path at a station that it has followed already. So it examines each function
 * once, however often it is called. The last stations come first, because they depend on
 * few others: stations are numbered from the last one, which has number 1.
 */
struct station {
	long pause, resume; /* labels: save registers; registers are restored. -1: no pause */
	uint16_t live;
};

struct merging {
	struct linking *l;
	instructions out;
	VEC(long) labels; /* places */
	VEC(struct station) stations;
	long resume, too_deep, done; /* labels */
	long save[10], save_all;     /* labels: by the register that is free */
	bool may_be_deep, has_cyclic;
};

/* ---- the functions to merge ---- */

static bool reaches(struct function *from, const struct function *to, unsigned mark)
{
	vec_each(&from->callees, i) {
		struct function *f = from->callees.data[i];

		if (f == to)
			return true;
		if (f->mark == mark)
			continue;
		f->mark = mark;
		if (reaches(f, to, mark))
			return true;
	}
	return false;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/*
 * True: it may take long and must be able to pause, or it waits. These are the script's
 * functions, and those that iterate over arrays. Or it needs the program's context.
 */
static bool pauses(const struct function *f)
{
	static const char *const names[] = { "handler_",      "f_",    "stp_iter_", "sort_",
					     "best_",	      "iter_", "map_clear", "stp_map_clear",
					     "stp_map_delete" };
	bool loops = false;

	for (size_t i = 0; i < f->code.count; i++) {
		if (f->code.data[i].is_wait || f->code.data[i].is_stack)
			return true;
		loops |= f->code.data[i].i.code == OP_MAY_GOTO;
	}
	for (size_t i = 0; loops && i < sizeof(names) / sizeof(names[0]); i++)
		if (begins(f->name, names[i]))
			return true;
	return false;
}

static unsigned depth_of(struct function *f)
{
	if (f->depth)
		return f->depth;
	f->depth = 1;
	vec_each(&f->callees, i) {
		struct function *callee = f->callees.data[i];

		if (callee->is_cyclic || depth_of(callee) >= NATIVE_MOST || callee->merged)
			f->merged = true;
		if (callee->depth >= f->depth)
			f->depth = callee->depth + 1;
	}
	f->merged |= f->depth > NATIVE_MOST || pauses(f);
	return f->depth;
}

void mergecalls_choose(struct linking *l)
{
	vec_each(&l->order, i) {
		struct function *f = l->order.data[i];

		f->is_cyclic = f->merged = reaches(f, f, ++l->marks);
	}
	vec_each(&l->order, i)
		if (l->order.data[i]->is_cyclic)
			l->order.data[i]->depth = NATIVE_MOST;
	vec_each(&l->order, i)
		depth_of(l->order.data[i]);
	l->order.data[0]->merged = true;
}

/* ---- labels ---- */

static long new_label(struct merging *m)
{
	vec_push(m->l->s->arena, &m->labels, -1);
	return (long)m->labels.count - 1;
}

static void place(struct merging *m, long label)
{
	m->labels.data[label] = (long)m->out.count;
}

static void add(struct merging *m, struct bpf_insn i)
{
	code_add(m->l, &m->out, i);
}

static void jump(struct merging *m, struct bpf_insn i, long label)
{
	code_add_jump(m->l, &m->out, i, label);
}

/* ---- pauses ---- */

/* Adds a station here. If `pauses`, returns the label of the code that pauses. */
static long add_station(struct merging *m, uint16_t live, bool pauses)
{
	struct station p = { pauses ? new_label(m) : -1, new_label(m), live };

	vec_push(m->l->s->arena, &m->stations, p);
	return p.pause;
}

static void place_station(struct merging *m)
{
	place(m, m->stations.data[m->stations.count - 1].resume);
}

/*
 * Gives 0 to registers whose values do not matter. The verifier of Linux 6.12 compares
 * them all the same while it follows a loop, and would follow it again for each value.
 */
static void clear(struct merging *m, uint16_t live)
{
	for (int n = 0; n < 10; n++)
		if (!(live >> n & 1))
			add(m, INSN(BPF_ALU | BPF_MOV | BPF_K, n, 0, 0, 0));
}

/* Adds a pause point: in a loop, or in a function that is called from several places. */
static void add_pause_point(struct merging *m, uint16_t live)
{
	long pause = add_station(m, live, true);

	clear(m, live);
	jump(m, INSN(OP_MAY_GOTO, 0, 0, 0, 0), pause);
	place_station(m);
}

#define REGISTER_AT(n) (int)(offsetof(struct bpf_resume, registers) + 8 * (size_t)(n))

/* Returns a register whose value does not matter at a station; else 9. */
static int free_at(const struct station *p)
{
	int n = 0;

	while (n < 9 && (p->live >> n & 1))
		n++;
	return n;
}

/* The rest is the same for all stations where a register is free: write_save(). */
static void write_pause(struct merging *m, const struct station *p, int number)
{
	int base = free_at(p);

	place(m, p->pause);
	if (p->live >> base & 1)
		add(m, STORE(10, SAVED_AT, base));
	code_add_address(m->l, &m->out, base, BPF_RESUME_AT);
	add(m, TO_ARENA(base));
	add(m, STORE_K(base, offsetof(struct bpf_resume, place), number));
	jump(m, GOTO, p->live >> base & 1 ? m->save_all : m->save[base]);
}

/* Saves all registers but the base, which has the address of struct bpf_resume. */
static void write_save(struct merging *m, int base)
{
	for (int n = 0; n < 10; n++)
		if (n != base)
			add(m, STORE(base, REGISTER_AT(n), n));
}

static void write_saves(struct merging *m, uint16_t bases, bool has_full)
{
	long saved = new_label(m);

	for (int n = 0; n < 10; n++)
		if (bases >> n & 1) {
			place(m, m->save[n]);
			write_save(m, n);
			add(m, MOVE(9, n));
			jump(m, GOTO, saved);
		}
	if (has_full) {
		place(m, m->save_all);
		write_save(m, 9);
		add(m, LOAD(8, 10, SAVED_AT));
		add(m, STORE(9, REGISTER_AT(9), 8));
	}
	place(m, saved);
	if (m->has_cyclic) {
		add(m, LOAD(8, 10, FRAME_END_AT));
		add(m, TO_NUMBER(8));
		add(m, STORE(9, offsetof(struct bpf_resume, frame), 8));
	}
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, BPF_AGAIN));
	jump(m, GOTO, m->done);
}

static void write_pauses(struct merging *m)
{
	uint16_t bases = 0;
	bool has_full = false;

	vec_each(&m->stations, i) {
		const struct station *p = &m->stations.data[i];

		if (p->pause < 0)
			continue;
		write_pause(m, p, (int)(m->stations.count - i));
		if (p->live >> free_at(p) & 1)
			has_full = true;
		else
			bases |= (uint16_t)(1u << free_at(p));
	}
	if (bases || has_full)
		write_saves(m, bases, has_full);
}

/*
 * Goes to labels[n], where `reg` is n: a tree of comparisons. The verifier follows the
 * first label first. It allows 8192 branches that it has still to follow, and here only
 * those from the root to a leaf are such.
 */
static void write_switch(struct merging *m, int reg, const long *labels, size_t from, size_t to)
{
	size_t middle = (from + to) / 2;
	long upper;

	if (to - from == 1) {
		jump(m, GOTO, labels[from]);
		return;
	}
	upper = to - middle == 1 ? labels[middle] : new_label(m);
	jump(m, INSN(BPF_JMP | BPF_JGE | BPF_K, reg, 0, 0, middle), upper);
	write_switch(m, reg, labels, from, middle);
	if (to - middle > 1) {
		place(m, upper);
		write_switch(m, reg, labels, middle, to);
	}
}

/* Restores register 0, which had the number of the place. */
static void write_restore(struct merging *m, const struct station *s, long label)
{
	place(m, label);
	code_add_address(m->l, &m->out, 0, BPF_RESUME_AT + (uint64_t)REGISTER_AT(0));
	add(m, TO_ARENA(0));
	add(m, LOAD(0, 0, 0));
	jump(m, GOTO, s->resume);
}

/*
 * Continues at the place in register 0; register 9 is the address of struct bpf_resume.
 * Other paths that the verifier follows end at the same place: all registers have values
 * there that it does not know.
 */
static void write_resume(struct merging *m)
{
	size_t n = m->stations.count;
	long *labels = arena_alloc(m->l->s->arena, (n + 1) * sizeof(*labels));

	if (m->has_cyclic) {
		add(m, LOAD(0, 9, offsetof(struct bpf_resume, frame)));
		add(m, TO_ARENA(0));
		add(m, STORE(10, FRAME_END_AT, 0));
	}
	add(m, LOAD(0, 9, offsetof(struct bpf_resume, place)));
	add(m, STORE_K(9, offsetof(struct bpf_resume, place), 0));
	for (int reg = 1; reg <= 9; reg++)
		add(m, LOAD(reg, 9, REGISTER_AT(reg)));
	for (size_t i = 0; i < n; i++) {
		const struct station *s = &m->stations.data[i];

		labels[n - i] = s->live & 1 ? new_label(m) : s->resume;
	}
	write_switch(m, 0, labels, 1, n + 1);
	for (size_t i = 0; i < n; i++)
		if (m->stations.data[i].live & 1)
			write_restore(m, &m->stations.data[i], labels[n - i]);
}

/* ---- functions ---- */

int mergecalls_bytes(const struct function *f)
{
	return LABEL + SAVES + f->frame;
}

static int save_at(const struct function *f, int reg)
{
	return -f->frame - SAVES + 8 * (reg - 6);
}

/* Turns values that the verifier knows as addresses into numbers. */
static void add_numbers(struct merging *m, uint16_t registers)
{
	for (int n = 0; n < 10; n++)
		if (registers >> n & 1)
			add(m, TO_NUMBER(n));
}

/* Loads the address of the number of the call site that a called function returns to. */
static void add_label_address(struct merging *m, const struct function *callee, int reg)
{
	if (callee->is_cyclic) {
		add(m, LOAD(reg, 10, FRAME_END_AT));
		return;
	}
	code_add_address(m->l, &m->out, reg, callee->ends - (uint64_t)mergecalls_bytes(callee));
	add(m, TO_ARENA(reg));
}

/*
 * Stores the number of the call site. Register 0 has the end of the frame of `held`, if
 * that is not NULL.
 */
static void add_label(struct merging *m, const struct function *callee, size_t site,
		      const struct function *held)
{
	long off = 0;

	if (held && !held->is_cyclic && !callee->is_cyclic)
		off = (long)callee->ends - mergecalls_bytes(callee) - (long)held->ends;
	if (!held || held->is_cyclic != callee->is_cyclic || off < INT16_MIN || off > INT16_MAX) {
		add_label_address(m, callee, 0);
		off = 0;
	}
	add(m, STORE_K(0, off, site));
}

static void write_call(struct merging *m, struct function *f, const struct instruction *in,
		       const struct saved *saved, uint16_t cast)
{
	struct function *callee = in->callee;
	size_t site = callee->sites_made++;
	int last = 0;

	if (saved->stored)
		arenaframe_add_end(m->l, &m->out, f, 0);
	for (int n = 6; n <= 9; n++)
		if (saved->stored >> n & 1)
			add(m, STORE(0, save_at(f, n), n));
	if (callee->sites.count > 1)
		add_label(m, callee, site, saved->stored ? f : NULL);
	add_numbers(m, cast & code_arguments(callee));
	jump(m, GOTO, callee->entry);
	place(m, callee->sites.data[site].label);
	add_station(m, saved->needed & 1, false);
	place_station(m);
	for (int n = 6; n <= 9; n++)
		if (saved->needed >> n & 1)
			last = n;
	if (last)
		arenaframe_add_end(m->l, &m->out, f, last);
	for (int n = 6; n <= last; n++)
		if (saved->needed >> n & 1)
			add(m, LOAD(n, last, save_at(f, n)));
}

static void write_enter(struct merging *m, struct function *f)
{
	uint16_t arguments = code_arguments(f);

	place(m, f->entry);
	if (f->sites.count > 1) {
		add_pause_point(m, arguments);
	} else {
		add_station(m, arguments, false);
		place_station(m);
	}
	if (!f->is_cyclic)
		return;
	m->may_be_deep = true;
	add(m, LOAD(0, 10, FRAME_END_AT));
	add(m, ADD(0, mergecalls_bytes(f)));
	add(m, STORE(10, FRAME_END_AT, 0));
	add(m, TO_NUMBER(0));
	jump(m, INSN(BPF_JMP | BPF_JGT | BPF_K, 0, 0, 0, BPF_STACK_END - 4096), m->too_deep);
}

#define SHARED(member) (int)offsetof(struct bpf_shared, member)

/*
 * Gives the lock back, and ends the program; register 6 is the address of bpf_shared,
 * register 0 is 0.
 */
static void write_unlock(struct merging *m)
{
	const struct arch *arch = arch_of_machine((uint16_t)m->l->machine);

	if (arch && arch->machine->orders_stores) {
		add(m, STORE_K(6, SHARED(lock), 0));
	} else {
		add(m, INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 6, 0, SHARED(lock), BPF_XCHG));
		add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	}
	add(m, EXIT);
}

/* The end of the entry: nearly always that of an event's hit which wakes nobody. */
static void write_return(struct merging *m)
{
	code_add_address(m->l, &m->out, 6, m->l->shared);
	add(m, TO_ARENA(6));
	add(m, INSN(BPF_LDX | BPF_MEM | BPF_H, 1, 6, SHARED(hit), 0)); /* and `wake` */
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	jump(m, INSN(BPF_JMP | BPF_JNE | BPF_K, 1, 0, 0, BPF_HIT_EVENT), m->done);
	write_unlock(m);
}

static void write_leave(struct merging *m, struct function *f)
{
	long *labels = arena_alloc(m->l->s->arena, (f->sites.count + 1) * sizeof(*labels));

	place(m, f->leave);
	if (!f->sites.count) {
		write_return(m);
		return;
	}
	vec_each(&f->sites, i)
		labels[i] = f->sites.data[i].label;
	loops_add_unknown(m->l, &m->out, 1, 1);
	if (f->is_cyclic || f->sites.count > 5) /* one return may lead to the next */
		add_pause_point(m, 1);
	else if (f->sites.count > 1)
		clear(m, 1);
	if (f->is_cyclic) {
		add(m, LOAD(1, 10, FRAME_END_AT));
		add(m, ADD(1, -mergecalls_bytes(f)));
		add(m, STORE(10, FRAME_END_AT, 1));
	}
	if (f->sites.count > 1) {
		add_label_address(m, f, 1);
		add(m, LOAD(1, 1, 0));
	}
	write_switch(m, 1, labels, 0, f->sites.count);
}

/* Adds a move of a map to a register: the loader fills in its descriptor. */
static void add_map(struct merging *m, int reg, enum bpfimage_map map, int pseudo)
{
	add(m, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, pseudo, 0, map));
	add(m, INSN(0, 0, 0, 0, 0));
}

/* The kernel writes the addresses of its stack to a map. */
static void write_stack(struct merging *m)
{
	add(m, LOAD(1, 10, CONTEXT_AT));
	add_map(m, 2, BPFIMAGE_STACK, BPF_PSEUDO_MAP_VALUE);
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 8 * BPFIMAGE_STACK_WORDS));
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0));
	add(m, INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPFIMAGE_GET_STACK));
}

static void write_instruction(struct merging *m, struct function *f, const struct instruction *in,
			      const struct saved *saved, uint16_t cast, const long *labels)
{
	uint16_t live = saved->needed;

	if (code_is_exit(&in->i)) {
		jump(m, GOTO, f->leave);
	} else if (in->i.code == OP_MAY_GOTO) {
		/*
		 * Registers must be the same on all paths that the verifier follows from
		 * here.
		 */
		add_numbers(m, live & cast);
		add_pause_point(m, live);
	} else if (in->is_wait) {
		add_numbers(m, live & cast);
		clear(m, live);
		jump(m, GOTO, add_station(m, live, true));
		place_station(m);
	} else if (in->is_stack) {
		write_stack(m);
	} else if (in->callee && in->callee->merged) {
		write_call(m, f, in, saved, cast);
	} else {
		vec_push(m->l->s->arena, &m->out, *in);
		if (in->target >= 0)
			m->out.data[m->out.count - 1].target = labels[in->target];
	}
}

static void write_function(struct merging *m, struct function *f)
{
	size_t n = f->code.count;
	bool *is_target = code_targets(m->l, &f->code);
	long *labels = arena_alloc(m->l->s->arena, (n + 1) * sizeof(*labels));
	struct saved *saved = savedregs_find(m->l, f);
	uint16_t *cast = arenaframe_casts(m->l, f);

	for (size_t i = 0; i <= n; i++)
		labels[i] = is_target[i] ? new_label(m) : -1;
	write_enter(m, f);
	for (size_t i = 0; i < n; i++) {
		if (is_target[i])
			place(m, labels[i]);
		write_instruction(m, f, &f->code.data[i], &saved[i], cast[i], labels);
	}
	if (is_target[n])
		place(m, labels[n]);
	write_leave(m, f);
}

/* ---- the merged function ---- */

/* Begins with the arena, which it must name, and with the point that is hit. */
static void write_entry(struct merging *m, struct function *first)
{
	long fresh = new_label(m);
	size_t begin;

	if (m->l->uses & BPFIMAGE_USES_STACK)
		add(m, STORE(10, CONTEXT_AT, 1));
	add_map(m, 1, BPFIMAGE_ARENA, BPF_PSEUDO_MAP_FD);
	code_add_address(m->l, &m->out, 6, m->l->shared);
	add(m, TO_ARENA(6));
	add(m, LOAD(1, 6, SHARED(probe)));
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 0));
	code_add_address(m->l, &m->out, 9, BPF_RESUME_AT);
	add(m, TO_ARENA(9));
	add(m, LOAD(0, 9, offsetof(struct bpf_resume, place)));
	jump(m, INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0), fresh);
	jump(m, GOTO, m->resume);
	place(m, fresh);
	begin = m->out.count;
	if (m->has_cyclic) {
		code_add_hidden(m->l, &m->out,
				&INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, BPF_STACK_AT));
		add(m, TO_ARENA(0));
		add(m, STORE(10, FRAME_END_AT, 0));
	}
	jump(m, GOTO, first->entry);
	m->out.data[begin].is_begin = true;
}

static void write_too_deep(struct merging *m)
{
	if (!m->may_be_deep)
		return;
	place(m, m->too_deep);
	code_add_address(m->l, &m->out, 1, m->l->shared + offsetof(struct bpf_shared, stuck));
	add(m, TO_ARENA(1));
	add(m, INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, 0, BPF_STUCK_DEEP));
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	jump(m, GOTO, m->done);
}

#define RINGBUF_OUTPUT 130 /* a helper of the kernel: (map, data, size, flags) */
#define FORCE_WAKEUP   2

/* Wakes the process if the hit has requested it. */
static void write_wake(struct merging *m, long after)
{
	add(m, LOAD_B(1, 6, SHARED(wake)));
	jump(m, INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0, 0), after);
	add(m, INSN(BPF_ST | BPF_MEM | BPF_B, 6, 0, SHARED(wake), 0));
	add(m, STORE(10, FRAME_END_AT, 1));
	add_map(m, 1, BPFIMAGE_WAKER, BPF_PSEUDO_MAP_FD);
	add(m, MOVE(2, 10));
	add(m, ADD(2, FRAME_END_AT));
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 8));
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, FORCE_WAKEUP));
	add(m, INSN(BPF_JMP | BPF_CALL, 0, 0, 0, RINGBUF_OUTPUT));
}

/*
 * Ends the program, with r0. A hit of a point in the kernel releases the lock; it cannot
 * have paused, because nobody would run it again.
 */
static void write_done(struct merging *m)
{
	long out = new_label(m), ended = new_label(m), woken = new_label(m);

	place(m, m->done);
	code_add_address(m->l, &m->out, 6, m->l->shared);
	add(m, TO_ARENA(6));
	add(m, LOAD_B(1, 6, SHARED(hit)));
	jump(m, INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0, BPF_HIT_NONE), out);
	jump(m, INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0), ended);
	add(m, INSN(BPF_ST | BPF_MEM | BPF_W, 6, 0, SHARED(stuck), BPF_STUCK_LOOP));
	code_add_address(m->l, &m->out, 1, BPF_RESUME_AT);
	add(m, TO_ARENA(1));
	add(m, STORE_K(1, offsetof(struct bpf_resume, place), 0));
	add(m, INSN(BPF_ST | BPF_MEM | BPF_B, 6, 0, SHARED(wake), 1));
	place(m, ended);
	write_wake(m, woken);
	place(m, woken);
	add(m, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	write_unlock(m);
	place(m, out);
	add(m, INSN(BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, BPF_AGAIN));
	add(m, EXIT);
}

static void number_sites(struct merging *m)
{
	vec_each(&m->l->order, i) {
		struct function *f = m->l->order.data[i];

		f->entry = new_label(m);
		f->leave = new_label(m);
	}
	vec_each(&m->l->order, i) {
		struct function *f = m->l->order.data[i];

		for (size_t k = 0; f->merged && k < f->code.count; k++) {
			struct function *callee = f->code.data[k].callee;
			struct call_site site = { new_label(m) };

			if (callee && callee->merged)
				vec_push(m->l->s->arena, &callee->sites, site);
		}
	}
}

void mergecalls_merge(struct linking *l)
{
	struct merging m = { .l = l };
	struct function *first = l->order.data[0];

	m.resume = new_label(&m);
	for (int n = 0; n < 10; n++)
		m.save[n] = new_label(&m);
	m.save_all = new_label(&m);
	m.too_deep = new_label(&m);
	m.done = new_label(&m);
	vec_each(&l->order, i)
		m.has_cyclic |= l->order.data[i]->is_cyclic;
	number_sites(&m);
	write_entry(&m, first);
	vec_each(&l->order, i)
		if (l->order.data[i]->merged)
			write_function(&m, l->order.data[i]);
	place(&m, m.resume);
	write_resume(&m);
	write_pauses(&m);
	write_too_deep(&m);
	write_done(&m);
	vec_each(&m.out, i)
		if (m.out.data[i].target >= 0)
			m.out.data[i].target = m.labels.data[m.out.data[i].target];
	first->code = m.out;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls under --runtime=bpf. Two programs serve all points: at the tracepoints
 * sys_enter and sys_exit, where all calls pass. A call's number leads to its points.
 *
 * A return is a hit if its beginning was seen. In between, the task has a place in a
 * table, for the call and the values that returns save.
 */
#include <linux/bpf.h>

#include "arch_bpf.h"
#include "bpf/arena.h"
#include "bpf/calls.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpfcallpoint.h"
#include "user/bpfcode.h"
#include "user/bpfpoint.h"
#include "user/bpftypes.h"

#define PLACES_BITS 13
#define PLACES	    (1u << PLACES_BITS)

static struct {
	struct bpfpoint begins, ends;
	struct bpf_syscall (*calls)[2]; /* by number, then by ABI */
	struct bpf_syscall_point *points;
	unsigned npoints;
	uint8_t *places;
	size_t place_size;
	const struct stp_probe *first;
} entered;

/* ---- numbers ---- */

struct entry_name {
	unsigned number, abi;
	const char *name, *entry;
};

static const struct entry_name entry_names[] = {
#define NUMBER(number, function)                                                                   \
	{ number, BPF_SYSCALL_NATIVE, "sys_" #function, ARCH_BPF_ENTRY #function },
#define NUMBER_32(number, function, entry)                                                         \
	{ number, BPF_SYSCALL_32, "sys_" #function, ARCH_BPF_ENTRY_32 #entry },
#include "arch_call_numbers.def"
};
#undef NUMBER
#undef NUMBER_32

#define ENTRY_NAMES (sizeof(entry_names) / sizeof(entry_names[0]))

/* Calls that return in a new task as well, and calls that do not return. */
static bool is_cloning(const char *name)
{
	return strstr(name, "clone") || strstr(name, "fork");
}

static bool is_lasting(const char *name)
{
	return !strcmp(name, "sys_exit") || !strcmp(name, "sys_exit_group");
}

static const char *plain_name(const char *entry)
{
	const char *ret = strstr(entry, "sys_");

	return ret ? ret : entry;
}

/* Callers of all ABIs hit some points: their numbers are found without the prefix. */
static bool leads_to(const struct entry_name *n, const struct stp_probe *p)
{
	const struct stp_point_function *point = p->point;

	if (point->is_of_all)
		return !strcmp(plain_name(n->entry), plain_name(point->symbol));
	return !strcmp(n->entry, point->symbol);
}

/* Adds a point to those of a number, behind the others. */
static void point_add(const struct entry_name *n, const struct stp_probe *p, size_t *words)
{
	const struct stp_point_function *point = p->point;
	struct bpf_syscall *call = &entered.calls[n->number][n->abi];
	uint64_t *at = point->is_return ? &call->returns : &call->entries;
	struct bpf_syscall_point *added = &entered.points[entered.npoints++];

	if (point->is_return && is_lasting(n->name))
		return;
	while (*at)
		at = &((struct bpf_syscall_point *)(uintptr_t)*at)->next;
	*added = (struct bpf_syscall_point){ .probe = (uintptr_t)p,
					     .skipped = (uintptr_t)bpfpoint_skips(p),
					     .saves = p->enter != NULL,
					     .at = *words };
	*at = (uintptr_t)added;
	if (p->enter)
		*words += 1 + point->nsaved;
	call->begins |= !point->is_return || p->enter;
	call->clones = is_cloning(n->name);
	entered.calls[n->number][0].is_wanted = entered.calls[n->number][1].is_wanted = 1;
}

/* Adds all points, if there is room for them; returns how many there are. */
static unsigned points_walk(const struct stp_probe *const *probes, unsigned n)
{
	unsigned found = 0;

	for (size_t i = 0; i < ENTRY_NAMES; i++) {
		size_t words = 0, size;

		for (unsigned k = 0; k < n; k++) {
			if (!leads_to(&entry_names[i], probes[k]))
				continue;
			found++;
			if (entered.points)
				point_add(&entry_names[i], probes[k], &words);
		}
		size = sizeof(struct bpf_under_way) + words * sizeof(int64_t);
		if (size > entered.place_size)
			entered.place_size = size;
	}
	return found;
}

static int tables_make(const struct stp_probe *const *probes, unsigned n)
{
	unsigned count = points_walk(probes, n);

	entered.calls = port_alloc(BPF_SYSCALLS * sizeof(*entered.calls));
	entered.points = port_alloc((count + 1) * sizeof(*entered.points));
	if (!entered.calls || !entered.points)
		return -ENOMEM;
	points_walk(probes, n);
	entered.places = port_alloc(entered.place_size * PLACES);
	return entered.places ? 0 : -ENOMEM;
}

/* ---- the programs ---- */

#define PLACE(member)	 offsetof(struct bpf_under_way, member)
#define OF_CALL(member)	 offsetof(struct bpf_syscall, member)
#define OF_POINT(member) offsetof(struct bpf_syscall_point, member)

/*
 * Adds 1 to a counter of each point in a list, whose address is in register 1. `at` is
 * the counter's place in the point; or, with a `reason`, of the counters' address.
 */
static void code_count(struct bpfcode *c, int at, int reason)
{
	unsigned again = c->n, done, late;

	done = bpfcode_put(c, JUMP_K(BPF_JEQ, 1, 0));
	bpfcode_put(c, MOVE(2, 1));
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(1, 2, OF_POINT(next)));
	bpfcode_put(c, SET(4, 1));
	if (reason < 0) {
		bpfcode_put(c, ATOMIC(2, at, 4, BPF_ADD));
	} else {
		bpfcode_put(c, LOAD(3, 2, at));
		bpfcode_put(c, TO_ARENA(3));
		bpfcode_put(c, ATOMIC(3, 8 * reason, 4, BPF_ADD));
	}
	late = bpfcode_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	bpfcode_back(c, GOTO, again);
	bpfcode_land(c, done);
	bpfcode_land(c, late);
}

/* The current task, in register 9, has a place near a number that register 1 gets. */
static void code_hash(struct bpfcode *c)
{
	bpfcode_put(c, CALL(HELPER_TASK));
	bpfcode_put(c, MOVE(9, 0));
	bpfcode_number(c, 1, 0x9e3779b97f4a7c15u, 0);
	bpfcode_put(c, ALU(BPF_MUL, 1, 9));
	bpfcode_put(c, ALU_K(BPF_RSH, 1, 64 - PLACES_BITS));
}

/* The place with the number, and that in register 2: registers 3, and 5 to access it. */
static void code_place(struct bpfcode *c)
{
	bpfcode_put(c, MOVE(3, 1));
	bpfcode_put(c, ALU(BPF_ADD, 3, 2));
	bpfcode_put(c, ALU_K(BPF_AND, 3, PLACES - 1));
	bpfcode_put(c, ALU_K(BPF_MUL, 3, entered.place_size));
	bpfcode_number(c, 4, (uintptr_t)entered.places, 0);
	bpfcode_put(c, ALU(BPF_ADD, 3, 4));
	bpfcode_put(c, MOVE(5, 3));
	bpfcode_put(c, TO_ARENA(5));
}

/* Takes a place for the call in registers 7 and 8, or counts that there is none. */
static void code_take_place(struct bpfcode *c)
{
	unsigned again, is_free, own, none;

	code_hash(c);
	bpfcode_put(c, SET(2, 0));
	again = c->n;
	code_place(c);
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, ATOMIC(5, PLACE(task), 9, BPF_CMPXCHG));
	is_free = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	own = bpfcode_put(c, JUMP(BPF_JEQ, 0, 9));
	bpfcode_put(c, ADD(2, 1));
	bpfcode_back(c, JUMP_K(BPF_JLT, 2, BPF_PLACES_TRIED), again);
	bpfcode_put(c, LOAD(1, 8, OF_CALL(returns)));
	code_count(c, OF_POINT(missed), -1);
	none = bpfcode_put(c, GOTO);
	bpfcode_land(c, is_free);
	bpfcode_land(c, own);
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 3));
	bpfcode_put(c, STORE(5, PLACE(call), 7));
	bpfcode_put(c, STORE_K(5, PLACE(lost), 0));
	bpfcode_land(c, none);
}

/* Moves from the call of native programs to that of 32-bit ones, if it is theirs. */
static void code_abi(struct bpfcode *c)
{
	unsigned native;

	bpfcode_put(c, CALL(HELPER_TASK));
	bpfcode_put(c, MOVE(3, 0));
	bpfcode_put(c, ADD(3, bpf_shared.layout.thread + bpf_shared.layout.mode));
	bpfcode_put(c, STORE_K(10, BPFPOINT_PLACE, 0));
	bpfcode_put(c, SET(2, 4));
	bpfcode_put(c, MOVE(1, 10));
	bpfcode_put(c, ADD(1, BPFPOINT_PLACE));
	bpfcode_put(c, CALL(HELPER_READ_KERNEL));
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_PLACE));
	bpfcode_put(c, STORE_K(10, BPFPOINT_PLACE, 0));
	bpfcode_put(c, ALU_K(BPF_AND, 0, ARCH_BPF_MODE_32));
	native = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	bpfcode_put(c, ADD(7, sizeof(struct bpf_syscall)));
	bpfcode_land(c, native);
	bpfcode_put(c, MOVE(8, 7));
	bpfcode_put(c, TO_ARENA(8));
}

/* sys_enter(registers, number) */
static void begin_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	unsigned no_return;

	bpfcode_put(c, LOAD(7, 6, bpfcallpoint_word(false)));
	bpfcode_end_unless(c, JUMP_K(BPF_JLT, 7, BPF_SYSCALLS));
	bpfcode_put(c, ALU_K(BPF_MUL, 7, sizeof(*entered.calls)));
	bpfcode_number(c, 8, (uintptr_t)entered.calls, 0);
	bpfcode_put(c, ALU(BPF_ADD, 7, 8));
	bpfcode_put(c, MOVE(8, 7));
	bpfcode_put(c, TO_ARENA(8));
	bpfcode_put(c, LOAD(0, 8, OF_CALL(is_wanted)));
	bpfcode_end_unless(c, JUMP_K(BPF_JNE, 0, 0));
	code_abi(c);
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 7));
	bpfcode_put(c, LOAD(0, 8, OF_CALL(returns)));
	no_return = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	code_take_place(c);
	bpfcode_land(c, no_return);
	bpfcode_put(c, LOAD(0, 8, OF_CALL(begins)));
	bpfcode_end_unless(c, JUMP_K(BPF_JNE, 0, 0));
}

/* Counts the returns of the call, which ends or is not the run's, and frees its place. */
static void code_skip_returns(struct bpfcode *c, unsigned reason)
{
	bpfcode_put(c, LOAD(2, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(1, 2, OF_CALL(returns)));
	code_count(c, OF_POINT(skipped), (int)reason);
	bpfcode_put(c, LOAD(1, 10, BPFPOINT_PLACE));
	bpfcode_put(c, TO_ARENA(1));
	bpfcode_put(c, STORE_K(1, PLACE(task), 0));
}

static void begin_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	unsigned none;

	bpfcode_put(c, LOAD(2, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(1, 2, OF_CALL(entries)));
	code_count(c, OF_POINT(skipped), (int)reason);
	bpfcode_put(c, LOAD(1, 10, BPFPOINT_PLACE));
	none = bpfcode_put(c, JUMP_K(BPF_JEQ, 1, 0));
	if (reason == STP_SKIP_FILTERED) {
		code_skip_returns(c, reason);
	} else {
		bpfcode_put(c, TO_ARENA(1));
		bpfcode_put(c, STORE_K(1, PLACE(lost), 1));
	}
	bpfcode_land(c, none);
}

/* sys_exit(registers, result) */
static void end_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	unsigned again, found, failed, single;

	code_hash(c);
	bpfcode_put(c, SET(2, 0));
	again = c->n;
	code_place(c);
	bpfcode_put(c, LOAD(0, 5, PLACE(task)));
	found = bpfcode_put(c, JUMP(BPF_JEQ, 0, 9));
	bpfcode_put(c, ADD(2, 1));
	bpfcode_back(c, JUMP_K(BPF_JLT, 2, BPF_PLACES_TRIED), again);
	bpfcode_end(c);
	bpfcode_land(c, found);
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 3));
	bpfcode_put(c, LOAD(7, 5, PLACE(call)));
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 7));
	bpfcode_put(c, TO_ARENA(7));
	/* A new task: the place was that of an earlier one, which died in the kernel. */
	bpfcode_put(c, LOAD(0, 6, bpfcallpoint_word(true)));
	failed = bpfcode_put(c, JUMP_K(BPF_JNE, 0, 0));
	bpfcode_put(c, LOAD(0, 7, OF_CALL(clones)));
	single = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	bpfcode_put(c, STORE_K(5, PLACE(task), 0));
	bpfcode_end(c);
	bpfcode_land(c, failed);
	bpfcode_land(c, single);
}

static void end_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	code_skip_returns(c, reason);
}

static void code_fill(struct bpfcode *c, const struct bpfpoint_form *f)
{
	bpfpoint_subject(c);
	bpfcallpoint_registers(c);
}

static const struct bpfpoint_common begin_ops = { begin_find, begin_skip, code_fill };
static const struct bpfpoint_common end_ops = { end_find, end_skip, code_fill };

/* ---- the family ---- */

static int program_attach(struct bpfpoint *b, const struct stp_probe *p, bool is_end)
{
	const struct bpfpoint_form form = {
		.kind.type = bpfcallpoint_type(),
		.part = is_end ? BPF_PART_CALL_ENDS : BPF_PART_CALL_BEGINS,
		.only = BPF_ALL_TASKS,
		.has_regs = true,
		.common = is_end ? &end_ops : &begin_ops,
	};
	int rc = bpfpoint_load(b, p, &form);

	return rc ? rc : bpfcallpoint_attach(b, is_end, p->pp);
}

static void syscalls_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	bpfpoint_detach(&entered.begins);
	bpfpoint_detach(&entered.ends);
	bpfpoint_wait();
	bpfpoint_unload(&entered.begins);
	bpfpoint_unload(&entered.ends);
}

static bool has_returns(const struct stp_probe *const *probes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (((const struct stp_point_function *)probes[i]->point)->is_return)
			return true;
	return false;
}

/* A call that is seen to begin must be seen to return. */
static int syscalls_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = bpftypes_read();

	entered.first = probes[0];
	if (!rc)
		rc = tables_make(probes, n);
	if (!rc && has_returns(probes, n))
		rc = program_attach(&entered.ends, probes[0], true);
	if (!rc)
		rc = program_attach(&entered.begins, probes[0], false);
	if (rc)
		syscalls_remove(probes, states, n);
	return rc;
}

/*
 * The kernel does not tell whose hits it misses: they are in the books of the first
 * point.
 */
static uint64_t syscall_missed(const struct stp_probe *p, void *state)
{
	uint64_t ret = 0;

	if (p == entered.first)
		ret = bpfpoint_missed(p, &entered.begins) + bpfpoint_missed(p, &entered.ends);
	for (unsigned i = 0; i < entered.npoints; i++)
		if (entered.points[i].probe == (uintptr_t)p)
			ret += READ_ONCE(entered.points[i].missed);
	return ret;
}

/* As in the entry point's own function, because scripts compare it. */
static const char *syscall_type(const struct stp_probe *p)
{
	return ((const struct stp_point_function *)p->point)->is_return ? "kretprobe" : "kprobe";
}

const struct stp_family stp_family_syscall = {
	.name = "syscall",
	.state_size = sizeof(struct bpfpoint),
	.add = syscalls_add,
	.remove = syscalls_remove,
	.missed = syscall_missed,
	.type = syscall_type,
};

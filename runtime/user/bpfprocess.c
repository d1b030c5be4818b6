/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.begin .end .thread.begin .thread.end .syscall .syscall.return under
 * --runtime=bpf, by the kernel's tracepoints:
 *
 *   sched_process_exec    end of the old program, begin of the new one
 *   sched_process_fork    notes the child's program, and that its begin is due
 *   sys_enter, sys_exit   system calls; a begin that is due
 *   sched_process_exit    thread.end; with the last thread: end
 *
 * A process that exists before the script begins has its begin when it is first seen.
 * Arrays have a byte for each number of a process or thread: the number of the program
 * that the process runs, and whether its begin is due. The small programs keep them,
 * outside the lock of the handlers: they are right even where a hit is skipped.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch_bpf.h"
#include "bpf/arena.h"
#include "bpf/calls.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpfcallpoint.h"
#include "user/bpfcode.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpftasks.h"
#include "user/bpftypes.h"
#include "user/user.h"

#define NUMBERS_MOST  (1u << 22) /* that the kernel gives to processes */
#define NUMBERS_FILE  "/proc/sys/kernel/pid_max"
#define KERNEL_FLAGS  0x204010u /* PF_KTHREAD, PF_USER_WORKER, PF_IO_WORKER */
#define LAYOUT(where) ((int)bpf_shared.layout.where)

static struct bpf_processes bpf_processes;

/* A program that points name. */
struct program {
	int fd; /* it keeps the inode */
	uint64_t inode;
	struct stat file;
};

struct process_state {
	struct bpf_process_point *point; /* NULL: it has been skipped */
};

static struct {
	struct bpfpoint events[BPF_PART_EXIT + 1], fork;
	struct program programs[BPF_PROGRAMS_MOST];
	unsigned nprograms, numbers;
	bool has_begins, is_for_all; /* some point is not of one program */
	const struct stp_probe *first;
} traced;

static const struct stp_point_process *process_point(const struct stp_probe *p)
{
	return p->point;
}

/* ---- pieces of programs ---- */

/* Register `dst` gets access to the byte of the number in register `number`. */
static void code_byte(struct bpfcode *c, int dst, uint64_t array, int number)
{
	bpfcode_number(c, dst, array, 0);
	bpfcode_put(c, ALU(BPF_ADD, dst, number));
	bpfcode_put(c, TO_ARENA(dst));
}

/* Registers 7 and 9 get the numbers of the current process and thread. */
static void code_numbers(struct bpfcode *c)
{
	bpfcode_put(c, CALL(HELPER_PID));
	bpfcode_put(c, MOVE(7, 0));
	bpfcode_put(c, ALU_K(BPF_RSH, 7, 32));
	bpfcode_put(c, MOVE(9, 0));
	bpfcode_put(c, ALU_K(BPF_LSH, 9, 32));
	bpfcode_put(c, ALU_K(BPF_RSH, 9, 32));
	bpfcode_end_unless(c, JUMP_K(BPF_JLT, 7, (int)traced.numbers));
	bpfcode_end_unless(c, JUMP_K(BPF_JLT, 9, (int)traced.numbers));
}

/*
 * Ends unless register 0, the number of a program, is not 0, or a begin is due, or some
 * point is for all programs.
 */
static void code_end_unmeant(struct bpfcode *c)
{
	unsigned meant;

	if (traced.is_for_all)
		return;
	meant = bpfcode_put(c, JUMP_K(BPF_JNE, 0, 0));
	code_byte(c, 1, bpf_processes.due, 7);
	bpfcode_put(c, LOAD_B(0, 1, 0));
	code_byte(c, 1, bpf_processes.due, 9);
	bpfcode_put(c, LOAD_B(2, 1, 0));
	bpfcode_put(c, ALU(BPF_OR, 0, 2));
	bpfcode_end_unless(c, JUMP_K(BPF_JNE, 0, 0));
	bpfcode_land(c, meant);
}

/* Counts a hit for each point of the event that is for the program at that place. */
static void code_count_points(struct bpfcode *c, unsigned event, int place, unsigned reason)
{
	struct bpf_process_point *p = (void *)(uintptr_t)bpf_processes.points[event];

	for (; p; p = (void *)(uintptr_t)p->next) {
		unsigned other = 0;

		bpfcode_put(c, LOAD(0, 10, place));
		bpfcode_put(c, ALU_K(BPF_AND, 0, 255));
		if (p->program)
			other = bpfcode_put(c, JUMP_K(BPF_JNE, 0, (int)p->program));
		bpfcode_number(
			c, 1,
			(uintptr_t)(bpfpoint_skips((const struct stp_probe *)(uintptr_t)p->probe) +
				    reason),
			0);
		bpfcode_put(c, TO_ARENA(1));
		bpfcode_put(c, SET(2, 1));
		bpfcode_put(c, ATOMIC(1, 0, 2, BPF_ADD));
		if (other)
			bpfcode_land(c, other);
	}
}

/* ---- the events ---- */

/* Register 1 becomes the number of the program whose inode is in register 3. */
static void code_which(struct bpfcode *c)
{
	bpfcode_put(c, SET(1, 0));
	for (unsigned i = 0; i < traced.nprograms; i++) {
		unsigned other;

		bpfcode_number(c, 2, traced.programs[i].inode, 0);
		other = bpfcode_put(c, JUMP(BPF_JNE, 3, 2));
		bpfcode_put(c, SET(1, (int)i + 1));
		bpfcode_land(c, other);
	}
}

/* Adds BPF_EXEC_OF_TARGET to register 1, and ends the waiting, if it is the target's. */
static void code_target(struct bpfcode *c)
{
	unsigned none, other;

	bpfcode_number(c, 2, (uintptr_t)&bpf_processes.target_waits, 0);
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(0, 2, 0));
	none = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	other = bpfcode_put(c, JUMP_K(BPF_JNE, 7, (int)stp_target()));
	bpfcode_put(c, STORE_K(2, 0, 0));
	bpfcode_put(c, ALU_K(BPF_OR, 1, BPF_EXEC_OF_TARGET));
	bpfcode_land(c, none);
	bpfcode_land(c, other);
}

/* sched_process_exec(task, …) */
static void exec_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	code_numbers(c);
	bpftasks_current(c);
	bpftasks_follow(c, LAYOUT(memory));
	bpftasks_follow(c, LAYOUT(program));
	bpftasks_follow(c, LAYOUT(inode));
	code_which(c);
	code_byte(c, 8, bpf_processes.programs, 7);
	bpfcode_put(c, LOAD_B(0, 8, 0));
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 0));
	bpfcode_put(c, STORE_B(8, 0, 1));
	code_target(c);
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 1));
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, ALU(BPF_OR, 0, 1));
	code_end_unmeant(c);
}

static void exec_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	code_count_points(c, STP_PROCESS_END, BPFPOINT_SUBJECT, reason);
	code_count_points(c, STP_PROCESS_BEGIN, BPFPOINT_PLACE, reason);
}

/* sys_enter(registers, number), sys_exit(registers, result) */
static void call_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	code_numbers(c);
	code_byte(c, 8, bpf_processes.programs, 7);
	bpfcode_put(c, LOAD_B(0, 8, 0));
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 0));
	bpfcode_put(c, LOAD(1, 6, bpfcallpoint_word(f->part == BPF_PART_LEAVE)));
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 1));
	code_end_unmeant(c);
}

/* A begin that is due stays so. */
static void call_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	code_count_points(c, f->part == BPF_PART_ENTER ? STP_SYSCALL : STP_SYSCALL_RETURN,
			  BPFPOINT_SUBJECT, reason);
}

/* sched_process_exit(task, …); threads of the kernel are left out. */
static void exit_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	bpftasks_current(c);
	bpftasks_copy(c, 4, LAYOUT(flags));
	bpfcode_put(c, ALU_K(BPF_AND, 3, KERNEL_FLAGS));
	bpfcode_end_unless(c, JUMP_K(BPF_JEQ, 3, 0));
	code_numbers(c);
	code_byte(c, 8, bpf_processes.programs, 7);
	bpfcode_put(c, LOAD_B(0, 8, 0));
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 0));
	bpftasks_current(c);
	bpftasks_follow(c, LAYOUT(signal));
	bpftasks_copy(c, 4, LAYOUT(live));
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 3));
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_SUBJECT));
	code_end_unmeant(c);
}

/* Counts a begin that is still due: there will be no later event. */
static void exit_skip_begin(struct bpfcode *c, enum stp_process_event event, int number,
			    unsigned reason)
{
	unsigned none;

	code_byte(c, 3, bpf_processes.due, number);
	bpfcode_put(c, LOAD_B(0, 3, 0));
	none = bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 0));
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, STORE_B(3, 0, 0));
	code_count_points(c, event, BPFPOINT_SUBJECT, reason);
	bpfcode_land(c, none);
}

static void exit_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	unsigned last, leader;

	code_numbers(c); /* these registers have been used for the lock */
	exit_skip_begin(c, STP_PROCESS_BEGIN, 7, reason);
	exit_skip_begin(c, STP_THREAD_BEGIN, 9, reason);
	bpfcode_put(c, LOAD(0, 10, BPFPOINT_PLACE));
	last = bpfcode_put(c, JUMP_K(BPF_JNE, 0, 0));
	code_count_points(c, STP_PROCESS_END, BPFPOINT_SUBJECT, reason);
	bpfcode_land(c, last);
	leader = bpfcode_put(c, JUMP(BPF_JEQ, 7, 9));
	code_count_points(c, STP_THREAD_END, BPFPOINT_SUBJECT, reason);
	bpfcode_land(c, leader);
}

static void event_fill(struct bpfcode *c, const struct bpfpoint_form *f)
{
	bpfpoint_subject(c);
	if (f->has_regs)
		bpfcallpoint_registers(c);
}

/*
 * sched_process_fork(parent, child): it has no handler. The child of a helper of the
 * kernel, which has not begun a program, is not reported.
 */
static void write_fork(struct bpfcode *c)
{
	unsigned thread;

	bpfcode_put(c, MOVE(6, 1));
	bpfcode_number(c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	code_numbers(c);
	code_byte(c, 8, bpf_processes.programs, 7);
	bpfcode_put(c, LOAD_B(8, 8, 0)); /* the parent's program */
	bpfcode_put(c, LOAD(3, 6, 8));
	bpftasks_copy(c, 4, LAYOUT(number));
	bpfcode_put(c, MOVE(9, 3));
	bpfcode_end_unless(c, JUMP_K(BPF_JLT, 9, (int)traced.numbers));
	bpfcode_put(c, LOAD(3, 6, 8));
	bpftasks_copy(c, 4, LAYOUT(process));
	thread = bpfcode_put(c, JUMP(BPF_JEQ, 3, 7));
	code_byte(c, 1, bpf_processes.programs, 9);
	bpfcode_put(c, STORE_B(1, 0, 8));
	code_byte(c, 1, bpf_processes.ended, 9);
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, STORE_B(1, 0, 0));
	bpfcode_land(c, thread);
	if (traced.has_begins) {
		bpfcode_put(c, LOAD(3, 6, 8));
		bpftasks_copy(c, 4, LAYOUT(flags));
		bpfcode_put(c, ALU_K(BPF_AND, 3, KERNEL_FLAGS));
		bpfcode_end_unless(c, JUMP_K(BPF_JEQ, 3, 0));
		bpfcode_put(c, LOAD(3, 6, 8));
		bpftasks_copy(c, 4, LAYOUT(execs));
		bpfcode_end_unless(c, JUMP_K(BPF_JNE, 3, 0));
		code_byte(c, 1, bpf_processes.due, 9);
		bpfcode_put(c, SET(0, 1));
		bpfcode_put(c, STORE_B(1, 0, 0));
	}
	bpfcode_end(c);
}

static const struct bpfpoint_common exec_ops = { exec_find, exec_skip, event_fill };
static const struct bpfpoint_common call_ops = { call_find, call_skip, event_fill };
static const struct bpfpoint_common exit_ops = { exit_find, exit_skip, event_fill };

/* ---- attaching ---- */

static int tracepoint_open(struct bpfpoint *b, const char *name)
{
	union bpf_attr attr = { .raw_tracepoint = { .name = (uintptr_t)name,
						    .prog_fd = (uint32_t)b->program } };
	int rc;

	b->link = (int)bpfload_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (b->link >= 0)
		return 0;
	rc = -errno;
	stp_setup_error("%s: the tracepoint %s cannot be used: %s", traced.first->pp, name,
			strerror(errno));
	return rc;
}

static int event_attach(const char *name, enum bpf_part part, const struct bpfpoint_common *common)
{
	bool is_call = part == BPF_PART_ENTER || part == BPF_PART_LEAVE;
	const struct bpfpoint_form form = {
		.kind.type = is_call ? bpfcallpoint_type() : BPF_PROG_TYPE_RAW_TRACEPOINT,
		.part = part,
		.only = BPF_ALL_TASKS,
		.has_regs = is_call,
		.common = common,
	};
	struct bpfpoint *b = &traced.events[part];
	int rc = bpfpoint_load(b, traced.first, &form);

	if (!rc && is_call)
		return bpfcallpoint_attach(b, part == BPF_PART_LEAVE, traced.first->pp);
	return rc ? rc : tracepoint_open(b, name);
}

static int fork_attach(void)
{
	static const struct bpfpoint_form form = { .kind.type = BPF_PROG_TYPE_RAW_TRACEPOINT };
	struct bpfcode c = { .n = 0 };

	write_fork(&c);
	traced.fork.program = bpfpoint_program(&c, &form, "fork");
	return traced.fork.program < 0 ? traced.fork.program
				       : tracepoint_open(&traced.fork, "sched_process_fork");
}

static int events_attach(void)
{
	bool calls = bpf_processes.points[STP_SYSCALL] || traced.has_begins;
	bool results = bpf_processes.points[STP_SYSCALL_RETURN] || traced.has_begins;
	int rc = event_attach("sched_process_exec", BPF_PART_EXEC, &exec_ops);

	if (!rc)
		rc = event_attach("sched_process_exit", BPF_PART_EXIT, &exit_ops);
	if (!rc)
		rc = fork_attach();
	if (!rc && results)
		rc = event_attach("sys_exit", BPF_PART_LEAVE, &call_ops);
	if (!rc && calls)
		rc = event_attach("sys_enter", BPF_PART_ENTER, &call_ops);
	return rc;
}

/* ---- programs of the points ---- */

/* Gets the kernel's address of the inode of an open file, by a program of its own. */
static uint64_t inode_of(int fd)
{
	struct bpfcode c = { .n = 0 };

	bpf_processes.args[0] = 0;
	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpftasks_current(&c);
	bpftasks_follow(&c, LAYOUT(files));
	bpftasks_follow(&c, LAYOUT(table));
	bpftasks_follow(&c, LAYOUT(place));
	bpftasks_follow(&c, 8 * fd);
	bpftasks_follow(&c, LAYOUT(inode));
	bpfcode_number(&c, 1, (uintptr_t)&bpf_processes.args[0], 0);
	bpfcode_put(&c, TO_ARENA(1));
	bpfcode_put(&c, STORE(1, 0, 3));
	bpfcode_end(&c);
	return bpftasks_run(&c, "inode of a program") ? 0 : (uint64_t)bpf_processes.args[0];
}

/* Returns the number of the program; 0: it cannot be opened. */
static unsigned program_number(const char *path)
{
	struct program added = { .fd = open(path, O_RDONLY | O_CLOEXEC) };

	if (added.fd < 0 || fstat(added.fd, &added.file) || traced.nprograms == BPF_PROGRAMS_MOST)
		return 0;
	added.inode = inode_of(added.fd);
	for (unsigned i = 0; i < traced.nprograms; i++)
		if (traced.programs[i].inode == added.inode) {
			close(added.fd);
			return i + 1;
		}
	if (!added.inode)
		return 0;
	traced.programs[traced.nprograms++] = added;
	return traced.nprograms;
}

static int refuse(const struct stp_probe *p, const char *why, int error)
{
	if (!process_point(p)->optional) {
		stp_setup_error("%s: %s", p->pp, why);
		return error;
	}
	stp_setup_warning("%s: %s; skipped", p->pp, why);
	return 0;
}

/* The first point in the script comes first in its list. */
static int process_point_add(const struct stp_probe *p, struct process_state *s)
{
	const struct stp_point_process *point = process_point(p);
	uint64_t *list = &bpf_processes.points[point->event];
	unsigned program = point->path ? program_number(point->path) : 0;
	int64_t pid = bpftasks_number(point->pid);

	if (point->path && !program)
		return refuse(p, "the program cannot be opened", -ENOENT);
	if (pid < 0)
		return refuse(p, "there is no such process", -ESRCH);
	s->point = port_alloc(sizeof(*s->point));
	if (!s->point)
		return -ENOMEM;
	*s->point = (struct bpf_process_point){ *list, (uintptr_t)p, program, pid };
	*list = (uintptr_t)s->point;
	traced.is_for_all |= !program;
	traced.has_begins |= point->event == STP_PROCESS_BEGIN || point->event == STP_THREAD_BEGIN;
	return 0;
}

/* ---- processes that exist ---- */

/* Notes that begins of a process's threads, except the first one, are due. */
static void code_note_threads(struct bpfcode *c)
{
	unsigned again, broken, all, out, last;

	bpfcode_put(c, MOVE(3, 6));
	bpftasks_follow(c, LAYOUT(signal));
	bpfcode_put(c, ADD(3, LAYOUT(threads)));
	bpfcode_put(c, STORE(10, BPFPOINT_PLACE, 3));
	bpfcode_put(c, MOVE(9, 3));
	again = c->n;
	bpfcode_put(c, MOVE(3, 9));
	bpftasks_follow(c, 0);
	broken = bpfcode_put(c, JUMP_K(BPF_JEQ, 3, 0));
	bpfcode_put(c, LOAD(1, 10, BPFPOINT_PLACE));
	all = bpfcode_put(c, JUMP(BPF_JEQ, 3, 1));
	bpfcode_put(c, MOVE(9, 3));
	bpftasks_copy(c, 4, LAYOUT(number) - LAYOUT(thread_place));
	out = bpfcode_put(c, JUMP_K(BPF_JGE, 3, (int)traced.numbers));
	code_byte(c, 1, bpf_processes.due, 3);
	bpfcode_put(c, SET(0, 1));
	bpfcode_put(c, STORE_B(1, 0, 0));
	bpfcode_land(c, out);
	last = bpfcode_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	bpfcode_back(c, GOTO, again);
	bpfcode_land(c, broken);
	bpfcode_land(c, all);
	bpfcode_land(c, last);
}

/* Threads of the kernel have no program. */
static void code_note(struct bpfcode *c)
{
	unsigned out, none;

	bpfcode_put(c, MOVE(3, 6));
	bpftasks_copy(c, 4, LAYOUT(process));
	bpfcode_put(c, MOVE(7, 3));
	out = bpfcode_put(c, JUMP_K(BPF_JGE, 7, (int)traced.numbers));
	bpfcode_put(c, MOVE(3, 6));
	bpftasks_follow(c, LAYOUT(memory));
	bpftasks_follow(c, LAYOUT(program));
	bpftasks_follow(c, LAYOUT(inode));
	none = bpfcode_put(c, JUMP_K(BPF_JEQ, 3, 0));
	code_which(c);
	code_byte(c, 2, bpf_processes.programs, 7);
	bpfcode_put(c, STORE_B(2, 0, 1));
	if (traced.has_begins)
		code_note_threads(c);
	bpfcode_land(c, out);
	bpfcode_land(c, none);
}

/* Also those outside of this process's namespace, as /proc does not. */
static int note_all(void)
{
	struct bpfcode c = { .n = 0 };

	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpftasks_each(&c, code_note);
	bpfcode_end(&c);
	return bpftasks_run(&c, traced.first->pp);
}

/* ---- the family ---- */

static unsigned numbers_most(void)
{
	/* The file is about this process's namespace. */
	FILE *f = bpf_shared.level ? NULL : fopen(NUMBERS_FILE, "re");
	unsigned ret;

	if (!f || fscanf(f, "%u", &ret) != 1 || ret > NUMBERS_MOST)
		ret = NUMBERS_MOST;
	if (f)
		fclose(f);
	return ret;
}

static int arrays_make(void)
{
	traced.numbers = numbers_most();
	bpf_processes.programs = (uintptr_t)port_alloc(traced.numbers);
	bpf_processes.due = (uintptr_t)port_alloc(traced.numbers);
	bpf_processes.ended = (uintptr_t)port_alloc(traced.numbers);
	return bpf_processes.programs && bpf_processes.due && bpf_processes.ended ? 0 : -ENOMEM;
}

static void processes_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned i = 0; i <= BPF_PART_EXIT; i++)
		bpfpoint_detach(&traced.events[i]);
	bpfpoint_detach(&traced.fork);
	bpfpoint_wait();
	for (unsigned i = 0; i <= BPF_PART_EXIT; i++)
		bpfpoint_unload(&traced.events[i]);
	if (traced.fork.program > 0)
		close(traced.fork.program);
	traced.fork.program = 0;
	for (unsigned i = 0; i < traced.nprograms; i++)
		close(traced.programs[i].fd);
	traced.nprograms = 0;
}

static int processes_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc;

	traced.first = probes[0];
	bpf_shared.processes = (uintptr_t)&bpf_processes;
	rc = bpftypes_read();
	if (!rc)
		rc = arrays_make();
	for (unsigned i = n; i-- && !rc;)
		rc = process_point_add(probes[i], states[i]);
	bpf_processes.target_waits = user_target_waits();
	if (!rc)
		rc = events_attach();
	if (!rc)
		rc = note_all();
	if (rc)
		processes_remove(probes, states, n);
	return rc;
}

/*
 * The kernel does not tell whose hits it misses: they are in the books of the first
 * point.
 */
static uint64_t process_missed(const struct stp_probe *p, void *state)
{
	uint64_t ret = 0;

	for (unsigned i = 0; p == traced.first && i <= BPF_PART_EXIT; i++)
		ret += bpfpoint_missed(p, &traced.events[i]);
	return ret;
}

static const char *process_type(const struct stp_probe *p)
{
	enum stp_process_event event = process_point(p)->event;

	return event == STP_SYSCALL || event == STP_SYSCALL_RETURN ? "utrace_syscall" : "utrace";
}

const struct stp_family stp_family_process = {
	.name = "process",
	.state_size = sizeof(struct process_state),
	.add = processes_add,
	.remove = processes_remove,
	.missed = process_missed,
	.type = process_type,
};

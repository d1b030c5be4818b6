/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that the process makes and hits use, in the arena.
 *
 * Calls that have not returned, with the values that a return probe saves at entry, by
 * thread and stack pointer. The process makes the table (user/bpfuprobe.c); hits use it
 * under the lock of all handlers. If a call finds no free place among those that it may
 * have, it takes the oldest one's of another thread, which may have ended.
 *
 * The books need each call once: as a hit at its return, as a missed return, or as a call
 * that did not return. A call without a place is missed if it returns.
 */
#ifndef STP_BPF_CALLS_H
#define STP_BPF_CALLS_H

#include <stdint.h>

#define BPF_CALLS_TRIED	 32 /* places that a call may have */
#define BPF_RETURNS_KEPT 64 /* return addresses of a task that the kernel replaces */

struct bpf_call {
	uint64_t owner; /* thread, and its process; 0: free */
	uint64_t stack; /* pointer, at entry */
	uint64_t serial;
	int64_t saved[];
};

struct bpf_calls {
	uint64_t missed;  /* returns of calls without a place, or that the kernel misses */
	uint64_t skipped; /* entries that did not run: their returns are hits all the same */
	uint64_t lost;	  /* calls without a place that have not returned */
	uint64_t ended;	  /* calls that ended without a return, as far as seen */
	uint64_t unseen;  /* hits of returns that did not run: their calls keep their places */
	uint64_t serial;
	uint64_t count;	   /* places, a power of two */
	uint64_t size;	   /* bytes of a place */
	uint64_t replaces; /* the kernel puts another return address on the program's stack */
	uint8_t places[] __attribute__((aligned(8)));
};

/* ---- points that share a program: addresses are cookies of attachments ---- */

struct bpf_point {
	uint64_t probe;	  /* struct stp_probe * */
	uint64_t skipped; /* its books: a count for each reason */
	uint64_t calls;	  /* struct bpf_calls *, of a return that saves values */
};

/* ---- system calls, by number (user/bpfsyscall.c) ---- */

#define BPF_SYSCALLS	   1024 /* numbers */
#define BPF_PLACES_TRIED   16	/* places that a task may have */
#define BPF_SYSCALL_NATIVE 0
#define BPF_SYSCALL_32	   1

/* A point, under one of the numbers that lead to it. */
struct bpf_syscall_point {
	uint64_t next;	  /* the same; 0: it is the last */
	uint64_t probe;	  /* struct stp_probe * */
	uint64_t skipped; /* its books: a count for each reason */
	uint64_t missed;  /* calls for which there was no place */
	uint64_t saves;	  /* a return that saves values at entry */
	uint64_t at;	  /* its first word, see struct bpf_under_way */
};

struct bpf_syscall {
	uint64_t entries, returns; /* struct bpf_syscall_point * */
	uint64_t is_wanted;	   /* the number has points, in this ABI or in the other */
	uint64_t begins;	   /* handlers run when it begins */
	uint64_t clones;	   /* it also returns in a new task, where it has not begun */
};

/*
 * A call that has begun and whose return is probed. Each of its returns that saves values
 * has a word that shows whether they are valid, and then the values. The task alone uses
 * its place.
 */
struct bpf_under_way {
	uint64_t task; /* 0: free */
	uint64_t call; /* struct bpf_syscall * */
	uint64_t lost; /* its beginning was skipped, so that no values are saved */
	int64_t words[];
};

/* ---- processes (user/bpfprocess.c) ---- */

/* A point, linked with the next one of the same event. */
struct bpf_process_point {
	uint64_t next, probe;
	uint64_t program; /* its number; 0: any */
	int64_t pid;	  /* 0: the target and its children, or all */
};

#define BPF_PROCESS_EVENTS 6   /* STP_PROCESS_EVENTS */
#define BPF_PROGRAMS_MOST  255 /* a byte */

/* The arrays have a byte for the number of each process or thread. */
struct bpf_processes {
	uint64_t points[BPF_PROCESS_EVENTS]; /* by enum stp_process_event */
	uint64_t programs;		     /* array: the number of the program it runs */
	uint64_t due;			     /* array: its begin has not been reported */
	uint64_t ended;			     /* array: its end has been reported */
	uint64_t target_waits;		     /* the command of -c has not begun to run */
	int64_t args[7];		     /* of a system call, as points have them */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that the BPF programs and the process that loads them share, besides all else
 * that lies in the arena. Both are built from the same sources: pointers are the same
 * numbers.
 */
#ifndef STP_BPF_ARENA_H
#define STP_BPF_ARENA_H

#include <stdint.h>

/*
 * The arena: struct bpf_resume, data that only the programs use, their frames, the stack
 * of frames of those that may call themselves; then the data of the process (its linker
 * places them), then what the process allocates.
 */
#define BPF_ARENA_AT   0x10000000u
#define BPF_RESUME_AT  BPF_ARENA_AT
#define BPF_FRAMES_AT  0x16f00000u
#define BPF_STACK_AT   0x17000000u
#define BPF_STACK_END  0x17100000u
#define BPF_PROCESS_AT 0x18000000u
#define BPF_ARENA_END  0x70000000u

/* The result of a program that has paused: it must be run again. */
#define BPF_AGAIN 1

/* The place where a paused program goes on. */
struct bpf_resume {
	uint64_t place; /* a number; 0: at the beginning */
	uint64_t frame; /* end of the frame */
	uint64_t registers[10];
};

/* In a loop beyond the kernel's patience; in calls; at a call of no function. */
enum bpf_stuck { BPF_STUCK_LOOP = 1, BPF_STUCK_DEEP, BPF_STUCK_POINTER };

enum bpf_want { BPF_WANTS_MEMORY = 1, BPF_WANTS_ROOM }; /* for arrays; in a ring */

struct bpf_shared {
	uint32_t stuck;	   /* enum bpf_stuck: why a program was ended */
	uint32_t wants;	   /* enum bpf_want: the handler waits for it */
	uint64_t realtime; /* of CLOCK_REALTIME, what CLOCK_MONOTONIC lacks */
	int64_t process, parent;
	uint32_t user, user_now, group, group_now; /* real ones, effective ones */
	uint32_t page;				   /* bytes */
	uint32_t fault;				   /* memory could not be read */
};
extern struct bpf_shared bpf_shared;

#endif

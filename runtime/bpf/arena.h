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
 * The arena: what only the programs use, then the data of the process (its linker places
 * them), then what the process allocates.
 */
#define BPF_ARENA_AT   0x10000000u
#define BPF_PROCESS_AT 0x18000000u
#define BPF_ARENA_END  0x70000000u

enum bpf_want { BPF_WANTS_MEMORY = 1, BPF_WANTS_ROOM }; /* for arrays; in a ring */

struct bpf_shared {
	uint32_t stuck;	   /* a program was ended in a loop */
	uint32_t wants;	   /* enum bpf_want: the handler waits for it */
	uint64_t realtime; /* of CLOCK_REALTIME, what CLOCK_MONOTONIC lacks */
	int64_t process;
};
extern struct bpf_shared bpf_shared;

#endif

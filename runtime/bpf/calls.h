/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that have not returned, with the values that a return probe saves at entry, by
 * thread and stack pointer. The process makes the table (user/bpfuprobe.c); hits use it
 * under the lock of all handlers. If a call finds no free place among those that it may
 * have, it takes the oldest one's, perhaps that of a thread that has ended. Either way
 * this is counted.
 */
#ifndef STP_BPF_CALLS_H
#define STP_BPF_CALLS_H

#include <stdint.h>

#define BPF_CALLS_TRIED 32 /* places that a call may have */

struct bpf_call {
	uint64_t owner; /* thread, and its process; 0: free */
	uint64_t stack; /* pointer, at entry */
	uint64_t serial;
	int64_t saved[];
};

struct bpf_calls {
	uint64_t missed;  /* calls that lost their place */
	uint64_t skipped; /* entries that did not run: their returns are hits all the same */
	uint64_t serial;
	uint64_t count; /* places, a power of two */
	uint64_t size;	/* bytes of a place */
	uint8_t places[] __attribute__((aligned(8)));
};

#endif

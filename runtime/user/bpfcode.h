/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: writes the instructions of a small BPF program, one after the other. */
#ifndef STP_USER_BPFCODE_H
#define STP_USER_BPFCODE_H

#include <linux/bpf.h>
#include <stdint.h>

#include "uapi/bpfinsn.h"

#define BPFCODE_MOST 4096

struct bpfcode {
	struct bpf_insn in[BPFCODE_MOST];
	unsigned n;
};

/*
 * Defined here because the headers of some distributions are too old: ends a loop that
 * takes too long.
 */
#define MAY_GOTO 0xe0

/* Helpers of the kernel, by their numbers. */
enum {
	HELPER_CLOCK = 5,
	HELPER_CPU = 8,
	HELPER_TAIL_CALL = 12,
	HELPER_PID = 14, /* process << 32 | thread */
	HELPER_TASK = 35,
	HELPER_UNDER_CGROUP = 37, /* (map, place): the current task is; 1 is yes */
	HELPER_READ_USER = 112,	  /* (to, size, from) */
	HELPER_READ_KERNEL = 113,
	HELPER_TYPED_TASK = 158,
	HELPER_COOKIE = 174,	     /* of the attachment: (context) */
	HELPER_TASK_REGISTERS = 175, /* with which it entered the kernel: (typed task) */
	HELPER_ARGUMENT = 183,	     /* of a function: (context, number, to) */
	HELPER_RESULT = 184,	     /* (context, to) */
};

/* Appends an instruction and returns its place; past the end nothing is stored. */
unsigned bpfcode_put(struct bpfcode *c, struct bpf_insn i);
/* Puts a number, or with a source a map's descriptor, into a register. */
void bpfcode_number(struct bpfcode *c, int reg, uint64_t n, int source);
/* Makes the jump lead to the next instruction. */
void bpfcode_land(struct bpfcode *c, unsigned jump);
/* Ends the program; unless a jump is taken. */
void bpfcode_end(struct bpfcode *c);
void bpfcode_end_unless(struct bpfcode *c, struct bpf_insn jump);
/* Jumps to an instruction that is there already. */
void bpfcode_back(struct bpfcode *c, struct bpf_insn jump, unsigned to);

#endif

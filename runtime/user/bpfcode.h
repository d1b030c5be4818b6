/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: writes the instructions of a small BPF program, one after the other. */
#ifndef STP_USER_BPFCODE_H
#define STP_USER_BPFCODE_H

#include <linux/bpf.h>
#include <stdint.h>

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

#define INSN(code_, dst, src, off_, imm_)                                                          \
	((struct bpf_insn){ .code = (code_),                                                       \
			    .dst_reg = (dst)&15,                                                   \
			    .src_reg = (src)&15,                                                   \
			    .off = (int16_t)(off_),                                                \
			    .imm = (int32_t)(imm_) })
#define MOVE(dst, src)	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, n)	      INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n)
#define ADD(dst, n)	      INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, n)
#define ALU(op, dst, src)     INSN(BPF_ALU64 | (op) | BPF_X, dst, src, 0, 0)
#define ALU_K(op, dst, n)     INSN(BPF_ALU64 | (op) | BPF_K, dst, 0, 0, n)
#define TO_ARENA(reg)	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg, 1, 1)
#define CALL(helper)	      INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define LOAD(d, s, off)	      INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, off, 0)
#define LOAD_W(d, s, off)     INSN(BPF_LDX | BPF_MEM | BPF_W, d, s, off, 0)
#define LOAD_B(d, s, off)     INSN(BPF_LDX | BPF_MEM | BPF_B, d, s, off, 0)
#define STORE_B(d, off, s)    INSN(BPF_STX | BPF_MEM | BPF_B, d, s, off, 0)
#define STORE(d, off, s)      INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, off, 0)
#define STORE_K(d, off, n)    INSN(BPF_ST | BPF_MEM | BPF_DW, d, 0, off, n)
#define JUMP(op, d, s)	      INSN(BPF_JMP | (op) | BPF_X, d, s, 0, 0)
#define JUMP_K(op, d, n)      INSN(BPF_JMP | (op) | BPF_K, d, 0, 0, n)
#define GOTO		      INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0)
#define ATOMIC(d, off, s, op) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, off, op)
#define EXIT		      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

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

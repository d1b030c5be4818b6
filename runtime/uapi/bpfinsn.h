/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions for BPF as C writes them: those that the translator links into handlers,
 * and those of the small programs of points in the kernel.
 */
#ifndef STP_UAPI_BPFINSN_H
#define STP_UAPI_BPFINSN_H

#include <linux/bpf.h>
#include <stdint.h>

/* A cast: `off` of a move, with the one or the other in `imm`. */
#define CAST	       1
#define CAST_TO_ARENA  1
#define CAST_TO_NUMBER (1 << 16)

#define INSN(code_, dst, src, off_, imm_)                                                          \
	((struct bpf_insn){ .code = (code_),                                                       \
			    .dst_reg = (dst)&15,                                                   \
			    .src_reg = (src)&15,                                                   \
			    .off = (int16_t)(off_),                                                \
			    .imm = (int32_t)(imm_) })
#define MOVE(dst, src)	   INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, n)	   INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n)
#define ADD(dst, n)	   INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, n)
#define ALU(op, dst, src)  INSN(BPF_ALU64 | (op) | BPF_X, dst, src, 0, 0)
#define ALU_K(op, dst, n)  INSN(BPF_ALU64 | (op) | BPF_K, dst, 0, 0, n)
#define TO_ARENA(reg)	   INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg, CAST, CAST_TO_ARENA)
#define TO_NUMBER(reg)	   INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg, CAST, CAST_TO_NUMBER)
#define CALL(helper)	   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define LOAD(d, s, off)	   INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, off, 0)
#define LOAD_W(d, s, off)  INSN(BPF_LDX | BPF_MEM | BPF_W, d, s, off, 0)
#define LOAD_B(d, s, off)  INSN(BPF_LDX | BPF_MEM | BPF_B, d, s, off, 0)
#define STORE(d, off, s)   INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, off, 0)
#define STORE_B(d, off, s) INSN(BPF_STX | BPF_MEM | BPF_B, d, s, off, 0)
#define STORE_K(d, off, n) INSN(BPF_ST | BPF_MEM | BPF_DW, d, 0, off, n)
#define JUMP(op, d, s)	   INSN(BPF_JMP | (op) | BPF_X, d, s, 0, 0)
#define JUMP_K(op, d, n)   INSN(BPF_JMP | (op) | BPF_K, d, 0, 0, n)
#define GOTO		   INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0)
#define EXIT		   INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#define ATOMIC(d, off, s, op) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, off, op)

#endif

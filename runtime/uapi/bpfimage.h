/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script's handlers for --runtime=bpf: translator/bpf/imagelink.c links them, and the
 * program that loads them reads them (runtime/user/bpfload.c). They are in the program's
 * own file, after the executable, with the facts that staprun reads:
 *
 *   executable | padding to 8 | handlers | facts: "name=value", each with its 0
 *   | padding to 8 | struct bpfimage_end
 *
 * The facts have the names of modinfo(8); and stap_needs (uapi/needs.def), stap_kernel,
 * the release whose types were used. The handlers have this head and these parts, each at
 * a multiple of 8: the instructions, the functions in them, their types, the data of the
 * arena, and the places in the script that the instructions belong to: texts such as
 * "a.stp:3:1", the empty one for none.
 *
 * The first function, where the program begins, has BPFIMAGE_RESULT and an exit at its
 * end. The loader makes it return 0 where the kernel allows no other result.
 *
 *   head | instruction 8 … | function: instruction 4, type 4 … | BTF | data
 *   | place: instruction 4, text 4 … | texts, each with its 0
 */
#ifndef STP_UAPI_BPFIMAGE_H
#define STP_UAPI_BPFIMAGE_H

#include <stdint.h>

#define BPFIMAGE_MAGIC 0x34465042505453ull /* "STPBPF4" */

#define BPFIMAGE_DATA_FROM 4096 /* where the data begin in the arena: NULL leads to none */

struct bpfimage {
	uint64_t magic;
	uint32_t instructions; /* number */
	uint32_t functions;    /* number */
	uint32_t types;	       /* bytes of BTF */
	uint32_t data;	       /* bytes of data */
	uint32_t places;       /* number */
	uint32_t texts;	       /* bytes */
	uint32_t uses;	       /* BPFIMAGE_USES_… */
	/*
	 * The instruction where a hit can begin, if no program has paused, with the
	 * probe's address in register 1, and in register 2 that of its struct stp_cpu,
	 * or 0: see stp_bpf_run(). 0: only at the first one.
	 */
	uint32_t begin;
};

#define BPFIMAGE_END_MAGIC 0x31454c4946505453ull /* "STPFILE1" */

/* The last bytes of the file. */
struct bpfimage_end {
	uint32_t handlers; /* bytes */
	uint32_t facts;	   /* bytes, without the padding */
	uint64_t magic;
};

/* The bytes of a part with its padding. */
static inline uint64_t bpfimage_padded(uint64_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

/* The result's instruction: register 0 has a bit that this one keeps. */
#define BPFIMAGE_RESULT (BPF_ALU64 | BPF_AND | BPF_K)

/* Instructions use the stack of the kernel at a point, its symbols, or a task's name. */
#define BPFIMAGE_USES_STACK   1u
#define BPFIMAGE_USES_SYMBOLS 2u
#define BPFIMAGE_USES_NAME    4u

/*
 * The `imm` of loads of the current task's name, by whose place in a task the loader
 * moves them.
 */
#define BPFIMAGE_IN_NAME 1

struct bpfimage_function {
	uint32_t instruction, type;
};

/* The place in the script of the instructions from this one up to the next place's. */
struct bpfimage_place {
	uint32_t instruction, text;
};

/*
 * The maps that instructions name: they become their descriptors. BPFIMAGE_STACK has one
 * element, of BPFIMAGE_STACK_WORDS addresses, which the kernel fills in.
 */
enum bpfimage_map { BPFIMAGE_ARENA, BPFIMAGE_WAKER, BPFIMAGE_STACK, BPFIMAGE_MAPS };

#define BPFIMAGE_STACK_WORDS 64
/*
 * A helper of the kernel. Programs that the process runs cannot call it: there its result
 * is -1.
 */
#define BPFIMAGE_GET_STACK 67
#endif

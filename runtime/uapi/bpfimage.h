/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script's handlers for --runtime=bpf, linked (translator/bpf/imagelink.c), as the
 * program that loads them reads them (runtime/user/bpfload.c): this head, and then, each
 * at a multiple of 8, its instructions, the functions that they are, their types, the
 * data of the arena, and what the instructions are of.
 *
 *   head | instruction 8 … | function: instruction 4, type 4 … | BTF | data
 *   | place: instruction 4, text 4 … | texts, each with its 0
 */
#ifndef STP_UAPI_BPFIMAGE_H
#define STP_UAPI_BPFIMAGE_H

#include <stdint.h>

#define BPFIMAGE_MAGIC 0x31465042505453ull /* "STPBPF1" */

struct bpfimage {
	uint64_t magic;
	uint32_t instructions; /* number */
	uint32_t functions;    /* number */
	uint32_t types;	       /* bytes of BTF */
	uint32_t data;	       /* bytes of data, which begin at the arena's first */
	uint32_t places;       /* number */
	uint32_t texts;	       /* bytes */
};

struct bpfimage_function {
	uint32_t instruction, type;
};

/* From this instruction on, to the next place's: what of the script it is. */
struct bpfimage_place {
	uint32_t instruction, text;
};

/* The instruction whose constant becomes the descriptor of the arena. */
#define BPFIMAGE_ARENA_AT 1

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script's handlers for --runtime=bpf, linked (translator/bpf/image.c), as the
 * program that loads them reads them (runtime/bpf/load.c): this head, and then, each at
 * a multiple of 8, its instructions, the functions that they are, their types, the data
 * of the arena.
 *
 *   head | instruction 8 … | function: instruction 4, type 4 … | BTF | data
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
};

struct bpfimage_function {
	uint32_t instruction, type;
};

/* The instruction whose constant becomes the descriptor of the arena. */
#define BPFIMAGE_ARENA_AT 1

#endif

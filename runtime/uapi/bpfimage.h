/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script's handlers for --runtime=bpf: translator/bpf/imagelink.c links them, and the
 * program that loads them reads them (runtime/user/bpfload.c). They are in the program's
 * own file, after the executable, with the facts that staprun reads:
 *
 *   executable | padding to 8 | handlers | facts: "name=value", each with its 0
 *   | padding to 8 | checksums, of 4 bytes | padding to 8 | struct bpfimage_end
 *
 * Each block of the file before the checksums has one, so that damage is found and its
 * place named before anything of the file runs.
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

#define BPFIMAGE_END_MAGIC 0x32454c4946505453ull /* "STPFILE2" */
#define BPFIMAGE_BLOCK	   4096			 /* bytes that have a checksum */

/* The last bytes of the file. */
struct bpfimage_end {
	uint32_t handlers; /* bytes */
	uint32_t facts;	   /* bytes, without the padding */
	uint32_t sums;	   /* number of checksums */
	uint32_t own;	   /* the checksum of all from the first checksum up to here */
	uint64_t magic;
};

/* The bytes of a part with its padding. */
static inline uint64_t bpfimage_padded(uint64_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

/* FNV-1a: no change of a single byte leaves the sum as it was. */
static inline uint32_t bpfimage_sum(const char *bytes, uint64_t count)
{
	uint32_t sum = 2166136261u;

	for (uint64_t i = 0; i < count; i++)
		sum = (sum ^ (unsigned char)bytes[i]) * 16777619u;
	return sum;
}

/* Returns how many checksums that many bytes have. */
static inline uint64_t bpfimage_sums(uint64_t bytes)
{
	return (bytes + BPFIMAGE_BLOCK - 1) / BPFIMAGE_BLOCK;
}

/*
 * Reads the end of a file. Returns the offset where the facts with their padding end,
 * which come after the handlers; 0: it is not such a file, or cut.
 */
static inline uint64_t bpfimage_parts_end(const char *file, uint64_t size, struct bpfimage_end *ret)
{
	uint64_t after = sizeof(*ret), parts;

	if (size % 8 || size < after)
		return 0;
	__builtin_memcpy(ret, file + size - after, sizeof(*ret));
	after += bpfimage_padded(4ull * ret->sums);
	parts = bpfimage_padded(ret->handlers) + bpfimage_padded(ret->facts);
	if (ret->magic != BPFIMAGE_END_MAGIC || after > size || parts > size - after ||
	    bpfimage_sums(size - after) != ret->sums)
		return 0;
	return size - after;
}

/*
 * Returns the offset of the first part of a file that has changed since it was made; -1:
 * none has. `parts_end` and `end` are those of bpfimage_parts_end().
 */
static inline int64_t bpfimage_damage(const char *file, uint64_t size, uint64_t parts_end,
				      const struct bpfimage_end *end)
{
	uint64_t own_at = size - sizeof(*end) + __builtin_offsetof(struct bpfimage_end, own);

	if (bpfimage_sum(file + parts_end, own_at - parts_end) != end->own)
		return (int64_t)parts_end;
	for (uint64_t i = 0; i < end->sums; i++) {
		uint64_t at = i * BPFIMAGE_BLOCK, left = parts_end - at;
		uint32_t sum;

		__builtin_memcpy(&sum, file + parts_end + 4 * i, sizeof(sum));
		if (bpfimage_sum(file + at, left < BPFIMAGE_BLOCK ? left : BPFIMAGE_BLOCK) != sum)
			return (int64_t)at;
	}
	return -1;
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

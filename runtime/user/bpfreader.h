/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the file of a script's handlers, uapi/bpfimage.h. */
#ifndef STP_USER_BPFREADER_H
#define STP_USER_BPFREADER_H

#include <stdbool.h>
#include <stddef.h>

#include "uapi/bpfimage.h"

struct bpf_insn;

struct bpfparts {
	const struct bpfimage *head;
	struct bpf_insn *instructions;
	const struct bpfimage_function *functions;
	const char *types, *data;
	const struct bpfimage_place *places;
	const char *texts;
};

/*
 * Finds the handlers in a program's file: where they begin, and their bytes. False: it
 * has none, or is damaged.
 */
bool bpfreader_find(const char *file, size_t size, size_t *at, size_t *bytes);
/*
 * Finds the parts of a file, which begins at an address that 8 divides. False: it is not
 * such a file, or part of one; the kernel verifies the instructions.
 */
bool bpfreader_read(void *bytes, size_t size, struct bpfparts *ret);
/* Puts the descriptors of the maps into the instructions that name them. */
void bpfreader_set_maps(const struct bpfparts *parts, const int maps[BPFIMAGE_MAPS]);
/* Moves the loads of a task's name to its place in a task. Only once. */
void bpfreader_set_name(const struct bpfparts *parts, uint32_t at);
/* Replaces calls of a helper of the kernel with its result -1. */
void bpfreader_leave_out(struct bpf_insn *instructions, uint32_t n, int32_t helper);
/* Returns the place in the script that an instruction belongs to; "": none is known. */
const char *bpfreader_place(const struct bpfparts *parts, size_t instruction);

#endif

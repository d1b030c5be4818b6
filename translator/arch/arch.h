/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of an architecture, all that the translator knows of one. Each part is a constant
 * in arch/NAME/; ../runtime/arch/NAME has what modules are compiled with. Nothing outside
 * of these folders may know a register or a machine (tests/cli/arch.sh).
 *
 * To add an architecture: a row in arch.def and the two folders, see doc/architecture.md.
 */
#ifndef STAP_ARCH_H
#define STAP_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct session;

/* The machine, and the kernel's words for it. */
struct arch_machine {
	uint16_t elf;           /* EM_… of kernels and programs, */
	uint16_t elf_32;        /* of 32-bit programs; EM_NONE: there are none */
	const char *kernel_dir; /* its folder below arch/ in the kernel's source */
	/* A member that struct pt_regs has here alone; it tells whose types a file has. */
	const char *own_member;
};

/* Tables to walk programs' stacks by. */
struct arch_unwind {
	/* Returns the slot of a register by its number in DWARF; -1: no stack needs it. */
	int (*slot)(uint64_t reg);
	uint8_t sp;             /* slot of the stack pointer */
	uint64_t return_column; /* DWARF's number of the return address */
	/* The beginning of the CFA's expression in a PLT, up to the place; 0: none. */
	const uint8_t *plt;
	size_t plt_size;
};

#define ARCH_PARTS(PART, name) PART(name, machine) PART(name, unwind)

struct arch {
	const char *name; /* "x86_64" */
#define PART(name, part) const struct arch_##part *part;
	ARCH_PARTS(PART, )
#undef PART
};

#define PART(name, part) extern const struct arch_##part name##_##part;
#define ARCH(name) ARCH_PARTS(PART, name)
#include "arch/arch.def"
#undef ARCH
#undef PART

/* Returns the target's architecture; before there is a target, this machine's. */
const struct arch *arch_of(const struct session *s);
/* Finds by name, or by the ELF header's machine; NULL: it is not supported. */
const struct arch *arch_named(const char *name);
const struct arch *arch_of_machine(uint16_t elf);
/* Returns all names, for messages: "x86_64, …". */
const char *arch_names(struct arena *a);

#endif

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
struct argument;
struct btf;
struct calling_state;
struct session;
struct type_info;

/* The machine, and the kernel's words for it. */
struct arch_machine {
	uint16_t elf;           /* EM_… of kernels and programs, */
	uint16_t elf_32;        /* of 32-bit programs; EM_NONE: there are none */
	const char *kernel_dir; /* its folder below arch/ in the kernel's source */
	/* A member of struct pt_regs that no other machine has. */
	const char *own_member;
};

/* A name of a register, or of a part of it. */
struct arch_register {
	const char *name;
	int number;     /* in DWARF; -1: debuginfo does not refer to it */
	bool at_entry;  /* ftrace saves it at each entry, without being asked to */
};

struct arch_registers {
	const struct arch_register *all; /* ends in one without a name */
	/*
	 * DWARF's numbers of the stack pointer and the next instruction. Probes can read
	 * registers up to ip, which is the last.
	 */
	unsigned sp, ip;
	/* Those of 32-bit programs by their own numbers: the low halves of these. */
	const uint8_t *of_32;
	size_t of_32_count;
	unsigned sp_32; /* the stack pointer's own number there */
};

/* The calling convention, applied to C's types: types/calling.h. */
struct arch_calling {
	/* Finds an argument's place, and takes it. */
	void (*place)(struct session *s, struct btf *b, struct argument *arg,
		      struct calling_state *at);
	/* Takes what an aggregate as result needs at the entry. */
	void (*place_result)(const struct type_info *info, struct calling_state *at);
	/* True: such a result is not, or not all, in registers that probes can read. */
	bool (*holds_floats)(const struct btf *b, uint32_t id, uint64_t size);
	unsigned results[2]; /* registers of a result's words, by DWARF's numbers */
	/* From the CFA at entry to the return address; 0: that is in a register. */
	int return_address;
};

/* Slots by which programs call functions of libraries, and the words they jump by. */
struct arch_plt {
	uint32_t jump_slot, bound_at_start; /* relocations of such words */
	/*
	 * Returns the word that the jump at the code's beginning goes by; 0: there is no
	 * such jump. got is DT_PLTGOT.
	 */
	uint64_t (*word)(const uint8_t *code, size_t len, uint64_t address, uint64_t got);
};

/* Programs and libraries. */
struct arch_programs {
	/* Directories of libraries that the program's own search path does not name. */
	const char *library_dirs;
	const char *loader;
	int32_t ldcache_flags, ldcache_flags_32; /* of libraries, in /etc/ld.so.cache */
	const struct arch_plt *plt, *plt_32;
	/* Relocations of a word with the number, or distance, of a TLS block. */
	uint32_t tls_module, tls_distance;
	/* Returns where a program's own block begins, from the thread pointer. */
	int64_t (*tls_block)(uint64_t size, uint64_t align);
	/*
	 * Calls see() with each address that the instruction at the code's beginning puts
	 * into a register. is_fixed: numbers may be addresses.
	 */
	void (*addresses)(const uint8_t *code, size_t left, uint64_t address, bool is_fixed,
			  void (*see)(void *ctx, uint64_t address), void *ctx);
};

/* Tables to walk programs' stacks by. */
struct arch_unwind {
	/* Returns the slot of a register, by DWARF's number; -1: none needs it. */
	int (*slot)(uint64_t reg);
	uint8_t sp;             /* slot of the stack pointer */
	uint64_t return_column; /* DWARF's number of the return address */
	/* The beginning of the CFA's expression in a PLT, up to the place; 0: none. */
	const uint8_t *plt;
	size_t plt_size;
};

#define ARCH_PARTS(PART, name)                                                                     \
	PART(name, machine)                                                                        \
	PART(name, registers)                                                                      \
	PART(name, calling)                                                                        \
	PART(name, programs)                                                                       \
	PART(name, unwind)

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

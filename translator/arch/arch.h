/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All facts that the translator knows about an architecture. Each part is a constant in
 * arch/NAME/; ../runtime/arch/NAME has the code that is compiled into modules. No code
 * outside of these folders may know a register or a machine (tests/cli/arch.sh).
 *
 * To add an architecture: a row in arch.def and its folders, see doc/new-architecture.md.
 */
#ifndef STAP_ARCH_H
#define STAP_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfi/registers.h"

struct arena;
struct argument;
struct btf;
struct bytes;
struct calling_state;
struct elf64;
struct error;
struct operand;
struct session;
struct type_info;

/* The machine, and the kernel's names for it. */
struct arch_machine {
	uint16_t elf;		 /* EM_… of kernels and programs, */
	uint16_t elf_32;	 /* of 32-bit programs; EM_NONE: there are none */
	const char *kernel_dir;	 /* its folder below arch/ in the kernel's source */
	const char *script_name; /* %( arch == "…" %? */
	const char *cross;	 /* prefix of its cross compilers */
	/* A member of struct pt_regs that no other machine has. */
	const char *own_member;
	const char *const *header_flags; /* for declarations from its headers, ends in NULL */
	const char *no_modules;		 /* why modules are not supported; NULL: they are */
	unsigned watches;		 /* watchpoints at a time; 0: handlers cannot use any */
	uint64_t user_end;		 /* end of processes' memory */
	uint8_t long_double;		 /* bytes of a long double that are used: 10 or 16 */
	bool orders_stores;		 /* others see a processor's stores in their order */
};

/* A name of a register, or of a part of it. */
struct arch_register {
	const char *name;
	int number;    /* its number in DWARF; -1: it has none */
	bool at_entry; /* ftrace always saves it at function entry */
};

struct arch_registers {
	const struct arch_register *all; /* ends in one without a name */
	/*
	 * DWARF's numbers of the stack pointer and the next instruction. Probes can read
	 * registers up to ip, which is the last.
	 */
	unsigned sp, ip;
	/*
	 * The registers of 32-bit programs, by their own numbers: the low halves of
	 * these.
	 */
	const uint8_t *of_32;
	size_t of_32_count;
	unsigned sp_32; /* the stack pointer's own number there */
	/* Vector registers whose low halves probes in 64-bit programs can read. */
	unsigned vectors, vector_count;
};

/* The calling convention, applied to C's types: types/calling.h. */
struct arch_calling {
	/* Finds the place of an argument, and marks it as taken. */
	void (*place)(struct session *s, struct btf *b, struct argument *arg,
		      struct calling_state *at);
	/* Takes the registers that an aggregate result needs at the entry. */
	void (*place_result)(const struct type_info *info, struct calling_state *at);
	/* True: some of such a result is in registers of floating-point numbers. */
	bool (*holds_floats)(const struct btf *b, uint32_t id, uint64_t size);
	/*
	 * Lists the registers of a program's result with floating-point numbers, one for
	 * each of its words, by DWARF's numbers. Returns how many these are; 0: they are
	 * not known. NULL: they never are.
	 */
	unsigned (*mixed_result)(const struct btf *b, uint32_t id, uint64_t size, unsigned ret[2]);
	/* True: place() gives numbers in vector registers their register as number. */
	bool counts_vectors;
	/* Registers of the first arguments that are integers, by DWARF's numbers. */
	const uint8_t *arguments;
	unsigned argument_count;
	unsigned results[2]; /* … of a result's words */
	/*
	 * The register, by DWARF's number, that has the address of a larger result at the
	 * entry, if the address is lost at the return; 0: the first result register has
	 * it then.
	 */
	unsigned place_of_result;
	/*
	 * Distance from the CFA at entry to the return address; 0: that is in a register.
	 */
	int return_address;
};

/* Bootable files: they contain the kernel, packed or plain. */
struct arch_image {
	/* True: the file is a kernel in the form for boot loaders. */
	bool (*is_packed)(const struct bytes *image);
	/* Finds the packed kernel. The error says where the file is malformed. */
	struct error *(*payload)(struct session *s, const struct bytes *image, struct bytes *ret);
	/*
	 * Finds a section, or the range around it, of a kernel that is not an ELF file;
	 * NULL: kernels are ELF files.
	 */
	bool (*section)(const struct bytes *kernel, const char *name, struct bytes *ret);
};

/* Entry points of system calls, by the beginnings of their names. */
struct arch_entry {
	const char *prefix; /* "__ia32_sys_"; NULL: no more */
	bool is_compat;	    /* 32-bit programs enter it */
	bool is_narrow;	    /* and it takes their types */
};

struct declaration {
	const char *name;   /* of a call, without sys_; NULL: no more */
	const char *params; /* between the parentheses */
};

struct arch_syscalls {
	const char *native;		  /* prefix of calls of 64-bit programs */
	const struct arch_entry *entries; /* all; the first match is used */
	/*
	 * The prefixes, before "sys_", of the entry points that the script library calls
	 * "64.", "32." and "compat."; NULL: no entry point is only for 32-bit programs.
	 */
	const char *library[3];
	/*
	 * Patterns of the calls that "32." means, ends in NULL, if the entry points of
	 * other calls also serve 64-bit programs; NULL: it means all calls.
	 */
	const char *const *only_32;
	/*
	 * Prefixes of a call of 32-bit programs, the preferred ones first, ends in NULL.
	 */
	const char *const *compat;
	const char *compat_config; /* "CONFIG_…" of kernels that have such calls */
	/*
	 * "CONFIG_…" of kernels whose linker may inline entry points; NULL: they are
	 * called by their addresses.
	 */
	const char *inlining_config;
	/* Files below generated/asm that list the calls, and a NULL. */
	const char *const *tables;
	/* Calls that no header declares, and whose workers are inlined everywhere. */
	const struct declaration *undeclared;
};

/*
 * Slots through which programs call functions of libraries, and the words that hold their
 * targets.
 */
struct arch_plt {
	uint32_t jump_slot, bound_at_start; /* relocations of such words */
	/*
	 * Returns the address of the word that holds the target of the jump at the
	 * beginning of the code; 0: there is no such jump. got is DT_PLTGOT.
	 */
	uint64_t (*word)(const uint8_t *code, size_t len, uint64_t address, uint64_t got);
};

/* Programs in Go. */
struct arch_go {
	/*
	 * Returns the length of the code at the beginning of a function that checks
	 * whether the stack has room. If there is no room, the function is entered again
	 * on a larger stack. 0: there is no such code.
	 */
	unsigned (*check)(const uint8_t *code, size_t left);
	/* Registers of arguments and results, by DWARF's numbers. */
	const uint8_t *numbers;
	unsigned number_count, float_count; /* the latter from the first vector on */
	int to_frame;			    /* from the stack pointer before a return to the CFA */
};

/* The next instruction after one. */
enum step_flow {
	STEP_GOES_ON,
	STEP_JUMPS,    /* to the target */
	STEP_BRANCHES, /* there, or on */
	STEP_CALLS,
	STEP_ENDS,    /* the function */
	STEP_IS_LOST, /* through a register or a table */
};

enum step_memory {
	STEP_NO_MEMORY,
	STEP_STORES,	    /* to memory at base + distance */
	STEP_TAKES_ADDRESS, /* of that memory */
};

/* A new value of the stack pointer or of the frame pointer. */
struct step_pointer {
	bool is_set;
	int from; /* a register's old value, and the distance; -1: unknown */
	int64_t distance;
};

/* Effects of an instruction; registers are DWARF's numbers. */
#define STEP_VECTORS (UINT64_C(1) << 32)
struct arch_step {
	enum step_flow flow;
	uint64_t next, target;
	/* Bits of registers that may have been written; STEP_VECTORS: any vector. */
	uint64_t written;
	enum step_memory memory;
	int base; /* -1: none, or the memory is not near a register */
	bool is_indexed;
	int64_t distance;
	unsigned size;
	struct step_pointer stack, frame;
};

/* A way by which the flow of a function may leave the function. */
enum leave {
	LEAVE_RETURNS,
	LEAVE_CALLS,
	LEAVE_JUMPS,	/* to the address `to`; perhaps inside the function */
	LEAVE_BY_INDEX, /* by a jump through a table: of a switch, or of functions */
	LEAVE_ANYWHERE, /* by a jump to another address from a register or memory */
};

/* Programs and libraries. */
struct arch_programs {
	/* Directories of libraries that are not in the program's own search path. */
	const char *library_dirs;
	const char *loader;
	int32_t ldcache_flags, ldcache_flags_32; /* of libraries, in /etc/ld.so.cache */
	const struct arch_plt *plt, *plt_32;
	/*
	 * Relocations of a word with the number, or distance, of a TLS block, and of two
	 * words that describe a variable in it.
	 */
	uint32_t tls_module, tls_distance, tls_descriptor;
	/* Returns the distance of a program's own block from the thread pointer. */
	int64_t (*tls_block)(uint64_t size, uint64_t align);
	/* Distance from the thread pointer to the address of the array of blocks. */
	int64_t tls_array;
	/*
	 * Calls see() with each address that the instruction at the beginning of the code
	 * loads into a register. is_fixed: numbers may be addresses.
	 */
	void (*addresses)(const uint8_t *code, size_t left, uint64_t address, bool is_fixed,
			  void (*see)(void *ctx, uint64_t address), void *ctx);
	/*
	 * Returns pad_size, the length of the landing pad at the beginning of the code,
	 * if probes are cheaper after it and no short jump leads back there; otherwise 0.
	 * NULL: they are never cheaper.
	 */
	unsigned (*pad)(const uint8_t *code, size_t left);
	unsigned pad_size;
	/*
	 * Calls see() with the targets of all byte sequences that can be long jumps;
	 * calls are ignored.
	 */
	void (*jumps)(const uint8_t *code, size_t len, uint64_t address,
		      void (*see)(void *ctx, uint64_t to), void *ctx);
	/*
	 * Calls see() with each instruction of that code that may leave a function.
	 * False: some instruction is not known. NULL: instructions are not read.
	 */
	bool (*leaves)(const uint8_t *code, size_t len, uint64_t address,
		       void (*see)(void *ctx, enum leave how, uint64_t at, uint64_t to), void *ctx);
	/*
	 * True: these bytes fill the place between functions; no function begins so. Set
	 * where leaves is.
	 */
	bool (*is_filler)(const uint8_t *code, size_t left);
	const struct arch_go *go; /* NULL: returns in Go cannot be probed */
	/*
	 * Reads the instruction at the beginning of the code. False: it is not known, or
	 * longer than the code. NULL: instructions are not read.
	 */
	bool (*step)(const uint8_t *code, size_t left, uint64_t address, struct arch_step *ret);
	int frame_pointer; /* its number in DWARF */
};

/* Operands of static markers. */
struct arch_marker {
	/* Appends the operations of the text from o->at on: sdt/operand.h. */
	bool (*read)(struct operand *o, uint32_t *ret);
};

/* Modules, and how they are compiled. */
struct arch_module {
	uint32_t address;	  /* relocation of an address of 8 bytes */
	const char *const *flags; /* flags with which options are tried, ends in NULL */
	const char *own_flags;	  /* besides the kernel's */
	/*
	 * A section that, in a module, crashes the kernel on loading unless the kernel's
	 * own build made it; NULL: there is none.
	 */
	const char *fatal_section;
	/* Optional size work on an object; NULL: there is none. */
	void (*fold)(const struct elf64 *o);
	void (*share)(struct arena *a, const struct elf64 *o);
};

/* Guests: vm/arch/NAME has the rest. */
struct arch_guest {
	const char *emulator; /* QEMU's program */
};

/*
 * Functions in which no breakpoint may be placed, although the kernel allows it. A
 * processor that comes online or wakes up calls some of them before its exception table
 * is loaded: a breakpoint there halts the machine without a message. Others are ftrace's
 * trampolines to callbacks, which ftrace copies, including breakpoints, while it runs.
 */
struct arch_kprobes {
	const char *const *refused; /* and a NULL */
};

#define ARCH_PARTS(PART, name)                                                                     \
	PART(name, machine)                                                                        \
	PART(name, registers)                                                                      \
	PART(name, calling)                                                                        \
	PART(name, image)                                                                          \
	PART(name, syscalls)                                                                       \
	PART(name, marker)                                                                         \
	PART(name, programs)                                                                       \
	PART(name, module)                                                                         \
	PART(name, guest)                                                                          \
	PART(name, kprobes)                                                                        \
	PART(name, unwind)

struct arch {
	const char *name; /* "x86_64" */
#define PART(name, part) const struct arch_##part *part;
	ARCH_PARTS(PART, )
#undef PART
};

#define PART(name, part) extern const struct arch_##part name##_##part;
#define ARCH(name)	 ARCH_PARTS(PART, name)
#include "arch/arch.def"
#undef ARCH
#undef PART

/* Returns the target's architecture; before there is a target, this machine's. */
const struct arch *arch_of(const struct session *s);
/*
 * Finds an architecture by either name, or by the machine of an ELF header; NULL: it is
 * not supported.
 */
const struct arch *arch_named(const char *name);
const struct arch *arch_of_machine(uint16_t elf);
/*
 * Returns the architecture of a kernel by its headers, the directory in which its modules
 * are built; this machine's if they do not tell. NULL: it is not supported.
 */
const struct arch *arch_of_headers(struct arena *a, const char *dir);
/*
 * Finds an architecture by a kernel's image, trying this machine's first; NULL: the image
 * is unknown.
 */
const struct arch *arch_of_packed(const struct bytes *image);
/* True: the directory has headers for kernels of that architecture. */
bool arch_has_headers(struct arena *a, const char *dir, const struct arch *arch);
/* True: it is this machine's. */
bool arch_is_own(const struct arch *arch);
/* True: the target's architecture differs from this machine's. */
bool arch_is_foreign(const struct session *s);
/* Returns all names, for messages: "x86_64, …". */
const char *arch_names(struct arena *a);

#endif

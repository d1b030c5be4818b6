/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks, symbols and variables of programs: kernel/program_stack.c. */
#ifndef STP_API_PROGRAM_H
#define STP_API_PROGRAM_H

#include "core/env.h"

struct stp_ctx;

/* The description of an address of the current process. */
struct stp_program_place {
	const char *module;    /* path of the program or library, or "vdso"; NULL: unknown */
	uint64_t offset, size; /* offset of the address in the module; size of the module */
	const char *symbol;    /* NULL: unknown */
	uint64_t symbol_offset, symbol_size;
	const char *file; /* source file; NULL: unknown */
	uint32_t line;
};
/*
 * False: nothing is known. The texts in *ret are valid until the next of these calls. For
 * a return address, it looks up the call instruction before it.
 */
bool stp_program_place(struct stp_ctx *c, uint64_t address, bool is_return,
		       struct stp_program_place *ret);

/* The end of a stack. */
enum stp_program_stack_end {
	STP_STACK_WHOLE,
	STP_STACK_NONE,	      /* no process, or its registers are not accessible here */
	STP_STACK_LIMIT,      /* MAXBACKTRACE */
	STP_STACK_UNREADABLE, /* memory that is not present */
	STP_STACK_ASTRAY,     /* values that cannot be a stack */
	STP_STACK_32,	      /* 32-bit processes are not unwound */
	STP_STACK_BUSY,	      /* the mappings of the process are being changed */
};
struct stp_program_frame {
	uint64_t address;
	bool is_return;		       /* a return address; else it is about to run */
	bool is_guessed;	       /* found by the frame pointer, for lack of a table */
	struct stp_kept_address *kept; /* its cached text; NULL: none */
};
struct stp_program_stack {
	const struct stp_program_frame *frames; /* innermost first */
	unsigned count;
	enum stp_program_stack_end end;
};
/*
 * Unwinds from the registers of the process or, if `start` is not NULL, from the pc, sp
 * and fp in it. The result is valid until the next call.
 */
void stp_program_stack(struct stp_ctx *c, const uint64_t start[3], struct stp_program_stack *ret);
/*
 * Writes the addresses of at most that many frames, separated by blanks, into the storage
 * of a string. Returns the length of the text.
 */
uint32_t stp_program_text(struct stp_ctx *c, char *dst, const struct stp_program_stack *s,
			  uint32_t most);

/*
 * Returns the distance between the addresses of user module number `module` in the
 * current process and those in its file, to read its variables from anywhere. Fails if
 * the process has not mapped the module, or if the distance cannot be found here.
 */
int64_t stp_program_base(struct stp_ctx *c, uint32_t module);
/*
 * The same in BPF programs: by the address of the hit, if it is a point in the file of
 * that path; linked: between addresses and offsets in its code. 0: it is not known.
 */
int64_t stp_bpf_program_base(const struct stp_ctx *c, int64_t linked, const char *path);

/*
 * A program or library that the script names, and the data that the script carries about
 * it.
 */
struct stp_program_segment {
	uint64_t address, offset, size;
	bool is_code;
};
struct stp_program_module {
	const char *path;    /* NULL: the vdso */
	uint64_t size;	     /* of the file */
	uint64_t id_address; /* of the build-id in the program's memory */
	uint64_t id_offset;  /* of the build-id in the file */
	const uint8_t *id;
	uint32_t id_size; /* 0: no build-id */
	uint64_t base;	  /* origin of the addresses in the table */
	const struct stp_program_segment *segments;
	uint32_t nsegments;
	uint32_t table_size;
	/* See core/program_table.h. The size is 0 if only variables are needed. */
	const void *table;
};
struct stp_program_modules {
	const struct stp_program_module *modules;
	uint32_t count;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interface between the files that run DWARF expressions. Private to them.
 *
 *   machine.c     the machine, its operations, and the results of locations
 *   pieces.c      values in pieces
 *   entryvalue.c  values of registers when the function was entered
 *   entryargument.c  parameters that the function has not stored in its frame yet
 */
#ifndef STAP_DWARF_MACHINE_H
#define STAP_DWARF_MACHINE_H

#include "dwarf/location.h"

#define MAX_STACK      64
#define MAX_OPERATIONS 512
#define MAX_CALLS      8  /* frame base, CFA, entry values: each is an expression of its own */
#define MAX_WORDS      64 /* of a value in pieces */

struct machine {
	struct session *s;
	const struct location_frame *f;
	struct location *ret;
	uint32_t stack[MAX_STACK];
	unsigned depth, calls;
	bool in_caller;	     /* registers are those of the caller when it called */
	bool is_value;	     /* the top is the value, not its address */
	uint64_t piece_bits; /* bits placed so far */
	bool pieces;
	const char *problem;
};

const struct arch_registers *machine_registers(const struct machine *m);
/* Returns false and records the reason, unless one is recorded already. */
bool machine_fail(struct machine *m, const char *why);
/* Returns the operation's number. */
uint32_t machine_add(struct machine *m, struct access_operation op);
uint32_t machine_plus(struct machine *m, uint32_t a, int64_t offset);
bool machine_push(struct machine *m, uint32_t op);
bool machine_load(struct machine *m, uint64_t size);
/* Pushes a register of the probed code itself, also when m->in_caller is set. */
bool machine_push_own_register(struct machine *m, uint64_t reg, int64_t offset);
bool machine_push_cfa(struct machine *m);
/* Pushes the function's return address as the stack has it: a return probe's, perhaps. */
bool machine_push_return_address(struct machine *m);

/* Enters an expression inside another one; m->calls goes down when it is done. */
bool machine_enter(struct machine *m);
bool machine_run(struct machine *m, const Dwarf_Op *ops, size_t n, Dwarf_Attribute *attr);

/*
 * Adds a piece of that many bits, from bit `from` of the value or register on the stack,
 * or of memory, or of nothing.
 */
bool pieces_push(struct machine *m, uint64_t bits, uint64_t from);

/* Pushes the value that the caller's register held at the call. */
bool entryvalue_push_callers(struct machine *m, uint64_t reg, int64_t offset);
/*
 * Runs DW_OP_entry_value. At the function's entry it is the register's value;
 * later it is computed from the call sites of callers.
 */
bool entryvalue_push(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr);
/*
 * Finds the operations of a parameter whose location begins after the instructions that
 * clang puts before a function's own: endbr64, and the call or the nops of ftrace. These
 * leave the arguments where the caller has put them.
 */
bool entryvalue_find_argument(struct machine *m, Dwarf_Die *parameter, Dwarf_Attribute *attr,
			      Dwarf_Op **ops, size_t *n);

/*
 * True: the parameter's only place is in the function's own frame, which its first
 * instruction has not set up.
 */
bool entryargument_is_unstored(const struct machine *m, Dwarf_Die *variable, Dwarf_Attribute *attr);
/* True: debuginfo may know the parameter's hidden pointer only after the entry. */
bool entryargument_is_hidden(const struct machine *m, Dwarf_Die *variable);
/* Finds its value by the calling convention; false: the convention may be another one. */
bool entryargument_find(struct machine *m, Dwarf_Die *parameter);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An operand of a marker that is being read: the interface between argument.c and the
 * architectures. All operations are appended to an expression, by number.
 */
#ifndef STAP_SDT_OPERAND_H
#define STAP_SDT_OPERAND_H

#include "sdt/sdt.h"

struct arch;

struct operand {
	struct arena *a;
	const struct arch *arch;
	const struct sdt_file *f;
	const struct sdt_mark *m;
	const char *text, *at;
	unsigned size; /* of the value; 0: unknown */
	bool is_signed;
	const char *symbol;
	int64_t number; /* of the displacement */
	struct access_expression *x;
	struct error *err;
};

struct operand_register {
	unsigned number; /* in DWARF */
	unsigned size;
	unsigned shift;
};

/* Records the reason, unless there is one; returns false. */
bool sdt_operand_fail(struct operand *o, const char *why);

/* Append operations; return their numbers. */
uint32_t sdt_operand_add(struct operand *o, struct access_operation op);
uint32_t sdt_operand_constant(struct operand *o, int64_t number);
uint32_t sdt_operand_binary(struct operand *o, enum op op, uint32_t a, uint32_t b);
uint32_t sdt_operand_register(struct operand *o, const struct operand_register *r);

/*
 * Reads [±] TERM { ± TERM } up to the end or '(': numbers, and at most one symbol. An
 * empty text is 0.
 */
bool sdt_operand_displacement(struct operand *o);
/* Appends the address of the symbol that was read. */
bool sdt_operand_symbol(struct operand *o, uint32_t *ret);

#endif

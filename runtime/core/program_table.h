/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for the code of one program or library: the rules to unwind each of its
 * functions (from .eh_frame), its symbols, and its source lines. It is one block of bytes
 * that the translator makes (translator/unwind) and modules contain. For the kernel and
 * its modules it has only source lines. Addresses are distances from the lowest address
 * of the file's segments, or from a symbol.
 *
 *   struct stp_program_table
 *   uint32_t row_at[nrows]       ascending: the row holds up to the next one
 *   uint16_t row_rule[nrows]     an index of rules
 *   struct stp_unwind_rule rules[nrules]
 *   struct stp_unwind_place places[nplaces]
 *   struct stp_program_symbol symbols[nsymbols]     ascending
 *   struct stp_lineblock blocks[nblocks]        ascending
 *   uint8_t line_bytes[nline_bytes]             the rows of each block but its first
 *   char names[name_bytes]       ends in NUL
 *
 * Each array starts at a multiple of 8. stp_program_table_open() trusts nothing in it.
 */
#ifndef STP_PROGRAM_TABLE_H
#define STP_PROGRAM_TABLE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#define STP_PROGRAM_TABLE_MAGIC 0x32425455 /* "UTB2" */

struct stp_program_table {
	uint32_t magic, size; /* size of the whole table in bytes */
	uint32_t nrows, nrules, nplaces, nsymbols, nblocks, nline_bytes, name_bytes;
};

/*
 * Registers by slots: 16 that the architecture chooses (arch_unwind.h), and the return
 * address.
 */
#define STP_UNWIND_RETURN    16
#define STP_UNWIND_REGISTERS 17

/*
 * The canonical frame address: the value of the stack pointer after the function has
 * returned.
 */
enum stp_unwind_cfa {
	STP_CFA_UNKNOWN,  /* the file has no rule, or an unsupported one */
	STP_CFA_END,	  /* no caller: _start */
	STP_CFA_REGISTER, /* base + offset */
	STP_CFA_MEMORY,	  /* *(base + offset) + offset2 */
	/*
	 * base + offset, and 8 more after the first offset2 bytes of each 16 bytes of
	 * code, because entries of a PLT push a number.
	 */
	STP_CFA_PLT,
	STP_CFA_KINDS
};

/* Places where a frame keeps the registers of its caller. */
struct stp_unwind_rule {
	uint8_t cfa;	   /* enum stp_unwind_cfa */
	uint8_t base;	   /* a register */
	uint8_t is_signal; /* the caller was interrupted, not calling */
	uint8_t nplaces;
	int32_t offset, offset2;
	uint32_t places; /* first of nplaces */
};

#define STP_FROM_CFA  32 /* as `from`: offset from the CFA */
#define STP_FROM_LOST 33 /* value is lost */
struct stp_unwind_place {
	uint8_t reg;
	uint8_t from; /* register relative to which it is stored, or STP_FROM_… */
	uint16_t unused;
	int32_t offset;
};

struct stp_program_symbol {
	uint32_t at, size; /* 0: up to the next one */
	uint32_t name;	   /* offset in names */
};

/* A line applies up to the next row. */
struct stp_program_line {
	uint32_t at, line; /* 0: no line here */
	uint32_t file;	   /* offset in names */
};

/*
 * Kernels have a million rows. So all rows but the first of each block are written as
 * differences from the row before, in LEB128 numbers of a byte or two: twice the
 * distance, plus one if the file differs; then that file; then twice the absolute
 * difference of the lines, minus one if it is negative.
 */
#define STP_BLOCK_LINES 64
struct stp_lineblock {
	struct stp_program_line first;
	/*
	 * Start of the other rows in line_bytes; they end where the rows of the next
	 * block begin.
	 */
	uint32_t rest;
};

/* An opened table. */
struct stp_program_view {
	const uint32_t *row_at;
	const uint16_t *row_rule;
	const struct stp_unwind_rule *rules;
	const struct stp_unwind_place *places;
	const struct stp_program_symbol *symbols;
	const struct stp_lineblock *blocks;
	const uint8_t *line_bytes;
	const char *names;
	uint32_t nrows, nsymbols, nblocks, nline_bytes, name_bytes;
};

/*
 * Opens a table. False: the bytes are not such a table, or are damaged. They must start
 * at a multiple of 8.
 */
bool stp_program_table_open(const void *data, uint32_t size, struct stp_program_view *ret);

/* Look up an address. NULL or false: the table has nothing for it. */
const struct stp_unwind_rule *stp_program_table_rule(const struct stp_program_view *v, uint32_t at);
const struct stp_program_symbol *stp_program_table_symbol(const struct stp_program_view *v,
							  uint32_t at);
bool stp_program_table_line(const struct stp_program_view *v, uint32_t at,
			    struct stp_program_line *ret);

#endif

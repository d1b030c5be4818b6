/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information (.eh_frame, .debug_frame) as rows: each range of code has one
 * rule to compute the caller's registers. The instructions of the information are
 * executed here, once; the result contains only rules.
 */
#ifndef CFI_CFI_H
#define CFI_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/program_table.h"
#include "lib/vec.h"

struct arch_unwind;
struct arena;
struct error;

/*
 * A rule with its places; unused ones are zero, so that rules can be compared byte by
 * byte.
 */
struct cfi_rule {
	struct stp_unwind_rule head; /* .places is not used */
	struct stp_unwind_place places[STP_UNWIND_REGISTERS];
};

struct cfi_row {
	uint64_t at;
	uint32_t rule; /* index */
};

struct cfi_function {
	uint64_t begin, end;
	size_t row, nrows; /* into the rows below: the first begins at `begin` */
};

enum { CFI_RULE_UNKNOWN, CFI_RULE_END, CFI_RULES_KNOWN }; /* the first two rules */

struct cfi {
	struct arena *arena;
	const struct arch_unwind *arch;
	VEC(struct cfi_function) functions;
	VEC(struct cfi_row) rows;
	VEC(struct cfi_rule) rules; /* each once */
	uint32_t *hash;		    /* of rules: index + 1 */
	size_t hash_size;
	/*
	 * The number of functions that are partly left out because their rules are of an
	 * unknown kind.
	 */
	size_t odd;
};

struct cfi_section {
	const char *file; /* for messages */
	const uint8_t *data;
	uint64_t size;
	uint64_t offset; /* in the file */
	uint64_t address;
	bool is_debug; /* .debug_frame */
};

void rules_init(struct cfi *c, struct arena *a, const struct arch_unwind *arch);
/*
 * Adds the functions of a section. An error tells where the section is malformed; the
 * functions before that place were added.
 */
struct error *cfi_read(struct cfi *c, const struct cfi_section *section);

#endif

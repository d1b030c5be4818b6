/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes the instructions of one function's call frame information. Private to this
 * folder.
 */
#ifndef CFI_RULES_H
#define CFI_RULES_H

#include "cfi/bytes.h"
#include "cfi/cfi.h"

struct cie {
	bool is_odd; /* of an unknown kind: its functions are left out */
	bool is_signal;
	bool has_augmentation; /* FDEs have augmentation data, preceded by its size */
	uint8_t encoding;      /* of addresses */
	uint64_t code_factor;
	int64_t data_factor;
	const uint8_t *program, *program_end;
};

/* Returns the number of a rule; equal ones have the same. */
uint32_t rules_index(struct cfi *c, const struct cfi_rule *rule);

/*
 * Adds the function [begin, end) with the rules that the CIE's and the FDE's instructions
 * give.
 */
void rules_run(struct cfi *c, const struct cie *cie, struct cursor *fde, uint64_t begin,
	       uint64_t end);

#endif

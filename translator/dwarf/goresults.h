/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of Go functions, at a return instruction. */
#ifndef STAP_DWARF_GORESULTS_H
#define STAP_DWARF_GORESULTS_H

#include "dwarf/dwarf.h"

/*
 * Makes the access to a result: "return" is the first, others have their names in the
 * source, or "r0", "r1" and so on. ERROR_ABSENT: there is none.
 */
struct error *goresults_access(struct session *s, const struct dwarf_place *p, const char *name,
			       const path_steps *path, bool address_of, struct access *a);
/* Lists them; false: it is not a Go function. */
bool goresults_list(struct session *s, const struct dwarf_place *p, dwarf_names *ret);
/* True: the name in the source is that of a result. */
bool goresults_has(struct session *s, const struct dwarf_place *p, const char *name);
/* True: the function's code has parameters in registers, as since Go 1.17. */
bool goresults_by_registers(const struct dwarf_place *p);
/* Returns the end of the code of the function that begins at the place; 0: not known. */
uint64_t goresults_end(const struct dwarf_place *p);

#endif

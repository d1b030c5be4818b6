/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debuginfo of the target kernel and its modules,
 * and places in them as the running kernel has them.
 */
#ifndef STAP_DWARF_KERNELINFO_H
#define STAP_DWARF_KERNELINFO_H

#include "dwarf/dwarf.h"

/*
 * module NULL: the kernel itself. Looked for in the directories of
 * $SYSTEMTAP_DEBUGINFO_PATH (parted by ':'), else in /usr/lib/debug and the build tree,
 * by path and by build-id. Opened once. ERROR_ABSENT: the text names the package that
 * holds it.
 */
struct error *dwarf_kernel(struct session *s, const char *module, struct dwarf_file **ret);

/*
 * Names the place by a symbol that the running kernel has, and the distance from it.
 * ERROR_ABSENT: there is no such code after boot.
 */
struct error *dwarf_kernel_locate(struct session *s, struct dwarf_place *p);

/*
 * The symbol that an address in a module's code
 * or data is told by, and the distance from it.
 */
struct error *dwarf_module_symbol(struct session *s, struct dwarf_file *f, uint64_t address,
				  const char **symbol, int64_t *distance);

/* Where the symbol lies in the file from which stp_kernel_anchor() counts. */
struct error *dwarf_kernel_anchor(struct session *s, struct dwarf_file *f, uint64_t *ret);

/*
 * The section that holds the address: where it begins;
 * false: none, or one that is not there after the start.
 */
bool dwarf_kernel_section(struct dwarf_file *f, uint64_t address, uint64_t *begin);

/* An address that the expression begins with, and the distance from it. */
struct access_expression *dwarf_from_anchor(struct session *s, struct access_operation anchor,
					    int64_t distance);
/* The access to a variable that has a value only. */
struct error *dwarf_constant(struct session *s, const struct dwarf_global *variable,
			     const path_steps *path, bool address_of, struct access *a);

/*
 * The access to a variable of the kernel, or of a module
 * (else NULL), from anywhere; pattern as for dwarf_global().
 */
struct error *dwarf_kernel_variable(struct session *s, const char *module, const char *pattern,
				    const path_steps *path, bool address_of, struct access *a);

#endif

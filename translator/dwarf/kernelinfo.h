/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debuginfo of the target kernel and its modules, and places in it by the running
 * kernel's symbols.
 */
#ifndef STAP_DWARF_KERNELINFO_H
#define STAP_DWARF_KERNELINFO_H

#include "dwarf/dwarf.h"

/*
 * Opens the debuginfo of a module, or (module NULL) of the kernel itself; once. It is
 * searched in the directories of $SYSTEMTAP_DEBUGINFO_PATH (separated by ':'), else in
 * /usr/lib/debug and the build tree, by path and by build-id. ERROR_ABSENT: the text
 * names the package that holds it.
 */
struct error *dwarf_kernel(struct session *s, const char *module, struct dwarf_file **ret);

/*
 * Names the place by a symbol that the running kernel has, and the distance from it.
 * ERROR_ABSENT: there is no such code after boot.
 */
struct error *dwarf_kernel_locate(struct session *s, struct dwarf_place *p);

/*
 * Finds the symbol by which an address in a module's code or data is found, and the
 * distance from it.
 */
struct error *dwarf_module_symbol(struct session *s, struct dwarf_file *f, uint64_t address,
				  const char **symbol, int64_t *distance);

/* Finds the address in the file of the symbol that stp_kernel_anchor() counts from. */
struct error *dwarf_kernel_anchor(struct session *s, struct dwarf_file *f, uint64_t *ret);

/*
 * Finds the beginning of the section that holds the address; false: there is none, or it
 * is gone after the start.
 */
bool dwarf_kernel_section(struct dwarf_file *f, uint64_t address, uint64_t *begin);

/* Makes an expression for the address at a distance from the anchor. */
struct access_expression *dwarf_from_anchor(struct session *s, struct access_operation anchor,
					    int64_t distance);
/* Makes the access to a variable that has only a value. */
struct error *dwarf_constant(struct session *s, const struct dwarf_global *variable,
			     const path_steps *path, bool address_of, struct access *a);

/*
 * Makes the access to a variable of a module, or (module NULL) of the kernel, from
 * anywhere; pattern as for dwarf_global().
 */
struct error *dwarf_kernel_variable(struct session *s, const char *module, const char *pattern,
				    const path_steps *path, bool address_of, struct access *a);

#endif

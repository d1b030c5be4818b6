/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds Go's table of functions in an ELF file. */
#ifndef STAP_FORMATS_GOSECTION_H
#define STAP_FORMATS_GOSECTION_H

#include <gelf.h>

#include "cfi/gotable.h"

/*
 * Opens the table of a program that begins at `entry`. False: it has none that is known.
 * The table is in the file's mapped bytes.
 */
bool gosection_find(Elf *elf, uint64_t entry, struct gotable *ret);

#endif

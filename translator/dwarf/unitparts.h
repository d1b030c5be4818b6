/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads all units of a large debug file once, in parts, with little memory. libdw keeps
 * the abbreviations and file names of each unit that it has read until the file is
 * closed: 200 MB for a kernel. Here each part of .debug_info is opened as if it were the
 * whole section, and closed before the next one. Private to this folder.
 */
#ifndef STAP_DWARF_UNITPARTS_H
#define STAP_DWARF_UNITPARTS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dwarf_file;
struct session;

struct unit_parts {
	uint8_t *image; /* the file; private, so that its headers can be changed */
	size_t len;
	uint64_t section;	 /* place of .debug_info's header */
	uint64_t info, info_end; /* place of .debug_info */
	uint64_t next;		 /* where the next part begins */
	uint64_t base;		 /* begin of this part in .debug_info: DIEs count from here */
	Elf *elf;
	Dwarf *dwarf; /* this part */
};

/*
 * False: the file is small, or its units refer to each other or to other files, so that
 * it must be read as a whole.
 */
bool unitparts_open(struct session *s, struct dwarf_file *f, struct unit_parts *ret);
/* Closes the part and opens the next one. False: there is none. */
bool unitparts_next(struct unit_parts *x);
/* True: all parts were read; otherwise the file is damaged, or memory is short. */
bool unitparts_close(struct unit_parts *x);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open debug file. Private to this folder. */
#ifndef STAP_DWARF_DEBUGFILE_H
#define STAP_DWARF_DEBUGFILE_H

#include <elfutils/libdwfl.h>

#include "base/hashmap.h"
#include "base/vec.h"
#include "formats/file.h"
#include "dwarf/callsites.h"
#include "dwarf/dwarf.h"
#include "dwarf/unittypes.h"

struct unit_entry {
	Dwarf_Off unit;
	struct unit_types *types;
};

struct unit_sites {
	Dwarf_Off unit;
	call_sites *sites;
};

struct code_symbol {
	const char *name; /* NULL: it is not the only one of its name */
	uint64_t address;
	size_t section;
};

/* Where separate debug files are, unless $SYSTEMTAP_DEBUGINFO_PATH says otherwise. */
#define DEBUGINFO_PATH "+:.debug:/usr/lib/debug"

struct dwarf_file {
	const char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_CFI *cfi[2]; /* .debug_frame, .eh_frame */
	unsigned address_size; /* bytes */
	VEC(struct unit_entry) units; /* whose types have been read */
	const struct dwarf_index *index; /* NULL until index_get() */
	VEC(struct unit_sites) sites;    /* of units that have been asked for them */
	bool is_kernel;                  /* or one of its modules */
	const char *module_name;         /* a kernel's module; NULL: the kernel, or a program */
	/* global.c: what was looked for of variables without a place */
	struct hashmap declared;
	VEC(struct code_symbol) symbols; /* kernel.c: by address */
	bool symbols_read;
	VEC(struct code_symbol) functions; /* find.c: by address, whatever they are called */
	bool functions_read;
};

/* What came of asking for the key's debuginfo: the same answer for each who asks. */
struct dwarf_opened {
	bool is_tried;
	struct dwarf_file *file;
	struct error *failure;
};
/* A new one where nobody has asked. The key is a path, or "module NAME". */
struct dwarf_opened *dwarf_opened(struct session *s, const char *key);

/* As dwarf_open(), of what is in memory; not kept. */
struct error *dwarf_open_bytes(struct session *s, const char *name, const struct bytes *elf,
			       struct dwarf_file **ret);

/* Types of the unit that the DIE is in; read once. */
struct error *dwarf_unit_types(struct session *s, struct dwarf_file *f, Dwarf_Die *any,
			       struct unit_types **ret);
/* global.c: where the variable is defined that dwarf_global() speaks of. */
struct error *dwarf_global_die(struct session *s, struct dwarf_file *f, const char *pattern,
			       Dwarf_Die *ret);
/* libdw's last message, with the file's name. */
struct error *dwarf_failure(struct session *s, const struct dwarf_file *f);

#endif

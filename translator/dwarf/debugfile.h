/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open debug file. Private to this folder. */
#ifndef STAP_DWARF_DEBUGFILE_H
#define STAP_DWARF_DEBUGFILE_H

#include <elfutils/libdwfl.h>

#include "dwarf/callsites.h"
#include "dwarf/dwarf.h"
#include "dwarf/unittypes.h"
#include "formats/file.h"
#include "lib/hashmap.h"
#include "lib/vec.h"

struct unit_entry {
	const void *unit; /* its DIE: offsets in .debug_types are not those in .debug_info */
	struct unit_types *types;
};

struct unit_sites {
	Dwarf_Off unit;
	call_sites *sites;
};

struct slot_paths;

struct code_symbol {
	const char *name; /* NULL: its name is not unique */
	uint64_t address;
	size_t section;
};

/*
 * Directories of separate debug files, unless $SYSTEMTAP_DEBUGINFO_PATH is set.
 */
#define DEBUGINFO_PATH "+:.debug:/usr/lib/debug"

struct dwarf_file {
	const char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_Addr bias;	   /* the offset that libdwfl adds to the addresses of symbols */
	Dwarf_CFI *cfi[2];	   /* .debug_frame, .eh_frame */
	VEC(Dwarf *) splits;	   /* units.c: files of split units that are open, */
	const char *missing_split; /* dwarf_missing_split(), as it is known so far */
	bool splits_known;
	const char *cache_id;		 /* the result of dwarf_cache_id(), once it was called */
	unsigned address_size;		 /* bytes */
	VEC(struct unit_entry) units;	 /* units whose types have been read */
	const struct dwarf_index *index; /* NULL until index_get() */
	VEC(struct unit_sites) sites;	 /* units whose call sites have been read */
	bool is_kernel;			 /* or one of its modules */
	const char *module_name;	 /* a kernel's module; NULL: the kernel, or a program */
	/* global.c: declared variables without a place, as looked up so far. */
	struct hashmap declared;
	struct hashmap definitions;	 /* global.c: of types that units only declare */
	struct hashmap thread_symbols;	 /* threadsymbols.c: offset + 1 by name */
	VEC(struct code_symbol) symbols; /* kernelinfo.c: symbols by address */
	bool symbols_read;
	VEC(struct code_symbol) functions; /* find.c: functions by address, all names */
	bool functions_read;
	VEC(struct slot_paths *) slots; /* slotstores.c: of one function, */
	struct bytes code;		/* and the program with its code */
};

/* The result of asking for the key's debuginfo: every caller gets the same answer. */
struct dwarf_opened {
	bool is_tried;
	struct dwarf_file *file;
	struct error *failure;
};
/*
 * Returns the key's result, a new one when nobody has asked before. The key is a path, or
 * "module NAME".
 */
struct dwarf_opened *dwarf_opened(struct session *s, const char *key);

/* Like dwarf_open(), for a file in memory; the result is not kept. */
struct error *dwarf_open_bytes(struct session *s, const char *name, const struct bytes *elf,
			       struct dwarf_file **ret);

/* Returns the types of the unit that the DIE is in; each unit is read once. */
struct error *dwarf_unit_types(struct session *s, struct dwarf_file *f, Dwarf_Die *any,
			       struct unit_types **ret);
/* Finds the DIE that defines the variable that dwarf_global() describes (global.c). */
struct error *dwarf_global_die(struct session *s, struct dwarf_file *f, const char *pattern,
			       Dwarf_Die *ret);
/*
 * Finds an enumerator as a place sees it: in its function, its unit, then in any unit
 * (global.c).
 */
bool dwarf_enumerator_from(struct session *s, const struct dwarf_place *p, const char *name,
			   Dwarf_Die *type, int64_t *ret);
/*
 * True: the compiler was asked to optimise the function's code, or it is not known
 * (prologue.c).
 */
bool dwarf_may_be_optimised(Dwarf_Die *function);
/*
 * True: LLVM has compiled the function without optimisation: only parameters that are
 * passed by a hidden pointer change their places (prologue.c).
 */
bool dwarf_has_hidden_pointers(Dwarf_Die *function);
/* Returns an error with libdw's last message and the file's name. */
struct error *dwarf_failure(struct session *s, const struct dwarf_file *f);

#endif

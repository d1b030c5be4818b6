/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts from debuginfo, for probe families: places in the code, and the variables,
 * parameters and types that are visible from them. libdw reads it. Types are converted to
 * BTF (unittypes.h), so that all other code handles only one kind. Files are opened on
 * first use and stay open.
 */
#ifndef STAP_DWARF_H
#define STAP_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"
#include "ast/node.h"
#include "lib/vec.h"

struct session;
struct error;
struct btf;
struct dwarf_file; /* one program, library, module or kernel, with its debuginfo */

/*
 * Opens the debuginfo of an ELF file: in it, or in a separate file found by build-id or
 * .gnu_debuglink below the debuginfo path, or fetched by debuginfod when DEBUGINFOD_URLS
 * is set. ERROR_ABSENT if there is none; the text says how to get it.
 */
struct error *dwarf_open(struct session *s, const char *path, struct dwarf_file **ret);

/* Returns the build-id in hexadecimal digits; NULL: the file has none. */
const char *dwarf_build_id(struct session *s, const struct dwarf_file *f);
/*
 * Returns the build-id and an identification of this state of the file and of its
 * separate debug files, to name facts made from them. NULL: there is no build-id.
 */
const char *dwarf_cache_id(struct session *s, struct dwarf_file *f);

/*
 * Names a file of split debuginfo (-gsplit-dwarf) that is not where the compiler wrote
 * it, a package of such files that libdw cannot read, or the file in which dwz -m has
 * collected the common parts of several programs: "/src/x.dwo, which is missing". NULL:
 * none is missing.
 */
const char *dwarf_missing_split(struct session *s, struct dwarf_file *f);

/* One address at which a probe can be placed. */
struct dwarf_place {
	struct dwarf_file *file;
	uint64_t address;     /* as in the file */
	const char *function; /* name of the innermost function there, inlined or not */
	const char *scope;    /* scope of that name, as "geo::Box<int>"; "" or NULL: none */
	/* The symbol that contains the address, with `offset` from its start. */
	const char *symbol;
	uint64_t offset;
	const char *source; /* file name as in the line table */
	unsigned line;
	const char *label; /* label at the address, or NULL */
	bool is_entry;	   /* the function's first instruction */
	bool is_inlined;
	/*
	 * DIE of the copy of the function that the address is in: an offset in
	 * .debug_info.
	 */
	uint64_t instance;
	uint64_t frame; /* the function that the copy is part of: it has the frame base */
};
typedef VEC(struct dwarf_place) dwarf_places;

/*
 * Returns the lines of the function's copy where a variable that is missing at the place
 * can be read, as "12 15-20"; NULL: there are none. Takes a while.
 */
const char *dwarf_readable(struct session *s, const struct dwarf_place *p, const char *name);
/*
 * Makes the access to a variable (name without '$') that is visible at the place, along
 * the path. "name@file" and "name@" mean one outside of functions, as for dwarf_global().
 * ERROR_ABSENT: there is no such variable, or it is missing at this address.
 */
struct error *dwarf_variable(struct session *s, const struct dwarf_place *p, const char *name,
			     const path_steps *path, bool address_of, struct access *a);

/*
 * True: there is a variable of that name, even if it is missing at this address; "name@"
 * as for dwarf_variable().
 */
bool dwarf_sees(struct session *s, const struct dwarf_place *p, const char *name);

/* Finds the value of an enumerator of any unit. */
struct error *dwarf_enumerator(struct session *s, struct dwarf_file *f, const char *name,
			       int64_t *ret);

/*
 * A variable that is visible from a place. dwarf_variables() lists each name once:
 * parameters first, then in the order of the source.
 */
struct dwarf_name {
	const char *name; /* without '$' */
	const char *c_type;
	bool is_parameter;
	/*
	 * It is optimised out at this address; one in a register that no probe can read
	 * counts as present.
	 */
	bool is_absent;
};
typedef VEC(struct dwarf_name) dwarf_names;
void dwarf_variables(struct session *s, const struct dwarf_place *p, dwarf_names *ret);

/*
 * A variable outside of functions, "name", "name@" or "name@file": the end of a file's
 * path, as in places. If several have the name, the one that is visible to other files is
 * used, else the first. ERROR_ABSENT: there is none. The address is that in the file.
 */
struct dwarf_global {
	const char *name;
	uint64_t address;
	struct btf *btf;
	uint32_t type;
	bool is_thread_local; /* the address is the offset in a thread's block */
	bool is_constant;     /* the address is its value: it is not in memory */
};
struct error *dwarf_global(struct session *s, struct dwarf_file *f, const char *pattern,
			   struct dwarf_global *ret);

/*
 * The same for a variable that units only declare, as linker scripts and assembly define
 * some: its symbol gives the address. "NAME@FILE": declared by that unit. ERROR_ABSENT:
 * there is no declaration, or no symbol.
 */
struct error *dwarf_declared(struct session *s, struct dwarf_file *f, const char *name,
			     struct dwarf_global *ret);
/* True: the unit of the place declares a variable of that name. */
bool dwarf_declares(const struct dwarf_place *p, const char *name);

/* Finds a type by its C name, in the first unit that defines it. */
struct error *dwarf_type(struct session *s, struct dwarf_file *f, const char *name,
			 struct btf **btf, uint32_t *ret);

/*
 * True: the function's unit is C or C++ of 64 bits, whose convention dwarf_variable()
 * applies at the entry as far as it is certain.
 */
bool dwarf_passes_as_c(const struct dwarf_place *p);
/* True: the function returns a class of C++ by the address that its caller passes. */
bool dwarf_returns_by_address(const struct dwarf_place *p);

/*
 * True: the address of a large result is in no register at the return. LLVM leaves it out
 * of functions of Rust that only their own unit calls.
 */
bool dwarf_loses_result_place(const struct dwarf_place *p);
/*
 * Returns the reason why the result of the function at the place may be elsewhere than
 * C's convention says, or nowhere; NULL: it is there.
 */
const char *dwarf_result_problem(struct session *s, const struct dwarf_place *p);
/* The same for a C function of which only the symbol is known. */
const char *dwarf_copy_problem(const char *symbol);
/* Finds the type that the function at the place returns: *type is 0 for void. */
struct error *dwarf_return_type(struct session *s, const struct dwarf_place *p, struct btf **btf,
				uint32_t *type);

#endif

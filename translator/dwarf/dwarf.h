/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What debuginfo knows, for probe families: places in the code, and the variables,
 * parameters and types that are seen from them. libdw reads it; types come out as BTF
 * (unittypes.h), so that everything else handles one kind. Files are opened on first use
 * and stay open.
 */
#ifndef STAP_DWARF_H
#define STAP_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"
#include "ast/node.h"
#include "base/vec.h"

struct session;
struct error;
struct btf;
struct dwarf_file; /* one program, library, module or kernel, with its debuginfo */

/*
 * Debuginfo of an ELF file: in it, or in a separate file found by build-id or
 * .gnu_debuglink below the debuginfo path, or fetched by debuginfod when DEBUGINFOD_URLS
 * is set. ERROR_ABSENT when there is none; the text says how to get it.
 */
struct error *dwarf_open(struct session *s, const char *path, struct dwarf_file **ret);

/* In hexadecimal digits; NULL: the file has none. */
const char *dwarf_build_id(struct session *s, const struct dwarf_file *f);

/* One address at which a probe can stand. */
struct dwarf_place {
	struct dwarf_file *file;
	uint64_t address;     /* as in the file */
	const char *function; /* name of the innermost function there, inlined or not */
	const char *scope;    /* that the name is in, as "geo::Box<int>"; "" or NULL: none */
	/* the symbol that the address lies in, with `offset` from its start */
	const char *symbol;
	uint64_t offset;
	const char *source;   /* file name as in the line table */
	unsigned line;
	const char *label;    /* that stands there, or NULL */
	bool is_entry;        /* the function's first instruction */
	bool is_inlined;
	/* the function's DIE: of the copy that is here. An offset in .debug_info */
	uint64_t instance;
	uint64_t frame;       /* the function that the copy stands in: has the frame base */
};
typedef VEC(struct dwarf_place) dwarf_places;

/*
 * Lines of the function's copy at which a variable can be read that is not there at the
 * place, as "12 15-20"; NULL: at none. Takes a while.
 */
const char *dwarf_readable(struct session *s, const struct dwarf_place *p, const char *name);
/*
 * The access to a variable (name without '$') seen from the place, along the path;
 * "name@file" and "name@" mean one outside of functions, as for dwarf_global().
 * ERROR_ABSENT: no such variable, or it is not there at this address.
 */
struct error *dwarf_variable(struct session *s, const struct dwarf_place *p, const char *name,
			     const path_steps *path, bool address_of, struct access *a);

/* The value of an enumerator of any unit. */
struct error *dwarf_enumerator(struct session *s, struct dwarf_file *f, const char *name,
			       int64_t *ret);

/* All of those, each name once: parameters first, then in the order of the source. */
struct dwarf_name {
	const char *name;   /* without '$' */
	const char *c_type;
	bool is_parameter;
	/*
	 * optimised out at this address; in a register
	 * that no probe can read it is there all the same
	 */
	bool is_absent;
};
typedef VEC(struct dwarf_name) dwarf_names;
void dwarf_variables(struct session *s, const struct dwarf_place *p, dwarf_names *ret);

/*
 * A variable outside of functions, "name", "name@" or "name@file": a file's end as in
 * places. Of several of one name the one that other files see is meant. ERROR_ABSENT:
 * there is none. Its address is that in the file.
 */
struct dwarf_global {
	const char *name;
	uint64_t address;
	struct btf *btf;
	uint32_t type;
	bool is_thread_local; /* the address is the offset in a thread's block */
	bool is_constant;     /* the address is its value: it stands nowhere */
};
struct error *dwarf_global(struct session *s, struct dwarf_file *f, const char *pattern,
			   struct dwarf_global *ret);

/*
 * The same of a variable that units only declare, as linker scripts and assembly define
 * some: its symbol says where it stands. "NAME@FILE": as that unit does. ERROR_ABSENT:
 * there is no declaration, or no symbol.
 */
struct error *dwarf_declared(struct session *s, struct dwarf_file *f, const char *name,
			     struct dwarf_global *ret);
/* The unit of the place declares a variable of that name. */
bool dwarf_declares(const struct dwarf_place *p, const char *name);

/* A type by C name, in the first unit that has it whole. */
struct error *dwarf_type(struct session *s, struct dwarf_file *f, const char *name,
			 struct btf **btf, uint32_t *ret);

/* The type of what the function at the place returns: *type is 0 for void. */
struct error *dwarf_return_type(struct session *s, const struct dwarf_place *p, struct btf **btf,
				uint32_t *type);

#endif

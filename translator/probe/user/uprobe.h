/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in programs: declarations that uprobe.c shares with uprobe_find.c and mark.c.
 */
#ifndef STAP_PROBE_UPROBE_H
#define STAP_PROBE_UPROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "dwarf/dwarf.h"
#include "dwarf/find.h"
#include "kernel/functions.h"
#include "types/calling.h"
#include "probe/probe.h"
#include "probe/which_program.h"
#include "probe/function/suffix.h"

extern const struct probe_family probe_family_uprobe;

/* The family's derived->data. */
struct uprobe {
	const struct executable *program;
	const struct program_file *where;
	const char *name;   /* of the function */
	const char *symbol; /* symbol by which it was found, or NULL */
	uint64_t address;
	struct point_suffix suffix;
	bool optional;
	bool has_place;
	struct dwarf_place place;
	/* .return in Go: the point is at a return instruction */
	bool at_return;
	/*
	 * .return of a function that an exception may leave: the point is at a return
	 * instruction
	 */
	bool at_site;
	/* … the address where values of the entry are saved; 0: there are none */
	uint64_t entry;
	const struct derived *first;   /* … the point at the function's first return */
	bool is_slot;		       /* .plt: a call of the function in some library */
	const struct dwarf_call *call; /* counts only when called from there; NULL: from anywhere */
	/*
	 * Return probes on code that was not optimised: the calling convention defines
	 * where parameters are at entry.
	 */
	bool by_convention;
	struct kernel_function prototype;
	arguments args;
	bool asked_prototype, is_declared; /* the prototype is that of the C library's headers */
};

/* Finds the concrete points for a point of the script. */
struct error *uprobe_find_resolve(struct session *s, const struct point *p, derived_list *ret);

/* Returns the file, or the program that uses it, when it switches stacks; else NULL. */
const struct executable *uprobe_find_switching(const struct program_file *where);

/* Returns the part of a point that --runtime=bpf does not support, or NULL. */
const char *uprobe_find_obstacle(const struct program_file *where, const struct derived *d);

#endif

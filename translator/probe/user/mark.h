/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static markers of programs: uprobe.c, which knows the program, calls these functions of
 * mark.c.
 */
#ifndef STAP_PROBE_MARK_H
#define STAP_PROBE_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/which_program.h"
#include "probe/probe.h"

/* The program whose markers are probed. */
struct mark_program {
	struct executable *program;
	const struct program_file *where;
	bool optional;
};

/* Appends the markers that match components i and on. */
struct error *mark_resolve(struct session *s, const struct point *p, unsigned i,
			   const struct mark_program *program, derived_list *ret);

#endif

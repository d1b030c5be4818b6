/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static markers of programs, between uprobe.c, which knows the program, and mark.c. */
#ifndef STAP_PROBE_MARK_H
#define STAP_PROBE_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "debuginfo/executable.h"
#include "probe/probe.h"

/* Whose markers are meant. */
struct mark_program {
	struct executable *program;
	int64_t pid;
	const char *prefix; /* "process(\"/bin/ls\")" */
	bool optional;
};

/* Component i of the point is .mark or .provider. */
bool mark_is(const struct point *p, unsigned i);
/* Appends the markers that match components i and on. */
struct error *mark_resolve(struct session *s, const struct point *p, unsigned i, const struct mark_program *program, derived_list *ret);

/* uprobe.c: the fields that the generated points of both have. */
struct strbuf;
void uprobe_emit_place(struct strbuf *b, const struct executable *p, uint64_t offset, int64_t pid, bool optional);

/* NULL for points that are no markers. */
const char *mark_name(const struct derived *d);
const char *mark_provider(const struct derived *d);

#endif

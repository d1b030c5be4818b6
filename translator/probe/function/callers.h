/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .callee in generated code: the places from which a function must be called for the call
 * to count.
 */
#ifndef STAP_PROBE_CALLERS_H
#define STAP_PROBE_CALLERS_H

#include "dwarf/find.h"

struct derived;
struct strbuf;
struct writer;

/*
 * Emits the table of callers before the point, which is at `address`. Emits nothing if
 * the point is not restricted to certain callers; `call` may be NULL.
 */
void callers_emit_table(struct session *s, const struct derived *d, const struct dwarf_call *call,
			uint64_t address, struct writer *w);
/* Appends ", .callers = …" to the point. */
void callers_emit(const struct derived *d, const struct dwarf_call *call, struct strbuf *b);

#endif

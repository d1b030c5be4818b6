/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points in programs: what uprobe.c shares with mark.c and target.c. */
#ifndef STAP_PROBE_UPROBE_H
#define STAP_PROBE_UPROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "probe/program.h"

struct strbuf;

/* The fields that all generated points in programs have. */
void uprobe_emit_place(struct strbuf *b, const struct program_file *where, uint64_t offset, bool optional);

/* The function that a slot (.plt) is for; NULL for points that are none. */
const char *uprobe_slot(const struct derived *d);

#endif

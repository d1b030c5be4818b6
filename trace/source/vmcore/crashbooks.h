/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The books in a dump, as the text that the module would have given (uapi/msg.h). */
#ifndef TRACE_SOURCE_VMCORE_CRASHBOOKS_H
#define TRACE_SOURCE_VMCORE_CRASHBOOKS_H

#include <stddef.h>

struct crashtext;
struct tables;

/*
 * Returns the text (malloc). NULL: there is no memory, or a part of the books is not in
 * the dump, which was reported.
 */
char *crashbooks_text(const struct crashtext *c, const struct tables *t, size_t *len);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread-local variables of programs and libraries. */
#ifndef STAP_DWARF_THREAD_H
#define STAP_DWARF_THREAD_H

#include <stdint.h>

struct session;
struct error;
struct access_expression;

/*
 * Operations for the address of the variable that stands at the offset in the block of
 * the file at the path, in the thread at hand. `loaded` is the operation that tells how
 * far the process has the file from the addresses in it. ERROR_ABSENT: nothing in the
 * file tells.
 */
struct error *thread_variable(struct session *s, const char *path, struct access_expression *x,
			      uint32_t loaded, int64_t offset, uint32_t *ret);

#endif

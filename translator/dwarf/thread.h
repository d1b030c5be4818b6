/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread-local variables of programs and libraries. */
#ifndef STAP_DWARF_THREAD_H
#define STAP_DWARF_THREAD_H

#include <stdint.h>

struct session;
struct error;
struct access_expression;

/*
 * Adds operations for the address of a thread-local variable in the current thread;
 * offset is its offset in the block of the file at the path. `loaded` is the operation
 * for the distance between the file as it is loaded and its own addresses. ERROR_ABSENT:
 * nothing in the file tells where the block is.
 */
struct error *thread_variable(struct session *s, const char *path, struct access_expression *x,
			      uint32_t loaded, int64_t offset, uint32_t *ret);

#endif

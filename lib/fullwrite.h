/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a text of any length to a descriptor. */
#ifndef STAP_LIB_FULLWRITE_H
#define STAP_LIB_FULLWRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes all of it, and waits where the descriptor does not. False: part of it could not
 * be written, for the reason in errno.
 */
bool fullwrite(int fd, const void *bytes, size_t len);

#endif

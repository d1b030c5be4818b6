/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening raw files for stapio/join.c: what their
 * headers say, and whether they belong together.
 */
#ifndef STAPIO_JOIN_FILE_H
#define STAPIO_JOIN_FILE_H

#include <stdint.h>

/* "FILE: offset N: …" */
void join_file_damaged(const char *name, uint64_t offset, const char *what);

#endif

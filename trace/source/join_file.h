/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens raw files for trace/source/rawfile.c: reads their headers, and checks that they
 * belong together.
 */
#ifndef TRACE_SOURCE_JOIN_FILE_H
#define TRACE_SOURCE_JOIN_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct join_part;

/* "FILE: offset N: …" */
void join_file_damaged(const char *name, uint64_t offset, const char *what);
/* Checks a header. False: it is not one, which was reported. */
bool join_file_check(const struct join_part *p);

#endif

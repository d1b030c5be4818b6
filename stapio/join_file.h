/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens raw files for stapio/join.c: reads their headers, and checks that they belong
 * together.
 */
#ifndef STAPIO_JOIN_FILE_H
#define STAPIO_JOIN_FILE_H

#include <stdint.h>

/* "FILE: offset N: …" */
void join_file_damaged(const char *name, uint64_t offset, const char *what);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates files and directories for --to. They must be new, because an existing one may
 * be somebody's data.
 */
#ifndef TRACE_SINK_NEWFILE_H
#define TRACE_SINK_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

/* Creates a file. Returns a descriptor for writing; -1: it failed, which was reported. */
int newfile_open(const char *file);
/* Creates a file for stdio. NULL: it failed, which was reported. */
FILE *newfile_stream(const char *file);
/* Closes it. False: not everything could be written, which was reported. */
bool newfile_close(FILE *f, const char *file);
/* Creates a directory. False: it failed, which was reported. */
bool newfile_directory(const char *dir);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and directories that --to makes: new ones only, since what is there may be
 * somebody's data.
 */
#ifndef TRACE_SINK_NEWFILE_H
#define TRACE_SINK_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

/* Makes a file. Returns a descriptor to write to; -1: it has been reported. */
int newfile_open(const char *file);
/* Makes a file for stdio. NULL: it has been reported. */
FILE *newfile_stream(const char *file);
/* Closes it. False: not all of it could be written, which has been reported. */
bool newfile_close(FILE *f, const char *file);
/* Makes a directory. False: it has been reported. */
bool newfile_directory(const char *dir);

#endif

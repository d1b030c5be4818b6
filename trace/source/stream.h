/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a run from a stream (uapi/rawfile.h), which
 * trace/form/streamform.c writes and stap-merge gets on standard input.
 */
#ifndef TRACE_SOURCE_STREAM_H
#define TRACE_SOURCE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

struct join;
struct output;

/*
 * Reads the beginning of a stream, which the caller closes. False: it is not a stream,
 * which was reported.
 */
bool stream_open(struct join *j, FILE *in, struct output *o);

#endif

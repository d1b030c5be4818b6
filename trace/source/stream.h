/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a run out of a stream (uapi/rawfile.h), which trace/form/streamform.c
 * has written: what stap-merge reads from standard input.
 */
#ifndef TRACE_SOURCE_STREAM_H
#define TRACE_SOURCE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

struct join;
struct output;

/*
 * Reads the beginning of a stream, which the caller closes. False: it is none, which has
 * been reported.
 */
bool stream_open(struct join *j, FILE *in, struct output *o);

#endif

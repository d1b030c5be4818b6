/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file of a sink that records are appended to. What has been said to be stored is
 * in it, whole; when writing fails, the file ends there. So the file, and what was said
 * of it, are the same at every moment, but for what a killed process had begun to write.
 */
#ifndef TRACE_SINK_WHOLEFILE_H
#define TRACE_SINK_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct stored;

struct wholefile {
	int fd; /* -1: it could not be made */
	const char *name;
	struct stored *stored; /* or NULL */
	uint8_t *buf;
	size_t used;
	uint64_t written, whole; /* bytes of the file; up to here it has whole records */
	time_t since;		 /* the last writing */
	bool failed;		 /* which has been reported */
};

/* All that return bool: false, it cannot be done, which has been reported. */

/* Makes the file. */
bool wholefile_open(struct wholefile *f, const char *name, struct stored *stored);
bool wholefile_put(struct wholefile *f, const void *bytes, size_t len);
/* Writes what stands before the first record. */
bool wholefile_begun(struct wholefile *f);
/* Takes note of the end of a record: about once a second all of them are written. */
bool wholefile_record(struct wholefile *f);
/* Writes the rest, and closes what could be opened. */
bool wholefile_close(struct wholefile *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file to which a sink appends records. Every record that was reported as stored is
 * in the file in full. If writing fails, the file ends there. So the file always agrees
 * with the reports, except for a record that a killed process had begun to write.
 */
#ifndef TRACE_SINK_WHOLEFILE_H
#define TRACE_SINK_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct stored;

struct wholefile {
	int fd; /* -1: it could not be created */
	const char *name;
	struct stored *stored; /* or NULL */
	uint8_t *buf;
	size_t used;
	uint64_t written, whole; /* bytes of the file; the records are complete up to `whole` */
	time_t since;		 /* of the last write */
	bool failed;		 /* this was reported */
};

/* All functions that return bool return false on failure, after reporting it. */

/* Creates the file. */
bool wholefile_open(struct wholefile *f, const char *name, struct stored *stored);
bool wholefile_put(struct wholefile *f, const void *bytes, size_t len);
/* Writes the bytes before the first record. */
bool wholefile_begun(struct wholefile *f);
/* Marks the end of a record. All records are written about once a second. */
bool wholefile_record(struct wholefile *f);
/* Writes the rest and closes the file, if it could be opened. */
bool wholefile_close(struct wholefile *f);

#endif

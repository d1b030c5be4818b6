/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw files (-b): the records of one ring as they come, in files that tell all that is
 * needed to make text of them.
 *
 *   file:    struct raw_header | module | host | formats | probes | padding to 8 | record
 *            … | RAW_END
 *   formats, probes: tables as uapi/msg.h has them
 *   record:  as in uapi/record.h, and two kinds more:
 *     RAW_BOOKS  a piece of the books of the run, and of lines "ring RING HITS": in the
 *                last file of the sleeping probes' ring
 *     RAW_END    struct raw_end: nothing comes after it. A file without it was cut short.
 *
 * All numbers are little-endian. A ring that is written to several files, one after the
 * other (-S), has them numbered from 0 (`part`).
 */
#ifndef STAPIO_RAW_H
#define STAPIO_RAW_H

#include <stdbool.h>
#include <stdint.h>

#include "stapio/output.h"
#include "uapi/record.h"

#define RAW_MAGIC   "STAPRAW\n"
#define RAW_VERSION 2
/* Files of version 1 say no fields behind their formats; records are the same. */
#define RAW_VERSION_1 1
#define RAW_ABI_1     4

struct raw_header {
	char magic[8];
	uint32_t version, abi;
	uint32_t bytes; /* of all that stands before the first record */
	uint32_t ring, nrings, part;
	uint32_t module_bytes, host_bytes;
	uint32_t nformats, nprobes;
	uint32_t formats_bytes, probes_bytes;
	/*
	 * the same in all files of a run, and in no other: CLOCK_REALTIME ns at its start
	 */
	uint64_t session;
	uint64_t monotonic; /* CLOCK_MONOTONIC ns at the same time */
};
_Static_assert(sizeof(struct raw_header) == 72, "part of the file");

enum { RAW_BOOKS = 0xfe, RAW_END = 0xff };

struct raw_end {
	uint64_t hits; /* whose records are in this file */
	uint64_t last;	  /* 1: no part comes after this one */
};

struct module;
struct tables;

struct raw_ring {
	struct output output;
	uint32_t part;
	uint64_t hits, hits_before; /* of all its files; before the one being written */
	bool is_open;
};

struct raw {
	struct raw_header header;
	const struct tables *tables;
	struct filename pattern;
	struct rotation rotation;
	struct raw_ring *rings;
	uint64_t bytes;
	bool (*wait)(void *ctx, int fd); /* as an output's */
	void *wait_ctx;
};

/*
 * Prepares the files, which are made when there is something to write. Returns 0 or
 * -errno.
 */
int raw_init(struct raw *r, const struct filename *pattern, const struct rotation *rotation,
	     const struct tables *t, uint32_t nrings);
/*
 * Writes whole records of a ring. Returns 0, or -errno when its file could not be made;
 * raw_close() reports other errors.
 */
int raw_write(struct raw *r, unsigned ring, const void *records, size_t size);
void raw_flush(struct raw *r);
void raw_next_files(struct raw *r);
void raw_look_at_clock(struct raw *r);
bool raw_failed(const struct raw *r);
/*
 * Ends the files; books is the text of the books, or NULL.
 * False: something was not written, which has been reported.
 */
bool raw_close(struct raw *r, const char *books);
/*
 * Returns the names of the files that are there, for stapio/join.h, after raw_close().
 * The caller frees the array only.
 */
char **raw_names(const struct raw *r, unsigned *ret);
void raw_deinit(struct raw *r);

#endif

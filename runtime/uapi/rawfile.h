/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of records: raw files of -b, one for each ring (trace/source/raw.h), and streams,
 * which carry the records of all rings in order to programs that write them in other
 * forms (stap-merge --to KIND:WHERE -).
 *
 *   file:    struct raw_header | module | host | formats | probes | padding to 8 | record
 *            ... | RAW_END
 *   formats, probes: tables as in uapi/msg.h
 *   record:  as in uapi/record.h, and further kinds:
 *     RAW_RING   in streams: the records that follow are of ring `probe`
 *     RAW_RESUME in streams, the first: struct raw_resume; this stream continues another
 *     RAW_MESSAGE in streams of other machines: a warning of stapio's own; flags 1: an
 *                error
 *     RAW_LOOK   in streams of other machines: the books and values before it are
 *                intermediate ones; later ones replace them
 *     RAW_VALUES in streams of other machines: a piece of the values of globals
 *                (uapi/globals.h), after the lines of the file `about` (uapi/status.h)
 *     RAW_BOOKS  a piece of the books of the run, and, in raw files, of lines "ring RING
 *                HITS"
 *     RAW_MARK   struct raw_mark, in raw files: about every 256 KB, for readers that
 *                search for a time without reading everything. Its record has the time
 *                of the one before it, which is the latest in the file so far
 *     RAW_END    struct raw_end: nothing comes after it. A file without it was cut short.
 *
 * A program that reads a stream on behalf of its writer reports the stored records in
 * another file, which both have open (stap-merge --stored FD): uint64_t records[nprobes +
 * 1], the stored records of each probe, and last those of no probe. A record here is all
 * output of a hit: parts with RECORD_MORE count as one. Stored records survive however
 * the reader ends.
 *
 * All numbers are little-endian.
 */
#ifndef STP_UAPI_RAWFILE_H
#define STP_UAPI_RAWFILE_H

#include <stdint.h>

/* Eight bytes; the attribute tells gcc 15 that they are not NUL-terminated. */
#if defined(__has_attribute)
#if __has_attribute(nonstring)
#define RAW_EIGHT __attribute__((nonstring))
#endif
#endif
#ifndef RAW_EIGHT
#define RAW_EIGHT
#endif
#define RAW_MAGIC   "STAPRAW\n"
#define RAW_VERSION 3
/* Files of version 2 have no marks. */
#define RAW_VERSION_2 2
/* Files of version 1 have no fields after their formats; records are the same. */
#define RAW_VERSION_1 1
#define RAW_ABI_1     4

struct raw_header {
	char magic[8] RAW_EIGHT;
	uint32_t version, abi;
	uint32_t bytes; /* of everything before the first record */
	uint32_t ring, nrings, part;
	uint32_t module_bytes, host_bytes;
	uint32_t nformats, nprobes;
	uint32_t formats_bytes, probes_bytes;
	/*
	 * the same in all files of a run, and in no other run: CLOCK_REALTIME ns at its
	 * start
	 */
	uint64_t session;
	uint64_t monotonic; /* CLOCK_MONOTONIC ns at the same time */
};
_Static_assert(sizeof(struct raw_header) == 72, "part of the file");

#define RAW_STREAM UINT32_MAX /* header.ring: the records of all rings */

enum {
	RAW_VALUES = 0xf8,
	RAW_LOOK = 0xf9,
	RAW_MESSAGE = 0xfa,
	RAW_RESUME = 0xfb,
	RAW_MARK = 0xfc,
	RAW_RING = 0xfd,
	RAW_BOOKS = 0xfe,
	RAW_END = 0xff
};

/*
 * Precedes the rest of a stream that a database has not received: the state of the
 * database.
 */
struct raw_resume {
	uint64_t hits;	/* before the rest */
	uint64_t rows;	/* that the database had received by then */
	uint64_t check; /* over them */
};

#define RAW_MARK_MAGIC "STAPMARK"

struct raw_mark {
	char magic[8] RAW_EIGHT;
	uint64_t session; /* as the header has it */
	uint64_t offset;  /* of the mark's record in the file */
	uint64_t hits;	  /* whose records are before it */
};
_Static_assert(sizeof(struct raw_mark) == 32, "part of the file");

struct raw_end {
	uint64_t hits; /* whose records are in this file */
	uint64_t last; /* 1: no part follows this one */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw files (-b): the records of one ring as they come, in files that tell all that is
 * needed to make text of them.
 *
 * uapi/rawfile.h has their layout. The books stand in the last file of the sleeping
 * probes' ring.
 *
 * All numbers are little-endian. A ring that is written to several files, one after the
 * other (-S), has them numbered from 0 (`part`).
 */
#ifndef TRACE_SOURCE_RAW_H
#define TRACE_SOURCE_RAW_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/form/form.h"
#include "trace/output.h"
#include "uapi/rawfile.h"
#include "uapi/record.h"

struct module;
struct tables;

struct raw_ring {
	struct output output;
	uint32_t part;
	uint64_t hits, hits_before; /* of all its files; before the one being written */
	uint64_t marked;	    /* offset behind the last mark, or the header */
	bool is_open;
};

struct records;

struct raw {
	struct form form;
	struct raw_header header;
	const struct tables *tables;
	struct filename pattern;
	struct rotation rotation;
	struct raw_ring *rings;
	uint64_t bytes;
	uint64_t mark_every;		 /* so many bytes, or a few more */
	bool (*wait)(void *ctx, int fd); /* as an output's */
	void *wait_ctx;
};

#define RAW_RINGS_MAX 8193 /* CPUs of the largest kernel, and the sleeping probes' */

/* True: the lengths in the header fit together, and it has no more than `most` bytes. */
static inline bool raw_header_fits(const struct raw_header *h, uint64_t most)
{
	uint64_t used = sizeof(*h) + (uint64_t)h->module_bytes + h->host_bytes + h->formats_bytes +
			h->probes_bytes;

	return h->bytes <= most && h->bytes % 8 == 0 && used <= h->bytes && h->bytes - used < 8;
}

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
/*
 * Returns where whole records of a ring can be read to, at most *room bytes, which is at
 * least MERGE_BUFFER_MIN; raw_took() then takes them. NULL: not in these files, or not
 * now; raw_write() does it.
 */
char *raw_place(struct raw *r, unsigned ring, size_t *room);
void raw_took(struct raw *r, unsigned ring, size_t size);
/* Has records, which come with their rings, written into the files. */
void raw_start(struct raw *r, struct records *records);
/*
 * Returns the pattern of the files' names for -o OUTPUT, or without it (NULL): what -b
 * and -M leave. malloc; NULL: no memory.
 */
char *raw_pattern(const char *output);
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
 * Returns the names of the files that are there, for trace/source/join.h, after
 * raw_close(). The caller frees the array only.
 */
char **raw_names(const struct raw *r, unsigned *ret);
void raw_deinit(struct raw *r);

#endif

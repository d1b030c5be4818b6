/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes raw files (-b): the records of one ring as they come, in files that contain
 * everything that is needed to turn them into text.
 *
 * uapi/rawfile.h has their layout. The books are in the last file of the ring of sleeping
 * probes.
 *
 * All numbers are little-endian. If a ring is written to several files, one after the
 * other (-S), they are numbered from 0 (`part`).
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
	uint64_t hits, hits_before; /* in all its files; before the file being written */
	uint64_t marked;	    /* offset after the last mark, or the header */
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
	uint64_t mark_every;		 /* bytes between two marks, or a few more */
	bool (*wait)(void *ctx, int fd); /* as an output's */
	void *wait_ctx;
};

#define RAW_RINGS_MAX 8193 /* CPUs of the largest kernel, and the ring of sleeping probes */

/* True: the lengths in the header are consistent and do not exceed `most` bytes. */
static inline bool raw_header_fits(const struct raw_header *h, uint64_t most)
{
	uint64_t used = sizeof(*h) + (uint64_t)h->module_bytes + h->host_bytes + h->formats_bytes +
			h->probes_bytes;

	return h->bytes <= most && h->bytes % 8 == 0 && used <= h->bytes && h->bytes - used < 8;
}

/*
 * Prepares the files. They are created when there is something to write. Returns 0 or
 * -errno.
 */
int raw_init(struct raw *r, const struct filename *pattern, const struct rotation *rotation,
	     const struct tables *t, uint32_t nrings);
/*
 * Writes complete records of a ring. Returns 0, or -errno if its file could not be
 * created; raw_close() reports other errors.
 */
int raw_write(struct raw *r, unsigned ring, const void *records, size_t size);
/*
 * Returns a buffer into which complete records of a ring can be read, at most *room
 * bytes, which is at least MERGE_BUFFER_MIN. raw_took() then takes them. NULL: it is not
 * possible for these files, or not now; use raw_write().
 */
char *raw_place(struct raw *r, unsigned ring, size_t *room);
void raw_took(struct raw *r, unsigned ring, size_t size);
/* From now on, writes the records to the files of their rings. */
void raw_start(struct raw *r, struct records *records);
/*
 * Returns the pattern of the files' names for -b and -M with -o OUTPUT, or without it
 * (NULL). The caller frees it. NULL: no memory.
 */
char *raw_pattern(const char *output);
void raw_flush(struct raw *r);
void raw_next_files(struct raw *r);
void raw_look_at_clock(struct raw *r);
bool raw_failed(const struct raw *r);
/*
 * Ends the files; books is the text of the books, or NULL. False: something was not
 * written, which was reported.
 */
bool raw_close(struct raw *r, const char *books);
/*
 * Returns the names of the written files, for trace/source/join.h, after raw_close(). The
 * caller frees only the array.
 */
char **raw_names(const struct raw *r, unsigned *ret);
void raw_deinit(struct raw *r);

#endif

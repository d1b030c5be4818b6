/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue for a stream of records (uapi/rawfile.h) on its way to a database. Standard
 * input is read at once into an unnamed file in $TMPDIR or /var/tmp, and kept there until
 * it is released. So the run continues while the database is unavailable. A full spool
 * stops reading. Then the run waits, and its books count the losses.
 */
#ifndef TRACE_SINK_SPOOL_H
#define TRACE_SINK_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SPOOL_BOUND (1ull << 30) /* bytes, unless the user sets another bound */

struct spool;

/* Begins to read the input. NULL: it failed, which was reported. */
struct spool *spool_start(int fd, uint64_t bound);
void spool_set_bound(struct spool *s, uint64_t bound);
/* Returns a FILE that reads the stream from its beginning; the spool owns it. */
FILE *spool_stream(struct spool *s);
/* Lets the reader call fn about once a second while there is nothing to read. */
void spool_on_idle(struct spool *s, void (*fn)(void *ctx), void *ctx);
/* Keeps the bytes before this offset until the end: the stream's header. */
void spool_keep(struct spool *s, uint64_t offset);
/* Releases the bytes before this offset. */
void spool_release(struct spool *s, uint64_t offset);
/* True: the input has ended. */
bool spool_is_over(struct spool *s);
/* True: the bound is reached, or the disk is full. */
bool spool_is_full(struct spool *s);
/* Returns the number of queued bytes. */
uint64_t spool_waiting(struct spool *s);
/*
 * Saves a stream in a new file: the bytes that spool_keep() kept, `more`, and everything
 * from an offset on. Returns the file's name, or NULL after reporting an error.
 */
const char *spool_save(struct spool *s, const void *more, size_t size, uint64_t offset);
void spool_end(struct spool *s);

#endif

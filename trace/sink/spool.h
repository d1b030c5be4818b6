/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream of records (uapi/rawfile.h) on its way to a database: what standard input has
 * is taken at once and waits in a file without a name, in $TMPDIR or /var/tmp, until it
 * is released. So the run goes on while the database is away. A spool that is full takes
 * no more: then the run waits, and its books have what that cost.
 */
#ifndef TRACE_SINK_SPOOL_H
#define TRACE_SINK_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SPOOL_BOUND (1ull << 30) /* bytes, where nobody says another number */

struct spool;

/* Begins to take the input. NULL: it has been reported. */
struct spool *spool_start(int fd, uint64_t bound);
void spool_set_bound(struct spool *s, uint64_t bound);
/* Returns what reads the stream from its beginning; the spool owns it. */
FILE *spool_stream(struct spool *s);
/* Has fn called about once a second, by the reader, while there is nothing to read. */
void spool_on_idle(struct spool *s, void (*fn)(void *ctx), void *ctx);
/* Keeps what stands before this offset to the end: the stream's header. */
void spool_keep(struct spool *s, uint64_t offset);
/* Gives up what stands before this offset. */
void spool_release(struct spool *s, uint64_t offset);
/* True: the input has ended. */
bool spool_is_over(struct spool *s);
/* True: it takes no more, as the bound or the disk says. */
bool spool_is_full(struct spool *s);
/* Returns the bytes that wait. */
uint64_t spool_waiting(struct spool *s);
/*
 * Leaves a stream in a new file: what spool_keep() has kept, `more`, and all from an
 * offset on. Returns the file's name, or NULL after reporting why not.
 */
const char *spool_save(struct spool *s, const void *more, size_t size, uint64_t offset);
void spool_end(struct spool *s);

#endif

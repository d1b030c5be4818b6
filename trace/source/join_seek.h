/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a time in a raw file by its marks. The number of reads hardly grows with the
 * file.
 */
#ifndef TRACE_SOURCE_JOIN_SEEK_H
#define TRACE_SOURCE_JOIN_SEEK_H

#include <stdint.h>

struct join_part;

/* A place between two records, and the number of hits before it. */
struct join_place {
	uint64_t at, hits;
};

/*
 * Returns a place that precedes all records of that time and later ones. In files without
 * marks, that is the beginning.
 */
struct join_place join_seek(int fd, const struct join_part *p, uint64_t time);
/* Returns the time of the first record; UINT64_MAX: there is none. */
uint64_t join_seek_first(int fd, const struct join_part *p);

#endif

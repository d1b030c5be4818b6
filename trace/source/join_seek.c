/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See join_seek.h. Marks (uapi/rawfile.h) are a quarter of a megabyte apart, at arbitrary
 * offsets: a mark is recognised by its own contents. If a file has false marks, it is
 * merely read from a wrong place; all records are checked as usual.
 */
#include "trace/source/join_seek.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/source/join.h"

#define PIECE	   (64u << 10)
#define MARK_BYTES (sizeof(struct stp_record) + sizeof(struct raw_mark))
/* A stretch of this size is read without a search for marks. */
#define NEAR (512u << 10)

struct mark {
	struct stp_record head;
	struct raw_mark mark;
};
_Static_assert(sizeof(struct mark) == MARK_BYTES, "read as one");

static bool is_mark(const struct mark *m, const struct join_part *p, uint64_t at)
{
	return m->head.kind == RAW_MARK && m->head.len == sizeof(m->mark) &&
	       m->head.probe == STP_NO_PROBE &&
	       !memcmp(m->mark.magic, RAW_MARK_MAGIC, sizeof(m->mark.magic)) &&
	       m->mark.session == p->header.session && m->mark.offset == at;
}

/* Finds the first mark from `at` on, and before `end`. */
static bool next_mark(int fd, const struct join_part *p, uint8_t *buf, uint64_t at, uint64_t end,
		      struct mark *ret)
{
	while (at < end) {
		ssize_t n = pread(fd, buf, PIECE, (off_t)at);

		if (n < (ssize_t)MARK_BYTES)
			return false;
		for (size_t i = 0; i + MARK_BYTES <= (size_t)n && at + i < end; i += 8) {
			memcpy(ret, buf + i, MARK_BYTES);
			if (is_mark(ret, p, at + i))
				return true;
		}
		at += ((size_t)n - MARK_BYTES + 8) & ~(uint64_t)7;
	}
	return false;
}

struct join_place join_seek(int fd, const struct join_part *p, uint64_t time)
{
	struct join_place best = { p->header.bytes, 0 };
	uint64_t end = p->size;
	uint8_t *buf = malloc(PIECE);
	struct mark m;

	while (buf && end > best.at && end - best.at > NEAR) {
		uint64_t middle = (best.at + (end - best.at) / 2) & ~(uint64_t)7;

		if (next_mark(fd, p, buf, middle, end, &m) && m.head.time < time)
			best = (struct join_place){ m.mark.offset + MARK_BYTES, m.mark.hits };
		else
			end = middle;
	}
	free(buf);
	return best;
}

uint64_t join_seek_first(int fd, const struct join_part *p)
{
	struct stp_record head;

	if (pread(fd, &head, sizeof(head), (off_t)p->header.bytes) != (ssize_t)sizeof(head) ||
	    head.kind >= RECORD_KINDS)
		return UINT64_MAX;
	return head.time;
}

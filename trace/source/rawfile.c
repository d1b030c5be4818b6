/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of records that are in raw files, one or more for each ring. join_file.c
 * opens them; this file reads and checks them.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/progress.h"
#include "trace/source/join.h"
#include "trace/source/join_file.h"
#include "trace/source/join_seek.h"
#include "trace/source/sources.h"

static ssize_t damaged(struct join *j, const struct join_part *p, uint64_t at, const char *what)
{
	join_file_damaged(p->name, at, what);
	j->damaged = j->reported = true;
	return -EBADMSG;
}

/* ---- reading ---- */

static ssize_t check_end(struct join *j, struct join_ring *r, const struct stp_record *head,
			 const uint8_t *body)
{
	const struct join_part *p = &r->parts[r->current];
	struct raw_end end;

	if (head->len != sizeof(end))
		return damaged(j, p, r->at, "the end of the file is malformed");
	memcpy(&end, body, sizeof(end));
	if (r->at + sizeof(*head) + sizeof(end) != p->size)
		return damaged(j, p, r->at, "something comes after the end of the file");
	if (end.hits != r->hits_here)
		return damaged(j, p, r->at, "the file has fewer or more hits than its end says");
	if (end.last && r->current + 1 < r->nparts)
		return damaged(j, p, r->at, "this is the last part, but there are more");
	if (!end.last && r->current + 1 == r->nparts) {
		message_warning("%s: later parts are missing", p->name);
		j->damaged = true;
	}
	return 0;
}

static void next_part(struct join_ring *r)
{
	close(r->fd);
	r->fd = -1;
	r->current++;
}

/* Reports a file that stops without an end record. */
static void cut_short(struct join *j, struct join_ring *r)
{
	message_warning("%s: cut short: it ends at offset %" PRIu64
			", whole records before that were used",
			r->parts[r->current].name, r->at);
	j->damaged = true;
	next_part(r);
}

/*
 * Returns how many of the n bytes at `buf` are the script's records, as the file has
 * them from r->at on. Stops at any other record, and handles it. Sets *moved if it did
 * so, or if the part is over.
 */
static ssize_t take_records(struct join *j, struct join_ring *r, const uint8_t *buf, size_t n,
			    bool *moved)
{
	const struct join_part *p = &r->parts[r->current];
	struct stp_record head;
	size_t at = 0;

	for (; n - at >= sizeof(head); at += sizeof(head) + STP_RECORD_ALIGN(head.len)) {
		const uint8_t *body = buf + at + sizeof(head);
		const char *wrong;

		memcpy(&head, buf + at, sizeof(head));
		wrong = join_check_record(&head);
		if (wrong)
			return at ? (ssize_t)at : damaged(j, p, r->at, wrong);
		if (n - at - sizeof(head) < STP_RECORD_ALIGN(head.len))
			break;
		if (head.kind >= RECORD_KINDS) {
			ssize_t rc;

			if (at)
				return (ssize_t)at;
			*moved = true;
			rc = head.kind == RAW_MARK  ? 0
			     : head.kind == RAW_END ? check_end(j, r, &head, body)
			     : join_add_books(j, &head, body)
				     ? 0
				     : damaged(j, p, r->at,
					       "the books are implausibly long (corrupt file?)");
			r->at += sizeof(head) + STP_RECORD_ALIGN(head.len);
			if (head.kind == RAW_END)
				next_part(r);
			return rc;
		}
		r->hits_here += !(head.flags & RECORD_MORE);
		r->hits += !(head.flags & RECORD_MORE);
	}
	return (ssize_t)at;
}

/*
 * Skips files of the ring that end before the time, and seeks to it in the first file
 * that does not.
 */
static ssize_t open_part(struct join *j, struct join_ring *r)
{
	struct join_part *p = &r->parts[r->current];
	struct join_place place = { p->header.bytes, 0 };

	r->fd = open(p->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (r->fd < 0)
		return damaged(j, p, 0, strerror(errno));
	if (j->from)
		place = join_seek(r->fd, p, j->from);
	progress_add(place.at);
	p->begin = r->at = place.at;
	r->hits_here = place.hits;
	p->from = r->bytes_read;
	return 0;
}

/* True: all records of the current file are before the time. */
static bool is_before(const struct join *j, const struct join_ring *r)
{
	const struct join_part *next = &r->parts[r->current + 1];
	int fd = open(next->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	uint64_t first = fd < 0 ? UINT64_MAX : join_seek_first(fd, next);

	if (fd >= 0)
		close(fd);
	return first < j->from;
}

static ssize_t read_part(struct join *j, struct join_ring *r, uint8_t *buf, size_t size,
			 bool *moved)
{
	struct join_part *p = &r->parts[r->current];
	ssize_t n, used;

	if (r->fd < 0 && open_part(j, r))
		return -EBADMSG;
	n = pread(r->fd, buf, size, (off_t)r->at);
	if (n < 0)
		return damaged(j, p, r->at, strerror(errno));
	used = take_records(j, r, buf, (size_t)n, moved);
	if (!used && !*moved) {
		cut_short(j, r);
		*moved = true;
	}
	return used;
}

static ssize_t rawfile_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	struct join *j = ctx;
	struct join_ring *r = &j->rings[ring];

	while (r->current < r->nparts) {
		bool moved = false;

		ssize_t n = read_part(j, r, buf, size, &moved);

		// Records after a damaged place are not used. Other CPUs' files are
		// not affected.
		if (n < 0)
			r->current = r->nparts;
		if (n > 0) {
			progress_add((uint64_t)n);
			r->at += (uint64_t)n;
			r->bytes_read += (uint64_t)n;
			return n;
		}
	}
	return 0;
}

/* ---- where something is wrong ---- */

/*
 * Returns the offset in the file after this many bytes of the script's records from the
 * place where reading began: other records come between them.
 */
static uint64_t file_offset(const struct join_part *p, uint64_t left)
{
	int fd = open(p->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	uint64_t at = p->begin;
	struct stp_record head;

	while (fd >= 0 && pread(fd, &head, sizeof(head), (off_t)at) == (ssize_t)sizeof(head)) {
		uint64_t bytes = sizeof(head) + STP_RECORD_ALIGN((uint64_t)head.len);

		if (head.kind < RECORD_KINDS && !left)
			break;
		left -= head.kind < RECORD_KINDS ? (bytes < left ? bytes : left) : 0;
		at += bytes;
	}
	if (fd >= 0)
		close(fd);
	return at;
}

/* Reports the file and the offset where the merge found something wrong. */
static void rawfile_report(struct join *j, unsigned ring, uint64_t offset, const char *what)
{
	const struct join_ring *r = &j->rings[ring];
	const struct join_part *p = r->parts;

	for (unsigned i = 0; i < r->nparts; i++)
		if (r->parts[i].begin && r->parts[i].from <= offset)
			p = &r->parts[i];
	join_file_damaged(p->name, file_offset(p, offset - p->from), what);
}

/* ---- the books ---- */

/* Reads the rest after the wanted records, up to the books. */
static void read_books(struct join *j)
{
	struct join_ring *r = &j->rings[j->nrings - 1];
	uint8_t *buf = malloc(JOIN_BUFFER);

	j->from = UINT64_MAX;
	if (buf && !j->books_text && r->current < r->nparts) {
		if (r->fd >= 0)
			close(r->fd);
		r->fd = -1;
		r->current = r->nparts - 1;
		while (rawfile_read(j, j->nrings - 1, buf, JOIN_BUFFER) > 0)
			;
	}
	free(buf);
}

/* Removes the lines "ring RING HITS" from the text, and compares their numbers. */
static void rawfile_check(struct join *j)
{
	char *to = j->books_text, *line, *rest = j->books_text;
	char cpu[16];

	while ((line = strsep(&rest, "\n"))) {
		unsigned ring;
		uint64_t hits;

		if (sscanf(line, "ring\t%u\t%" SCNu64, &ring, &hits) != 2 || ring >= j->nrings) {
			size_t len = strlen(line);

			memmove(to, line, len);
			to[len] = '\n';
			to += len + (rest != NULL);
			continue;
		}
		if (hits == j->rings[ring].hits || j->from || j->to != UINT64_MAX)
			continue;
		message_warning("CPU %s: %" PRIu64 " hits of %" PRIu64 " are here",
				dictionary_cpu_name(ring, j->nrings, cpu), j->rings[ring].hits,
				hits);
		j->damaged = true;
	}
	*to = 0;
}

/* ---- the operations ---- */

static void rawfile_run(struct join *j)
{
	static const struct merge_ops ops = { .read = rawfile_read,
					      .emit = join_emit,
					      .emit_run = join_emit_run };

	if (join_merge(j, &ops, rawfile_report) == join_past)
		read_books(j);
}

static void rawfile_seek(struct join *j)
{
	for (unsigned i = 0; i < j->nrings; i++) {
		struct join_ring *r = &j->rings[i];

		while (j->from && r->current + 1 < r->nparts && is_before(j, r))
			r->current++;
	}
}

static void rawfile_close(struct join *j)
{
	for (unsigned i = 0; j->rings && i < j->nrings; i++)
		if (j->rings[i].fd >= 0)
			close(j->rings[i].fd);
	free(j->rings);
}

SOURCE_OPS(rawfile, rawfile_run, rawfile_seek, rawfile_check, rawfile_close);

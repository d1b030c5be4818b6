/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See join.h. join_file.c opens the files; here their records go to the merge. */
#include "trace/source/join.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/progress.h"
#include "trace/source/join_file.h"
#include "trace/source/join_seek.h"

#define BUFFER	  (512u << 10)
#define BOOKS_MAX (64u << 20)

/* Ends the merge: all records that are wanted have been emitted. */
static const char past[] = "past the end";

static ssize_t damaged(struct join *j, const struct join_part *p, uint64_t at, const char *what)
{
	join_file_damaged(p->name, at, what);
	j->damaged = j->reported = true;
	return -EBADMSG;
}

/* ---- reading ---- */

bool join_add_books(struct join *j, const struct stp_record *head, const uint8_t *body)
{
	char *larger = j->books_len < BOOKS_MAX
			       ? realloc(j->books_text, j->books_len + head->len + 1)
			       : NULL;

	if (!larger)
		return false;
	j->books_text = larger;
	memcpy(larger + j->books_len, body, head->len);
	j->books_len += head->len;
	larger[j->books_len] = 0;
	return true;
}

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

const char *join_check_record(const struct stp_record *head)
{
	if (head->len > STP_RECORD_MAX)
		return "record longer than any can be";
	if (head->kind >= RECORD_KINDS && head->kind != RAW_BOOKS && head->kind != RAW_END &&
	    head->kind != RAW_MARK)
		return "record of unknown kind";
	if (head->flags & ~RECORD_FLAGS)
		return "record with unknown flags";
	return NULL;
}

static void next_part(struct join_ring *r)
{
	close(r->fd);
	r->fd = -1;
	r->current++;
}

/* Reports a file that is over without its end. */
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
 * them from r->at on. Stops before any other record, and deals with it. *moved: it did,
 * or the part is over.
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

/* Skips files of the ring that end before the time, and goes to it in this one. */
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
	p->from = r->stream;
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

static ssize_t join_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	struct join *j = ctx;
	struct join_ring *r;

	if (j->source)
		return j->source->read(j, ring, buf, size);
	r = &j->rings[ring];
	while (r->current < r->nparts) {
		bool moved = false;

		ssize_t n = read_part(j, r, buf, size, &moved);

		// Records after a damaged place are not believed. Other CPUs' files are
		// not affected.
		if (n < 0)
			r->current = r->nparts;
		if (n > 0) {
			progress_add((uint64_t)n);
			r->at += (uint64_t)n;
			r->stream += (uint64_t)n;
			return n;
		}
	}
	return 0;
}

/* ---- writing ---- */

const char *join_emit(void *ctx, unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	struct join *j = ctx;
	char text[64], cpu[16];
	const char *wrong;

	if (head->time < j->from)
		return NULL;
	if (head->time > j->to)
		return j->is_stream ? NULL : past;
	if (j->verbose && head->kind == RECORD_OUTPUT && !j->records.continued) {
		int n = snprintf(text, sizeof(text), "[%s,%" PRIu64 ",%u]",
				 dictionary_cpu_name(ring, j->nrings, cpu), ++j->sequence,
				 head->len);

		output_put(j->output, text, (size_t)n);
	}
	wrong = records_emit(&j->records, ring, head, body);
	j->stopped |= j->records.form->over;
	j->damaged |= j->records.form->failed;
	return wrong;
}

static const uint8_t *join_emit_run(void *ctx, const uint8_t *at, const uint8_t *end,
				    uint64_t until, uint64_t *records)
{
	struct join *j = ctx;

	if (j->from || j->to != UINT64_MAX || j->verbose)
		return at;
	return records_emit_run(&j->records, at, end, until, records);
}

/*
 * Returns the offset in a file that is so many bytes of the script's records behind the
 * place where reading began: others stand between them.
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
static void report_merge(struct join *j)
{
	const struct merge_error *e = &j->merge.error;
	const struct join_ring *r;
	const struct join_part *p;

	j->damaged = true;
	if (j->reported)
		return;
	if (j->source) {
		j->source->report(j, e->ring, e->offset, e->what);
		return;
	}
	r = &j->rings[e->ring];
	p = r->parts;
	for (unsigned i = 0; i < r->nparts; i++)
		if (r->parts[i].begin && r->parts[i].from <= e->offset)
			p = &r->parts[i];
	join_file_damaged(p->name, file_offset(p, e->offset - p->from), e->what);
}

void join_between(struct join *j, uint64_t from, uint64_t to)
{
	j->from = from;
	j->to = to;
	for (unsigned i = 0; j->rings && i < j->nrings; i++) {
		struct join_ring *r = &j->rings[i];

		while (from && r->current + 1 < r->nparts && is_before(j, r))
			r->current++;
	}
}

/* Reads what stands behind the records that are wanted, up to the books. */
static void read_books(struct join *j)
{
	struct join_ring *r = &j->rings[j->nrings - 1];
	uint8_t *buf = malloc(BUFFER);

	j->from = UINT64_MAX;
	if (buf && !j->books_text && r->current < r->nparts) {
		if (r->fd >= 0)
			close(r->fd);
		r->fd = -1;
		r->current = r->nparts - 1;
		while (join_read(j, j->nrings - 1, buf, BUFFER) > 0)
			;
	}
	free(buf);
}

void join_run(struct join *j)
{
	static const struct merge_ops ops = { .read = join_read,
					      .emit = join_emit,
					      .emit_run = join_emit_run };
	long n;

	if (merge_init(&j->merge, j->nrings, BUFFER, &ops, j)) {
		message_error("no memory for the buffers");
		j->damaged = true;
		return;
	}
	do {
		n = merge_round(&j->merge, MERGE_FINAL);
	} while (n > 0 && !j->output->error && !j->stopped);
	output_flush_all(j->output);
	if (n < 0 && j->merge.error.what != past)
		report_merge(j);
	else if (n < 0 && j->rings)
		read_books(j);
}

/* ---- the books ---- */

/* "ring RING HITS": takes these lines out of the text, and compares. */
static void check_rings(struct join *j)
{
	char *to = j->books_text, *line, *rest = j->books_text;
	char cpu[16];

	while ((line = strsep(&rest, "\n"))) {
		unsigned ring;
		uint64_t hits;

		if (!j->rings || sscanf(line, "ring\t%u\t%" SCNu64, &ring, &hits) != 2 ||
		    ring >= j->nrings) {
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

void join_check(struct join *j)
{
	const char *wrong;

	if (!j->books_text) {
		message_warning("the books of the run are missing: it was cut off, or "
				"the file of CPU slow is missing");
		j->damaged = true;
		return;
	}
	check_rings(j);
	j->books_copy = strdup(j->books_text);
	wrong = books_parse(&j->books, j->books_text, j->tables.probes.count);
	j->books_text = NULL;
	j->has_books = !wrong;
	if (wrong) {
		message_error("%s", wrong);
		j->damaged = true;
	}
}

void join_close(struct join *j)
{
	for (unsigned i = 0; j->rings && i < j->nrings; i++)
		if (j->rings[i].fd >= 0)
			close(j->rings[i].fd);
	if (j->source)
		j->source->close(j);
	if (j->merge.rings)
		merge_deinit(&j->merge);
	records_deinit(&j->records);
	books_deinit(&j->books);
	dictionary_deinit(&j->tables);
	free(j->books_text);
	free(j->books_copy);
	free(j->rings);
	free(j->parts);
	free(j->module);
	free(j->host);
}

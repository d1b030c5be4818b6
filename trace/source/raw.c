/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See raw.h. Each ring's file is an output like any other: output.c does rotation, full
 * disks and the counting of records.
 */
#include "trace/source/raw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/dictionary.h"
#include "trace/merge.h"
#include "trace/messages.h"
#include "trace/records.h"
#include "trace/source/rawheader.h"
#include "uapi/msg.h"

#define MARK_EVERY (256u << 10)

int raw_init(struct raw *r, const struct filename *pattern, const struct rotation *rotation,
	     const struct tables *t, uint32_t nrings)
{
	*r = (struct raw){ .tables = t, .pattern = *pattern, .rotation = *rotation };
	r->mark_every = MARK_EVERY;
	if (rawheader_bytes(pattern->module, pattern->host, t) > INT32_MAX)
		return -EFBIG;
	r->header = rawheader_make(pattern->module, pattern->host, t, nrings);
	r->rings = calloc(nrings, sizeof(*r->rings));
	return r->rings ? 0 : -ENOMEM;
}

char *raw_pattern(const char *output)
{
	char *ret;

	if (!output)
		return strdup("stpd_cpu%c");
	if (filename_has_cpu(output))
		return strdup(output);
	return asprintf(&ret, "%s_%%c", output) < 0 ? NULL : ret;
}

/* ---- the parts around the records ---- */

static void write_header(struct raw *r, unsigned n)
{
	static const char zeros[8];
	struct raw_ring *ring = &r->rings[n];
	struct raw_header h = r->header;
	const struct tables *t = r->tables;
	size_t used = sizeof(h) + h.module_bytes + h.host_bytes + h.formats_bytes + h.probes_bytes;

	h.ring = n;
	h.part = ring->part++;
	ring->hits_before = ring->output.written;
	output_write_now(&ring->output, &h, sizeof(h));
	output_write_now(&ring->output, r->pattern.module, h.module_bytes);
	output_write_now(&ring->output, r->pattern.host, h.host_bytes);
	output_write_now(&ring->output, t->formats.bytes, h.formats_bytes);
	output_write_now(&ring->output, t->probes.bytes, h.probes_bytes);
	output_write_now(&ring->output, zeros, h.bytes - used);
	ring->marked = ring->output.file_bytes;
}

/* Writes a mark if one is due. A record with this time has just ended. */
static void write_mark(struct raw *r, struct raw_ring *ring, uint64_t time)
{
	struct output *o = &ring->output;
	const struct stp_record head = { .time = time,
					 .probe = STP_NO_PROBE,
					 .len = sizeof(struct raw_mark),
					 .kind = RAW_MARK };
	struct raw_mark mark = { .magic = RAW_MARK_MAGIC, .session = r->header.session };

	output_flush(o);
	ring->marked = o->file_bytes;
	if (o->error || o->used ||
	    (o->file_most && o->file_bytes + sizeof(head) + sizeof(mark) > o->file_most))
		return;
	mark.offset = o->file_bytes;
	mark.hits = o->written - ring->hits_before;
	output_write_now(o, &head, sizeof(head));
	output_write_now(o, &mark, sizeof(mark));
	ring->marked = o->file_bytes;
}

static bool wants_mark(const struct raw *r, const struct raw_ring *ring)
{
	const struct output *o = &ring->output;

	return o->file_bytes + o->used >= ring->marked + r->mark_every;
}

static void hit_end(struct raw *r, struct raw_ring *ring, uint64_t time)
{
	output_record_end(&ring->output);
	ring->hits++;
	if (wants_mark(r, ring))
		write_mark(r, ring, time);
}

static void write_end(struct raw_ring *ring, bool last)
{
	const struct stp_record head = { .probe = STP_NO_PROBE,
					 .len = sizeof(struct raw_end),
					 .kind = RAW_END };
	const struct raw_end end = { .hits = ring->output.written - ring->hits_before,
				     .last = last };

	output_write_now(&ring->output, &head, sizeof(head));
	output_write_now(&ring->output, &end, sizeof(end));
}

static void on_file_end(void *ctx, struct output *o)
{
	write_end((struct raw_ring *)o, false);
}

static void on_file_begin(void *ctx, struct output *o)
{
	struct raw *r = ctx;

	write_header(r, (unsigned)((struct raw_ring *)o - r->rings));
}

/* ---- the files ---- */

static int ring_open(struct raw *r, unsigned n)
{
	struct raw_ring *ring = &r->rings[n];
	struct filename name = r->pattern;
	int rc;

	name.cpu = n + 1 == r->header.nrings ? FILENAME_SLOW : (int)n;
	rc = series_output(&ring->output, &name, &r->rotation);
	if (rc) {
		message_error("%s: %s", ring->output.name, output_wrong(&ring->output, rc));
		return rc;
	}
	ring->is_open = true;
	ring->output.file_begin = on_file_begin;
	ring->output.file_end = on_file_end;
	ring->output.file_ctx = r;
	ring->output.wait = r->wait;
	ring->output.wait_ctx = r->wait_ctx;
	write_header(r, n);
	output_head_written(&ring->output);
	return 0;
}

/* Writes one record. */
static int raw_record(struct raw *r, unsigned n, const struct stp_record *head, const void *body)
{
	static const char zeros[8];
	struct raw_ring *ring = &r->rings[n];
	int rc = ring->is_open ? 0 : ring_open(r, n);

	if (rc)
		return rc;
	output_put(&ring->output, (const char *)head, sizeof(*head));
	output_put(&ring->output, body, head->len);
	output_put(&ring->output, zeros, STP_RECORD_ALIGN(head->len) - head->len);
	r->bytes += sizeof(*head) + STP_RECORD_ALIGN(head->len);
	if (!(head->flags & RECORD_MORE))
		hit_end(r, ring, head->time);
	return 0;
}

int raw_write(struct raw *r, unsigned n, const void *records, size_t size)
{
	struct raw_ring *ring = &r->rings[n];
	int rc = ring->is_open || !size ? 0 : ring_open(r, n);

	for (size_t at = 0; !rc && at < size;) {
		const struct stp_record *head =
			(const struct stp_record *)((const char *)records + at);
		size_t bytes = sizeof(*head) + STP_RECORD_ALIGN(head->len);
		bool more = head->flags & RECORD_MORE;

		output_put(&ring->output, (const char *)head, bytes);
		at += bytes;
		if (!more)
			hit_end(r, ring, head->time);
	}
	r->bytes += size;
	return rc;
}

/*
 * Returns how many bytes fit in the buffer and, as the smallest records, in the list of
 * ends.
 */
static size_t room_of(const struct output *o)
{
	size_t bytes = OUTPUT_BUFFER - o->used;
	size_t of_ends = (OUTPUT_ENDS - 1 - o->nends) * sizeof(struct stp_record);

	return bytes < of_ends ? bytes : of_ends;
}

char *raw_place(struct raw *r, unsigned n, size_t *room)
{
	struct raw_ring *ring = &r->rings[n];
	struct output *o = &ring->output;
	uint64_t due = ring->marked + r->mark_every, now;

	if (!ring->is_open || !output_takes_runs(o))
		return NULL;
	if (room_of(o) < MERGE_BUFFER_MIN)
		output_flush(o);
	*room = room_of(o);
	if (o->error || *room < MERGE_BUFFER_MIN)
		return NULL;
	now = o->file_bytes + o->used;
	if (now + MERGE_BUFFER_MIN > due)
		*room = MERGE_BUFFER_MIN;
	else if (now + *room > due)
		*room = due - now;
	return o->buf + o->used;
}

void raw_took(struct raw *r, unsigned n, size_t size)
{
	struct raw_ring *ring = &r->rings[n];
	struct output *o = &ring->output;
	const char *at = o->buf + o->used, *to = at + size, *begun = at;
	uint32_t *ends = o->ends + o->nends;
	uint64_t time = 0;

	while (at < to) {
		const struct stp_record *head = (const struct stp_record *)at;

		at += sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
		if (head->flags & RECORD_MORE)
			continue;
		*ends++ = (uint32_t)(at - o->buf);
		begun = at;
		time = head->time;
	}
	r->bytes += size;
	ring->hits += output_take_run(o, to, begun, ends);
	if (begun == to && wants_mark(r, ring))
		write_mark(r, ring, time);
}

static void for_each(struct raw *r, void (*run)(struct output *o))
{
	for (unsigned n = 0; n < r->header.nrings; n++)
		if (r->rings[n].is_open)
			run(&r->rings[n].output);
}

void raw_flush(struct raw *r)
{
	for_each(r, output_flush);
}

void raw_next_files(struct raw *r)
{
	for_each(r, output_next_file);
}

void raw_look_at_clock(struct raw *r)
{
	for_each(r, output_look_at_clock);
}

bool raw_failed(const struct raw *r)
{
	for (unsigned n = 0; n < r->header.nrings; n++)
		if (r->rings[n].is_open && r->rings[n].output.error)
			return true;
	return false;
}

/* ---- the form ---- */

static void take_text(struct form *f, unsigned ring, const struct stp_record *head,
		      const uint8_t *body)
{
	struct raw *r = (struct raw *)f;

	if (raw_record(r, ring, head, body) || raw_failed(r))
		f->failed = f->over = true;
}

static const char *take_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	take_text(f, ring, head, body);
	return NULL;
}

FORM_OPS(raw, take_output, take_text, form_no_run, form_no_resume, form_no_books);

void raw_start(struct raw *r, struct records *records)
{
	r->form.ops = &form_raw;
	records->form = &r->form;
	records->quiet = true;
}

/* ---- the end ---- */

static void put_books(struct raw_ring *ring, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		size_t n = len - at < STP_RECORD_MAX ? len - at : STP_RECORD_MAX;
		const struct stp_record head = { .probe = STP_NO_PROBE,
						 .len = (uint16_t)n,
						 .kind = RAW_BOOKS };

		output_write_now(&ring->output, &head, sizeof(head));
		output_write_now(&ring->output, text + at, n);
		output_write_now(&ring->output, "\0\0\0\0\0\0\0",
				 STP_RECORD_ALIGN((uint32_t)n) - n);
		at += n;
	}
}

/* Writes how many hits each ring has had, so that a missing file is noticed. */
static void put_totals(struct raw *r, struct raw_ring *last)
{
	char line[64];

	for (unsigned n = 0; n < r->header.nrings; n++) {
		int len = snprintf(line, sizeof(line), "ring\t%u\t%" PRIu64 "\n", n,
				   r->rings[n].hits);

		if (r->rings[n].hits)
			put_books(last, line, (size_t)len);
	}
}

bool raw_close(struct raw *r, const char *books)
{
	struct raw_ring *last = &r->rings[r->header.nrings - 1];
	bool ok = true;

	if (!last->is_open)
		ok = !ring_open(r, r->header.nrings - 1);
	for_each(r, output_flush_all);
	if (ok && books) {
		put_books(last, books, strlen(books));
		put_totals(r, last);
	}
	for (unsigned n = 0; n < r->header.nrings; n++) {
		if (!r->rings[n].is_open)
			continue;
		write_end(&r->rings[n], true);
		ok &= output_close(&r->rings[n].output);
	}
	return ok;
}

char **raw_names(const struct raw *r, unsigned *ret)
{
	char **names = calloc(r->header.nrings, sizeof(*names));

	*ret = 0;
	for (unsigned n = 0; names && n < r->header.nrings; n++)
		if (r->rings[n].is_open)
			names[(*ret)++] = r->rings[n].output.files.name;
	return names;
}

void raw_deinit(struct raw *r)
{
	free(r->rings);
	r->rings = NULL;
}

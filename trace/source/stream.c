/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stream.h. The stream may come from anywhere: everything in it is checked. */
#include "trace/source/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/dictionary.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/source/join.h"
#include "trace/source/join_file.h"
#include "trace/source/raw.h"
#include "trace/source/sources.h"
#include "uapi/msg.h"

#define STREAM_NAME "standard input"

static bool take(struct join *j, void *to, size_t len)
{
	size_t n = fread(to, 1, len, j->in);

	j->at += n;
	return n == len;
}

/* Returns len bytes and a NUL after them; NULL: the stream ends before. */
static char *take_piece(struct join *j, size_t len)
{
	char *ret = malloc(len + 1);

	if (ret && take(j, ret, len)) {
		ret[len] = 0;
		return ret;
	}
	free(ret);
	return NULL;
}

static bool take_tables(struct join *j, const struct raw_header *h)
{
	const char *wrong = "it ends inside its header";
	char *bytes;

	j->module = take_piece(j, h->module_bytes);
	j->host = take_piece(j, h->host_bytes);
	bytes = j->module && j->host ? take_piece(j, h->formats_bytes) : NULL;
	if (bytes)
		wrong = dictionary_formats(&j->tables, bytes, h->formats_bytes, h->nformats, true);
	bytes = wrong ? NULL : take_piece(j, h->probes_bytes);
	if (bytes)
		wrong = dictionary_init(&j->tables.probes, bytes, h->probes_bytes, h->nprobes);
	else if (!wrong)
		wrong = "it ends inside its header";
	if (wrong)
		join_file_damaged(STREAM_NAME, j->at, wrong);
	free(wrong ? NULL : take_piece(j, h->bytes - j->at));
	return !wrong;
}

bool stream_open(struct join *j, FILE *in, struct output *o)
{
	struct join_part *p;

	*j = (struct join){ .to = UINT64_MAX, .output = o, .source = &source_stream, .in = in };
	p = j->parts = calloc(1, sizeof(*j->parts));
	if (!p)
		return false;
	p->name = STREAM_NAME;
	if (!take(j, &p->header, sizeof(p->header)) || !join_file_check(p) ||
	    p->header.ring != RAW_STREAM) {
		message_error("%s: not a stream of stap --to", STREAM_NAME);
		return false;
	}
	j->nparts = 1;
	j->nrings = p->header.nrings;
	if (!take_tables(j, &p->header))
		return false;
	if (!records_init(&j->records, &j->tables, o)) {
		message_error("no memory for the formats");
		return false;
	}
	j->records.quiet = true; // its writer has reported this message
	return true;
}

/* Continues where another process has stopped: the stream is the rest of its input. */
static const char *resume(struct join *j, const struct stp_record *head, const uint8_t *body)
{
	struct raw_resume r;

	if (head->len != sizeof(r) || j->merge.records)
		return "a rest that does not begin here";
	memcpy(&r, body, sizeof(r));
	j->records.form->ops->resume(j->records.form, &r);
	return NULL;
}

/* Handles one record. Returns NULL, or the error in it. */
static const char *pass(struct join *j, unsigned *ring, const struct stp_record *head,
			const uint8_t *body)
{
	const char *wrong;

	if (head->kind == RAW_RING) {
		*ring = head->probe;
		return *ring < j->nrings ? NULL : "no such CPU";
	}
	if (head->kind == RAW_MESSAGE || head->kind == RAW_VALUES)
		return NULL;
	if (head->kind == RAW_LOOK) {
		join_drop_books(j);
		return NULL;
	}
	if (head->kind == RAW_RESUME)
		return resume(j, head, body);
	if (head->kind == RAW_BOOKS)
		return join_add_books(j, head, body)
			       ? NULL
			       : "the books are implausibly long (corrupt file?)";
	if (head->kind >= RECORD_KINDS || head->flags & ~RECORD_FLAGS)
		return "record of unknown kind";
	wrong = *ring < j->nrings ? join_emit(j, *ring, head, body) : "record of no CPU";
	if (wrong == join_past)
		wrong = NULL; // the books come after it
	j->merge.records++;
	if (j->lines && !(head->flags & RECORD_MORE))
		j->line(j->lines, head->probe);
	return wrong;
}

static void stream_run(struct join *j)
{
	uint8_t *body = malloc(STP_RECORD_ALIGN(UINT16_MAX));
	struct stp_record head = { 0 };
	unsigned ring = RAW_STREAM;
	const char *wrong = body ? NULL : "no memory";

	while (!wrong && head.kind != RAW_END && !j->output->error && !j->stopped) {
		j->record_at = j->at;
		if (!take(j, &head, sizeof(head)) ||
		    !take(j, body, STP_RECORD_ALIGN((uint32_t)head.len)))
			wrong = "it ends before its end";
		else if (head.kind != RAW_END)
			wrong = pass(j, &ring, &head, body);
	}
	if (wrong)
		join_file_damaged(STREAM_NAME, j->at, wrong);
	j->cut_off = head.kind != RAW_END;
	j->damaged |= wrong != NULL;
	free(body);
	output_flush_all(j->output);
}

/* The caller closes the file that the stream is read from. */
static void stream_close(struct join *j)
{
}

SOURCE_OPS(stream, stream_run, source_no_seek, source_no_check, stream_close);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/source/hoststream.h"

#include <stdlib.h>
#include <string.h>

#include "trace/source/raw.h"
#include "uapi/msg.h"

bool hoststream_add(struct hoststream *s, const void *bytes, size_t len)
{
	return bytequeue_add(&s->in, bytes, len);
}

static void use(struct hoststream *s, size_t len)
{
	bytequeue_take(&s->in, len);
	s->at += len;
}

static enum hoststream_event damaged(struct hoststream *s, const char *wrong)
{
	s->wrong = wrong;
	s->state = HOSTSTREAM_OVER;
	return HOSTSTREAM_WRONG;
}

/* ---- the header ---- */

/* Returns a copy of the text at *at, with a NUL after it, and steps over it. */
static char *copy_piece(const uint8_t **at, size_t len)
{
	char *ret = malloc(len + 1);

	if (ret) {
		memcpy(ret, *at, len);
		ret[len] = 0;
	}
	*at += len;
	return ret;
}

/* Returns NULL, or the error. */
static const char *take_tables(struct hoststream *s)
{
	const struct raw_header *h = &s->header;
	const uint8_t *at = bytequeue_at(&s->in) + sizeof(*h);
	const char *wrong = "no memory";
	char *formats, *probes;

	s->module = copy_piece(&at, h->module_bytes);
	s->host = copy_piece(&at, h->host_bytes);
	formats = copy_piece(&at, h->formats_bytes);
	probes = copy_piece(&at, h->probes_bytes);
	if (s->module && s->host && formats && probes) {
		wrong = dictionary_formats(&s->tables, formats, h->formats_bytes, h->nformats,
					   true);
		formats = NULL;
	}
	if (!wrong) {
		wrong = dictionary_init(&s->tables.probes, probes, h->probes_bytes, h->nprobes);
		probes = NULL;
	}
	free(formats);
	free(probes);
	return wrong;
}

static const char *check_header(const struct raw_header *h)
{
	if (h->version != RAW_VERSION || h->abi != STP_ABI)
		return "written by another version of stap";
	if (h->ring != RAW_STREAM || !h->nrings || h->nrings > RAW_RINGS_MAX)
		return "its header is not that of a stream";
	if (!raw_header_fits(h, HOSTSTREAM_MOST))
		return "the lengths in the header do not fit together";
	return NULL;
}

static enum hoststream_event take_header(struct hoststream *s, const uint8_t **body, size_t *len)
{
	size_t have = bytequeue_len(&s->in), magic = sizeof(s->header.magic);
	const char *wrong;

	if (memcmp(bytequeue_at(&s->in), RAW_MAGIC, have < magic ? have : magic)) {
		s->state = HOSTSTREAM_IS_TEXT;
		return hoststream_next(s, NULL, body, len);
	}
	if (have < sizeof(s->header))
		return HOSTSTREAM_MORE;
	memcpy(&s->header, bytequeue_at(&s->in), sizeof(s->header));
	wrong = check_header(&s->header);
	if (wrong)
		return damaged(s, wrong);
	if (have < s->header.bytes)
		return HOSTSTREAM_MORE;
	wrong = take_tables(s);
	if (wrong)
		return damaged(s, wrong);
	use(s, s->header.bytes);
	s->ring = RAW_STREAM;
	s->state = HOSTSTREAM_RUNS;
	return HOSTSTREAM_HEADER;
}

/* ---- records ---- */

static void empty(struct hoststream_text *t)
{
	t->len = 0;
	if (t->s)
		*t->s = 0;
}

/* Adds a piece to the books, or to the values. False: they are too long. */
static bool add_piece(struct hoststream *s, struct hoststream_text *t, const uint8_t *body,
		      size_t len)
{
	char *larger;

	if (s->is_look) {
		empty(&s->books);
		empty(&s->values);
	}
	s->is_look = false;
	larger = t->len < HOSTSTREAM_MOST ? realloc(t->s, t->len + len + 1) : NULL;
	if (!larger)
		return false;
	memcpy(larger + t->len, body, len);
	t->s = larger;
	t->len += len;
	larger[t->len] = 0;
	return true;
}

/* Handles a record that does not come from the script. */
static const char *take_other(struct hoststream *s, const struct stp_record *head,
			      const uint8_t *body)
{
	if (head->kind == RAW_BOOKS)
		return add_piece(s, &s->books, body, head->len) ? NULL
								: "its books are implausibly long";
	if (head->kind == RAW_VALUES)
		return add_piece(s, &s->values, body, head->len)
			       ? NULL
			       : "its values are implausibly long";
	if (head->kind != RAW_RING)
		return "record of unknown kind";
	s->ring = head->probe;
	return s->ring < s->header.nrings ? NULL : "no such CPU";
}

static const char *check(const struct hoststream *s, const struct stp_record *head)
{
	if (head->flags & ~RECORD_FLAGS)
		return "record with unknown flags";
	return s->ring < s->header.nrings ? NULL : "record of no CPU";
}

static enum hoststream_event take_record(struct hoststream *s, const struct stp_record *head,
					 const uint8_t *body)
{
	const char *wrong;

	if (head->kind == RAW_MESSAGE)
		return HOSTSTREAM_MESSAGE;
	if (head->kind == RAW_LOOK) {
		s->is_look = true;
		return HOSTSTREAM_LOOK;
	}
	if (head->kind == RAW_END) {
		s->ended = true;
		s->state = HOSTSTREAM_OVER;
		return HOSTSTREAM_END;
	}
	wrong = head->kind < RECORD_KINDS ? check(s, head) : take_other(s, head, body);
	if (wrong)
		return damaged(s, wrong);
	if (head->kind >= RECORD_KINDS)
		return HOSTSTREAM_MORE; /* which are not passed on to the caller */
	s->records += !(head->flags & RECORD_MORE);
	return HOSTSTREAM_RECORD;
}

static enum hoststream_event next_record(struct hoststream *s, struct stp_record *head,
					 const uint8_t **body)
{
	while (bytequeue_len(&s->in) >= sizeof(*head)) {
		size_t size;
		enum hoststream_event event;

		memcpy(head, bytequeue_at(&s->in), sizeof(*head));
		size = sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
		if (head->len > STP_RECORD_MAX)
			return damaged(s, "record longer than any can be");
		if (bytequeue_len(&s->in) < size)
			break;
		*body = bytequeue_at(&s->in) + sizeof(*head);
		event = take_record(s, head, *body);
		if (event != HOSTSTREAM_WRONG)
			use(s, size);
		if (event != HOSTSTREAM_MORE)
			return event;
	}
	return HOSTSTREAM_MORE;
}

enum hoststream_event hoststream_next(struct hoststream *s, struct stp_record *head,
				      const uint8_t **body, size_t *len)
{
	if (!bytequeue_len(&s->in))
		return HOSTSTREAM_MORE;
	if (s->state == HOSTSTREAM_BEGINS)
		return take_header(s, body, len);
	if (s->state == HOSTSTREAM_RUNS)
		return next_record(s, head, body);
	*body = bytequeue_at(&s->in);
	*len = bytequeue_len(&s->in);
	use(s, *len);
	return s->state == HOSTSTREAM_IS_TEXT ? HOSTSTREAM_TEXT : HOSTSTREAM_MORE;
}

void hoststream_deinit(struct hoststream *s)
{
	dictionary_deinit(&s->tables);
	bytequeue_free(&s->in);
	free(s->module);
	free(s->host);
	free(s->books.s);
	free(s->values.s);
	*s = (struct hoststream){ .state = HOSTSTREAM_OVER };
}

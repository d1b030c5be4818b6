/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/form/streamform.h"

#include <stdlib.h>
#include <string.h>

#include "trace/dictionary.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/records.h"
#include "trace/source/rawheader.h"

#define SHARE	    20 /* looks take a twentieth of the time */
#define LOOK_MOST_S 86400

static const char zeros[8];

/* Parses S or S,values. */
static bool parse_look(const char *s, struct streamform_request *ret)
{
	char *end;

	ret->look_s = strtol(s, &end, 10);
	ret->look_values = !strcmp(end, ",values");
	return end != s && ret->look_s >= 1 && ret->look_s <= LOOK_MOST_S &&
	       (!*end || ret->look_values);
}

bool streamform_parse(const char *text, struct streamform_request *ret)
{
	size_t len = strcspn(text, ",");

	*ret = (struct streamform_request){ .is_data = len == 4 && !memcmp(text, "data", 4) };
	return (ret->is_data || (len == 4 && !memcmp(text, "text", 4))) &&
	       (!text[len] || parse_look(text + len + 1, ret));
}

void streamform_clock_init(struct streamform_clock *c, const struct streamform_request *r)
{
	*c = (struct streamform_clock){ .every = (uint64_t)r->look_s * UINT64_C(1000000000) };
}

bool streamform_clock_due(struct streamform_clock *c, uint64_t now)
{
	if (!c->every || now < c->next)
		return false;
	c->next = now + c->every;
	return true;
}

void streamform_clock_next(struct streamform_clock *c, uint64_t began, uint64_t ended)
{
	uint64_t took = (ended - began) * SHARE;

	c->next = began + (took > c->every ? took : c->every);
}

static void put(struct streamform *s, const struct stp_record *head, const void *body)
{
	output_put(s->output, (const char *)head, sizeof(*head));
	output_put(s->output, body, head->len);
	output_put(s->output, zeros, STP_RECORD_ALIGN(head->len) - head->len);
}

static void take_text(struct form *f, unsigned ring, const struct stp_record *head,
		      const uint8_t *body)
{
	struct streamform *s = (struct streamform *)f;
	const struct stp_record of_ring = { .probe = ring, .kind = RAW_RING };

	if (ring != s->ring)
		put(s, &of_ring, "");
	s->ring = ring;
	put(s, head, body);
	if (head->flags & RECORD_MORE)
		return;
	s->given++;
	output_record_end(s->output);
}

static const char *take_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	take_text(f, ring, head, body);
	return NULL;
}

FORM_OPS(stream, take_output, take_text, form_no_run, form_no_resume, form_no_books);

void streamform_start(struct streamform *s, struct records *r, unsigned nrings, const char *module,
		      const char *host, const struct raw_header *raw)
{
	const struct tables *t = r->tables;
	struct output *o = r->output;
	struct raw_header h = rawheader_make(module, host, t, nrings);
	uint32_t used = (uint32_t)sizeof(h) + h.module_bytes + h.host_bytes + h.formats_bytes +
			h.probes_bytes;

	h.ring = RAW_STREAM;
	if (raw) {
		h.session = raw->session;
		h.monotonic = raw->monotonic;
	}
	*s = (struct streamform){ .form.ops = &form_stream, .output = o, .ring = RAW_STREAM };
	r->form = &s->form;
	output_put(o, (const char *)&h, sizeof(h));
	output_put(o, module, h.module_bytes);
	output_put(o, host, h.host_bytes);
	output_put(o, t->formats.bytes, h.formats_bytes);
	output_put(o, t->probes.bytes, h.probes_bytes);
	output_put(o, zeros, h.bytes - used);
}

static void put_message(void *ctx, const char *type, const char *text)
{
	struct streamform *s = ctx;
	size_t len = strlen(text);
	const struct stp_record head = { .probe = STP_NO_PROBE,
					 .len = (uint16_t)(len < STP_RECORD_MAX ? len
										: STP_RECORD_MAX),
					 .kind = RAW_MESSAGE,
					 .flags = *type == 'e' };

	put(s, &head, text);
	output_record_end(s->output);
}

void streamform_messages(struct streamform *s)
{
	message_tee(put_message, s);
}

/* Puts a text of any length; NULL: none. */
static void put_pieces(struct streamform *s, uint8_t kind, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	for (size_t at = 0; at < len;) {
		size_t n = len - at < STP_RECORD_MAX ? len - at : STP_RECORD_MAX;
		const struct stp_record piece = { .probe = STP_NO_PROBE,
						  .len = (uint16_t)n,
						  .kind = kind };

		put(s, &piece, text + at);
		at += n;
	}
}

void streamform_look(struct streamform *s, const char *books, const char *values)
{
	const struct stp_record head = { .probe = STP_NO_PROBE, .kind = RAW_LOOK };

	put_pieces(s, RAW_VALUES, values);
	put_pieces(s, RAW_BOOKS, books);
	put(s, &head, "");
	output_record_end(s->output);
}

void streamform_end(struct streamform *s, const char *books, const char *values)
{
	const struct stp_record head = { .probe = STP_NO_PROBE,
					 .len = sizeof(struct raw_end),
					 .kind = RAW_END };
	const struct raw_end end = { .last = 1 };

	put_pieces(s, RAW_VALUES, values);
	put_pieces(s, RAW_BOOKS, books);
	put(s, &head, &end);
}

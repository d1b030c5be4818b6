/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sink.h. */
#include "trace/sink/sink.h"

#include <stdio.h>

#include "trace/messages.h"
#include "trace/records.h"
#include "trace/sink/stored.h"
#include "trace/source/join.h"
#include "uapi/rawfile.h"

time_t sink_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec;
}

void sink_say(const char *server, const char *text)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%s: %s", server, text);

	message_text("", line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1, "\n");
}

static void set_failed(struct sink *s)
{
	s->failed = true;
	s->form.over = !s->waits;
}

static void take(struct sink *s, bool done)
{
	s->items += done;
	if (!done)
		set_failed(s);
}

static void take_text(struct sink *s, enum stp_record_kind kind, const char *text, size_t len)
{
	take(s, !s->ops->text || s->ops->text(s->own, &s->hit, kind, text, len));
}

/* Begins a record: sets the data that its items share. */
static void begin(struct sink *s, unsigned ring, const struct stp_record *head)
{
	bool goes_on = s->more && ring == s->hit.ring && head->time == s->hit.time;

	if (!goes_on)
		s->hit = (struct sink_hit){ .time = head->time,
					    .hit = s->hit.hit + 1,
					    .ring = ring,
					    .probe = head->probe,
					    .at = s->at ? *s->at : 0 };
	s->more = head->flags & RECORD_MORE;
}

/* Passes on a record's items. Returns NULL, or the error in the record. */
static const char *give_items(struct sink *s, const uint8_t *body, size_t len)
{
	const uint8_t *p = body, *end = body + len;
	struct item i;
	int rc = 1;

	while (!s->failed && (rc = fields_next(s->fields, &p, end, &i)) > 0) {
		if (i.kind == ITEM_TASK) {
			s->hit.pid = (uint32_t)i.values[0].number;
			s->hit.tid = (uint32_t)i.values[1].number;
			s->hit.has_task = true;
		} else if (i.kind == ITEM_TEXT) {
			take_text(s, RECORD_OUTPUT, i.values[0].s, i.values[0].len);
		} else if (i.kind == ITEM_HISTOGRAM) {
			take(s,
			     !s->ops->histogram || s->ops->histogram(s->own, &s->hit, i.histogram));
		} else if (i.site->nfields || s->ops->constants) {
			take(s, s->ops->item(s->own, &s->hit, &i));
		}
	}
	return rc < 0 ? "output that fits no format" : NULL;
}

/* Ends a record, if no other record of its hit follows. */
static void end(struct sink *s)
{
	if (s->failed || s->more)
		return;
	if (s->stored)
		stored_give(s->stored, s->hit.probe);
	if (s->ops->whole && !s->ops->whole(s->own, &s->hit))
		set_failed(s);
}

static const char *form_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	struct sink *s = (struct sink *)f;
	const char *wrong;

	begin(s, ring, head);
	wrong = give_items(s, body, head->len);
	end(s);
	return wrong;
}

static void form_text_of(struct form *f, unsigned ring, const struct stp_record *head,
			 const uint8_t *body)
{
	struct sink *s = (struct sink *)f;

	begin(s, ring, head);
	if (!s->failed)
		take_text(s, (enum stp_record_kind)head->kind, (const char *)body, head->len);
	end(s);
}

static void form_resume(struct form *f, const struct raw_resume *r)
{
	struct sink *s = (struct sink *)f;

	s->hit.hit = r->hits;
	if (s->ops->resume)
		s->ops->resume(s->own, r);
}

/* sink_close() passes on the books, because the sink's end depends on them. */
FORM_OPS(sink, form_output, form_text_of, form_no_run, form_resume, form_no_books);

struct sink_trace sink_trace_of(const struct join *j)
{
	return (struct sink_trace){
		.module = j->module,
		.host = j->host,
		.monotonic = j->parts[0].header.monotonic,
		.realtime = j->parts[0].header.session,
		.nrings = j->nrings,
		.tables = &j->tables,
		.fields = &j->records.fields,
		.at = &j->record_at,
	};
}

void sink_init(struct sink *s, const struct sink_ops *ops, void *own)
{
	*s = (struct sink){ .form.ops = &form_sink, .ops = ops, .own = own };
}

void sink_start(struct sink *s, struct records *r)
{
	s->fields = &r->fields;
	r->form = &s->form;
}

bool sink_close(struct sink *s, const struct books *b)
{
	bool ok = !s->failed;

	if (ok && b && s->ops->books)
		ok = s->ops->books(s->own, b);
	ok = s->ops->close(s->own) && ok;
	if (ok)
		stored_all(s->stored);
	return ok;
}

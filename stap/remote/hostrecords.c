/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostrecords.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/printable.h"
#include "stap/remote/hostlines.h"
#include "stap/remote/hostmonitor.h"
#include "stap/remote/hostpage.h"
#include "stap/remote/hostsink.h"
#include "trace/books.h"
#include "trace/form/json.h"
#include "trace/output.h"
#include "trace/records.h"

/* Converts a machine's records to lines. */
struct hostform {
	struct remote *r;
	struct host *h;
	struct output output; /* into take_text() */
	struct records records;
	struct json json;
	char *head; /* beginning of its lines of JSON: {"from":"HOST", */
};

/* Marks a message of stapio, in hosts_origin.ring. */
#define MESSAGE UINT32_MAX

/* ---- lines ---- */

/* Returns an object that names the machine, if there are several. */
static json_t *begin_object(const struct remote *r, const struct host *h)
{
	json_t *ret = json_object();

	if (r->count > 1)
		json_object_set_new(ret, "from", json_string(h->label));
	return ret;
}

/* Writes the object as a line, and releases it. */
static void put_object(struct remote *r, struct host *h, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	struct strbuf line;

	strbuf_init(&line, r->s->arena);
	if (text) {
		strbuf_adds(&line, text);
		strbuf_addc(&line, '\n');
		hostlines_put(r, h, line.s, line.len);
	}
	strbuf_release(&line);
	free(text);
	json_decref(object);
}

/* Writes a line of the machine's form, after the machine's name. */
static void put_json(struct remote *r, struct host *h, const char *text, size_t len)
{
	struct strbuf line;

	strbuf_init(&line, r->s->arena);
	strbuf_adds(&line, h->form->head);
	strbuf_add(&line, text + 1, len - 1);
	hostlines_put(r, h, line.s, line.len);
	strbuf_release(&line);
}

/* Takes the output of the machine's form, and passes on complete lines. */
static void take_text(void *ctx, const char *text, size_t len)
{
	struct hostform *f = ctx;
	struct host *h = f->h;

	while (hostlines_fill(&h->text, &text, &len)) {
		if (f->r->user_json)
			put_json(f->r, h, h->text.s, h->text.len);
		else
			hostlines_put(f->r, h, h->text.s, h->text.len);
		h->text.len = 0;
	}
}

/* Takes a line that does not belong to a stream. */
static void put_stray(struct remote *r, struct host *h, char *text, size_t len)
{
	json_t *object = begin_object(r, h);

	printable_make(text, len);
	json_object_set_new(object, "type", json_string("log"));
	json_object_set_new(object, "text", json_stringn(text, len));
	put_object(r, h, object);
}

static void take_stray(struct remote *r, struct host *h, const char *text, size_t len)
{
	if (!r->user_json) {
		hostlines_take(r, h, text, len);
		return;
	}
	while (hostlines_fill(&h->line, &text, &len)) {
		put_stray(r, h, h->line.s, h->line.len - 1);
		h->line.len = 0;
	}
}

/* ---- records ---- */

static void flush(struct host *h)
{
	if (h && h->form)
		output_flush_all(&h->form->output);
}

static void put_message(struct host *h, const struct stp_record *head, const uint8_t *body)
{
	char *text = strndup((const char *)body, head->len);

	if (text)
		json_message(&h->form->json, json_kind_name(head->kind), text);
	free(text);
}

static void report_damage(struct remote *r, struct host *h, const char *what)
{
	if (!h->is_damaged)
		fprintf(stderr, "stap: %s: its output is damaged: %s; the rest of it is lost\n",
			h->uri, what);
	h->is_damaged = true;
}

/* Takes the next record in the common order. */
static void put_record(void *ctx, unsigned host, unsigned ring, const struct stp_record *head,
		       const uint8_t *body)
{
	struct remote *r = ctx;
	struct host *h = &r->hosts[host];
	const char *wrong = NULL;

	if (r->last != h)
		flush(r->last);
	r->last = h;
	if (!h->form)
		return;
	if (ring != MESSAGE)
		wrong = records_emit(&h->form->records, ring, head, body);
	else if (r->user_json)
		put_message(h, head, body);
	if (wrong)
		report_damage(r, h, wrong);
}

/* Returns the time of a record by the clock here, which no record can be ahead of. */
static uint64_t time_here(const struct remote *r, const struct host *h, uint64_t time)
{
	const struct raw_header *of = &h->from.header;
	uint64_t ret = time - of->monotonic + of->session - (uint64_t)h->clock.offset;
	uint64_t now = (uint64_t)fleet_time();

	return ret < now ? ret : now;
}

static void add_record(struct remote *r, struct host *h, const struct stp_record *head,
		       const uint8_t *body)
{
	const struct hosts_origin of = { .time = head->time, .ring = h->from.ring };

	if (h->form && !h->is_damaged)
		hosts_add(&r->order, (unsigned)(h - r->hosts), &of, time_here(r, h, head->time),
			  head, body, fleet_now());
}

/* A message comes after the records before it. */
static void add_message(struct remote *r, struct host *h, const struct stp_record *head,
			const uint8_t *body)
{
	const struct hosts_origin of = { .ring = MESSAGE };
	const struct stp_record own = { .kind = head->flags ? RECORD_ERROR : RECORD_WARNING,
					.probe = STP_NO_PROBE,
					.len = head->len };

	if (h->form && r->user_json)
		hosts_add(&r->order, (unsigned)(h - r->hosts), &of, 0, &own, body, fleet_now());
}

/* ---- streams ---- */

/*
 * Returns the beginning of a line, before the other members, from malloc(). NULL: no
 * memory.
 */
static char *json_head(const struct remote *r, const struct host *h)
{
	json_t *object = begin_object(r, h);
	char *ret = json_dumps(object, JSON_COMPACT);

	json_decref(object);
	if (ret && r->count > 1)
		ret[strlen(ret) - 1] = ',';
	else if (ret)
		ret[1] = 0;
	return ret;
}

/* Sets up the machine's form, when its header has come. */
static bool make_form(struct remote *r, struct host *h)
{
	struct hoststream *s = &h->from;
	struct hostform *f = calloc(1, sizeof(*f));

	if (!f)
		return false;
	*f = (struct hostform){ .r = r, .h = h };
	h->form = f;
	if (output_to(&f->output, take_text, f) ||
	    !records_init(&f->records, &s->tables, &f->output))
		return false;
	f->records.quiet = true; /* the machine prints messages itself */
	f->head = json_head(r, h);
	if (!f->head)
		return false;
	if (r->user_json)
		json_start(&f->json, &f->records, s->header.nrings, s->module, s->host, &s->header);
	flush(h);
	return true;
}

static void begin_stream(struct remote *r, struct host *h)
{
	if (r->has_text && !make_form(r, h))
		report_damage(r, h, "no memory");
	hostsink_begin(r, h);
}

/* Handles the received part of a stream. */
static void take_events(struct remote *r, struct host *h)
{
	struct stp_record head;
	const uint8_t *body;
	size_t len;

	for (;;) {
		switch (hoststream_next(&h->from, &head, &body, &len)) {
		case HOSTSTREAM_HEADER:
			begin_stream(r, h);
			break;
		case HOSTSTREAM_RECORD:
			add_record(r, h, &head, body);
			break;
		case HOSTSTREAM_MESSAGE:
			add_message(r, h, &head, body);
			break;
		case HOSTSTREAM_LOOK:
			hostmonitor_look(r, h);
			hostpage_look(r, h);
			break;
		case HOSTSTREAM_TEXT:
			take_stray(r, h, (const char *)body, len);
			break;
		case HOSTSTREAM_WRONG:
			report_damage(r, h, h->from.wrong);
			return;
		case HOSTSTREAM_END:
		case HOSTSTREAM_MORE:
			return;
		}
	}
}

bool hostrecords_take(struct remote *r, struct host *h, const char *bytes, size_t len)
{
	if (!hoststream_add(&h->from, bytes, len))
		report_damage(r, h, "no memory");
	else
		take_events(r, h);
	hostsink_add(r, h, bytes, len);
	return !h->is_damaged;
}

/* ---- a run ---- */

struct error *hostrecords_init(struct remote *r)
{
	if (hosts_init(&r->order, (unsigned)r->count, put_record, r))
		return error_create(r->s->arena, ERROR_ENVIRONMENT, "no memory");
	r->order.is_patient = options_passed(r->s->options, "-b");
	return NULL;
}

void hostrecords_open(struct remote *r, struct host *h)
{
	json_t *object;

	hosts_open(&r->order, (unsigned)(h - r->hosts), (uint64_t)fleet_time());
	if (!r->user_json || r->count == 1)
		return;
	object = begin_object(r, h);
	json_object_set_new(object, "type", json_string("remote"));
	json_object_set_new(object, "release", json_string(h->release));
	put_object(r, h, object);
	if (!h->clock.trip)
		return;
	object = begin_object(r, h);
	json_object_set_new(object, "type", json_string("clock"));
	json_object_set_new(object, "ahead", json_integer(h->clock.offset));
	json_object_set_new(object, "trip", json_integer(h->clock.trip));
	put_object(r, h, object);
}

/* Called after the machine's last record: handles its books and an unfinished line. */
static void finish(struct remote *r, struct host *h)
{
	struct books books = { .text = NULL };
	const char *wrong = NULL;
	bool has = h->from.books.len && !h->from.is_look;

	h->is_finished = true;
	if (has) {
		hostpage_look(r, h);
		wrong = books_parse(&books, h->from.books.s, h->from.tables.probes.count);
	}
	if (wrong)
		report_damage(r, h, wrong);
	if (has && !wrong) {
		h->books = (struct host_books){
			.known = true,
			.hits = (int64_t)books.total.hits,
			.delivered = (int64_t)books.total.delivered,
			.dropped = (int64_t)books.total.dropped,
			.skipped = (int64_t)books.total.skipped,
		};
		if (h->form)
			records_books(&h->form->records, &books, h->from.records, true);
	}
	books_deinit(&books);
	if (h->is_damaged && !h->status)
		h->status = 1;
	if (has)
		h->from.books = (struct hoststream_text){ 0 }; /* books_parse() owns it now */
	flush(h);
	if (h->form && h->text.len)
		take_text(h->form, "\n", 1);
	if (r->last == h)
		r->last = NULL;
}

int64_t hostrecords_write(struct remote *r)
{
	int64_t ret = hosts_emit_due(&r->order, fleet_now());

	flush(r->last);
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->has_sent && !h->is_finished && hosts_is_empty(&r->order, (unsigned)i))
			finish(r, h);
	}
	if (r->order.no_memory && !r->error)
		r->error = ENOMEM;
	return ret;
}

/* Passes on the few bytes that could have been the beginning of a stream. */
static void take_beginning(struct remote *r, struct host *h)
{
	struct hoststream *s = &h->from;

	if (s->state == HOSTSTREAM_BEGINS && bytequeue_len(&s->in))
		take_stray(r, h, (const char *)bytequeue_at(&s->in), bytequeue_len(&s->in));
	if (r->user_json && h->line.len)
		take_stray(r, h, "\n", 1);
}

bool hostrecords_end(struct remote *r, struct host *h)
{
	/* A run that failed, or was ended, before its stream began has reported why. */
	bool cut = h->from.state == HOSTSTREAM_RUNS ||
		   (h->from.state == HOSTSTREAM_BEGINS && !h->exit && !r->ending);

	take_beginning(r, h);
	hosts_end(&r->order, (unsigned)(h - r->hosts));
	hostsink_end(h);
	h->has_sent = true;
	if (cut)
		fprintf(stderr,
			"stap: %s: its output ends before the end of its run, after %" PRIu64
			" records\n",
			h->uri, h->from.records);
	return !cut && !h->is_damaged;
}

size_t hostrecords_waiting(const struct remote *r, const struct host *h)
{
	return hosts_waiting(&r->order, (unsigned)(h - r->hosts));
}

void hostrecords_deinit(struct remote *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct hostform *f = r->hosts[i].form;

		if (f) {
			records_deinit(&f->records);
			json_deinit(&f->json);
			output_drop(&f->output);
			free(f->head);
		}
		free(f);
		r->hosts[i].form = NULL;
		hoststream_deinit(&r->hosts[i].from);
	}
	hosts_deinit(&r->order);
}

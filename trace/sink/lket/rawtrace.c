/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes events of the items that stap's records have: a sink, of raw files for lket-b2a
 * and of any trace for --to lket:DIR. An item whose format begins with "\001lket
 * GROUP.HOOK " is a hook's: the thread and the process, then its fields. Later items of
 * the same hit are text that the script printed. The time is the record's, the CPU the
 * ring's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/printf.h"
#include "trace/dictionary.h"
#include "trace/messages.h"
#include "trace/sink/newfile.h"
#include "trace/sink/lket/convert.h"
#include "trace/sink/sink.h"
#include "trace/sink/stored.h"
#include "trace/source/join.h"

#define MARK	    "\001lket "
#define FLUSH_EVERY 1 /* s */

/* A value of an item, as the event has it. */
struct raw_value {
	enum event_type type;
	bool is_char;
};

struct raw_format {
	bool is_hook;
	uint8_t group, hook;
	struct raw_value *values; /* one for each field of the site */
	uint32_t count;
};

struct rawtrace {
	struct convert *convert;
	const struct sink_trace *trace;
	struct raw_format *formats;
	struct event event;
	bool open;    /* `event` is being filled */
	uint64_t hit; /* number of the hit that the items belong to */
	bool stopped; /* nothing more can be written */
	bool ended;
	time_t since; /* the last flush */
	/* only for --to lket:DIR: */
	struct convert own;
	struct convert_options options;
};

/* ---- formats ---- */

/* Returns the length of a tag such as "\001lket 9.5 "; 0: there is none. */
static uint32_t parse_mark(const struct stp_format_text *text, struct raw_format *ret)
{
	char word[32] = "";
	unsigned group, hook;
	int used = 0;

	memcpy(word, text->text, text->len < sizeof(word) ? text->len : sizeof(word) - 1);
	if (strncmp(word, MARK, strlen(MARK)) ||
	    sscanf(word + strlen(MARK), "%3u.%3u%n", &group, &hook, &used) != 2 || !used ||
	    word[strlen(MARK) + (size_t)used] != ' ' || group > 255 || hook > 255)
		return 0;
	ret->is_hook = true;
	ret->group = (uint8_t)group;
	ret->hook = (uint8_t)hook;
	return (uint32_t)strlen(MARK) + (uint32_t)used + 1;
}

/* Returns the type of a directive: INT32 for "%4b". */
static enum event_type type_of(const struct stp_directive *d)
{
	if (stp_directive_arg(d->kind) != 'd')
		return EVENT_STRING;
	if (d->kind != STP_DIR_BINARY)
		return EVENT_INT64;
	return d->width == 1   ? EVENT_INT8
	       : d->width == 2 ? EVENT_INT16
	       : d->width == 4 ? EVENT_INT32
			       : EVENT_INT64;
}

static bool cut_format(const struct stp_format_text *text, struct raw_format *ret)
{
	uint32_t pos = parse_mark(text, ret);
	struct stp_directive d;
	const char *error = NULL;

	ret->values = malloc((text->len + 1) * sizeof(*ret->values));
	while (ret->values && stp_format_next(text->text, text->len, &pos, &d, &error))
		if (stp_directive_arg(d.kind))
			ret->values[ret->count++] =
				(struct raw_value){ type_of(&d), d.kind == STP_DIR_CHAR };
	if (ret->is_hook && (!ret->count || ret->values[0].type != EVENT_INT64))
		ret->is_hook = false;
	return ret->values != NULL;
}

static bool cut_formats(struct rawtrace *r)
{
	const struct table *t = &r->trace->tables->formats;

	r->formats = calloc(t->count + 1, sizeof(*r->formats));
	for (uint32_t i = 0; r->formats && i < t->count; i++)
		if (!cut_format(&t->rows[i], &r->formats[i]))
			break;
	if (r->formats && (!t->count || r->formats[t->count - 1].values))
		return true;
	message_error("no memory");
	return false;
}

static bool has_hooks(const struct rawtrace *r)
{
	for (uint32_t i = 0; i < r->trace->tables->formats.count; i++)
		if (r->formats[i].is_hook)
			return true;
	return false;
}

/* ---- events ---- */

static void finish(struct rawtrace *r)
{
	if (r->open && !r->stopped)
		r->stopped = !convert_event(r->convert, &r->event);
	r->open = false;
}

/* Begins the event of a hook. Its first value holds the thread and the process. */
static void start(struct rawtrace *r, const struct raw_format *f, const struct sink_hit *h,
		  int64_t who)
{
	const struct sink_trace *t = r->trace;
	struct event *e = &r->event;

	finish(r);
	e->usec = sink_realtime(t, h->time) / 1000;
	e->group = f->group;
	e->hook = f->hook;
	e->cpu = h->ring + 1 == t->nrings ? 0 : (uint8_t)h->ring;
	e->nfields = e->nown = 0;
	e->used = 0;
	e->cut = false;
	e->tid = (int32_t)(who >> 32);
	e->pid = (int32_t)who;
	e->ppid = -1;
	r->open = true;
	r->hit = h->hit;
}

/* False: the item belongs to a probe that is not one of LKET's. */
static bool is_open(struct rawtrace *r, const struct sink_hit *h)
{
	if (r->open && r->hit != h->hit)
		finish(r);
	return r->open;
}

static void add_value(struct event *e, const struct raw_value *as, const struct value *v)
{
	bool ends_text =
		as->is_char && e->nfields && e->fields[e->nfields - 1].type == EVENT_STRING;

	if (as->type == EVENT_STRING)
		event_add_string(e, v->s, v->len);
	/* Some scripts print "%s%c" with a 0 to end a string. */
	else if (v->number || !ends_text)
		event_add_number(e, as->type, v->number);
}

static bool take_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct rawtrace *r = sink;
	const struct raw_format *f = &r->formats[i->index];
	uint32_t k = 0;

	if (f->is_hook)
		start(r, f, h, i->values[k++].number);
	else if (!is_open(r, h))
		return !r->stopped;
	for (; k < f->count; k++)
		add_value(&r->event, &f->values[k], &i->values[k]);
	if (f->is_hook)
		r->event.nown = r->event.nfields;
	return !r->stopped;
}

/* Messages are not events: they have been shown. */
static bool take_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
		      const char *s, size_t len)
{
	struct rawtrace *r = sink;

	if (kind == RECORD_OUTPUT && is_open(r, h))
		event_add_string(&r->event, s, len);
	return !r->stopped;
}

/*
 * A histogram becomes its count, then the bounds and the count of each bucket that is not
 * empty.
 */
static bool take_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	struct rawtrace *r = sink;

	if (!is_open(r, h))
		return !r->stopped;
	event_add_number(&r->event, EVENT_INT64, g->head.count);
	for (uint32_t i = 0; i < g->head.shown; i++) {
		struct histogram_bucket b = fields_bucket(g, i);

		if (!b.count)
			continue;
		event_add_number(&r->event, EVENT_INT64, b.has_low ? b.low : INT64_MIN);
		event_add_number(&r->event, EVENT_INT64, b.has_high ? b.high : INT64_MAX);
		event_add_number(&r->event, EVENT_INT64, (int64_t)b.count);
	}
	return !r->stopped;
}

/* Records count as stored once they are in the files. */
static bool take_end(void *sink, const struct sink_hit *h)
{
	struct rawtrace *r = sink;

	finish(r);
	if (r->stopped || (!r->convert->flush_due && sink_now() - r->since < FLUSH_EVERY))
		return !r->stopped;
	r->since = sink_now();
	r->stopped = !convert_flush(r->convert);
	if (!r->stopped)
		stored_all(r->trace->stored);
	return !r->stopped;
}

/* ---- opening and closing ---- */

static struct rawtrace *open_trace(struct convert *c, const struct sink_trace *t)
{
	struct rawtrace *r = calloc(1, sizeof(*r));

	if (!r) {
		message_error("no memory");
		return NULL;
	}
	r->trace = t;
	r->convert = c ? c : &r->own;
	if (!cut_formats(r))
		r->stopped = true;
	return r;
}

static void free_trace(struct rawtrace *r)
{
	for (uint32_t i = 0; r->formats && i < r->trace->tables->formats.count; i++)
		free(r->formats[i].values);
	free(r->formats);
	free(r);
}

static bool begin(struct rawtrace *r)
{
	r->convert->header = (struct trace_header){ .header_len = 4,
						    .major = 1,
						    .minor = 1,
						    .width = 64,
						    .has_timing = true,
						    .timing = 2 };
	r->convert->run.module = r->trace->module;
	r->convert->run.host = r->trace->host;
	r->convert->run.time = r->trace->monotonic;
	r->convert->run.realtime = r->trace->realtime;
	return !r->stopped && convert_begin(r->convert);
}

/* Writes the rest. Only then is it known whether everything could be written. */
static bool take_books(void *sink, const struct books *b)
{
	struct rawtrace *r = sink;

	if (!r->ended) {
		finish(r);
		convert_end(r->convert, b);
	}
	r->ended = true;
	return !r->convert->damaged;
}

static bool lket_close(void *sink)
{
	struct rawtrace *r = sink;
	bool ok = take_books(r, NULL);

	convert_deinit(r->convert);
	free_trace(r);
	return ok;
}

static void *lket_open(const char *where, const struct sink_trace *t)
{
	struct rawtrace *r = open_trace(NULL, t);

	if (!r)
		return NULL;
	r->options = (struct convert_options){ .bytes_dir = where };
	r->options.wanted[CONVERT_BYTES] = true;
	if (!r->stopped && !has_hooks(r)) {
		message_error("--to lket: the script has none of LKET's hooks, see lket(5)");
		r->stopped = true;
	}
	if (convert_init(r->convert, &r->options) && !r->stopped && newfile_directory(where) &&
	    begin(r))
		return r;
	r->stopped = true;
	lket_close(r);
	return NULL;
}

SINK_OPS(lket, lket_open, take_item, lket_close, .text = take_text, .histogram = take_histogram,
	 .whole = take_end, .books = take_books);

/* ---- raw files ---- */

bool rawtrace_is(const char *name)
{
	char magic[sizeof(RAW_MAGIC)] = "";
	FILE *f = fopen(name, "re");
	bool is = f && fread(magic, 1, sizeof(RAW_MAGIC) - 1, f) && !strcmp(magic, RAW_MAGIC);

	if (f)
		fclose(f);
	return is;
}

static void run(struct join *j, struct convert *c, struct rawtrace *r)
{
	struct sink s;

	sink_init(&s, &sink_lket, r);
	sink_start(&s, &j->records);
	join_run(j);
	join_check(j);
	if (j->has_books)
		books_warn(&j->books, message_warning);
	c->damaged |= j->damaged;
	take_books(r, j->has_books ? &j->books : NULL);
}

bool rawtrace_read(struct convert *c, char *const *names, unsigned n)
{
	static struct output none;
	struct join j;
	struct rawtrace *r = NULL;
	struct sink_trace t;
	bool ok = join_file_open(&j, names, n, &none);

	if (ok) {
		t = sink_trace_of(&j);
		r = open_trace(c, &t);
		ok = r && begin(r);
	}
	if (ok)
		run(&j, c, r);
	else
		convert_end(c, NULL);
	if (r)
		free_trace(r);
	join_close(&j);
	return ok;
}

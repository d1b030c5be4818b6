/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads raw files of stap -b -M. An item whose format begins with "\001lket GROUP.HOOK " is
 * a hook's: the thread and the process, then its fields. Other items of the same hit,
 * behind it, are what the script printed. The time is the record's, the CPU the ring's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/printf.h"
#include "core/record_format.h"
#include "lket/convert.h"
#include "stapio/join.h"
#include "stapio/messages.h"

#define MARK "\001lket "

struct raw_format {
	bool is_hook;
	uint8_t group, hook;
	struct stp_directive *directives;
	uint32_t count;
};

struct rawtrace {
	struct convert *convert;
	struct join join;
	struct raw_format *formats;
	struct event event;
	bool open; /* `event` has begun */
	bool stopped;
};

struct items {
	const uint8_t *at, *end;
};

/* ---- formats ---- */

/* "\001lket 9.5 ": returns its length; 0: it is none. */
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

static bool cut_format(const struct stp_format_text *text, struct raw_format *ret)
{
	uint32_t pos = parse_mark(text, ret);
	struct stp_directive d;
	const char *error = NULL;

	ret->directives = malloc((text->len + 1) * sizeof(*ret->directives));
	while (ret->directives && stp_format_next(text->text, text->len, &pos, &d, &error))
		ret->directives[ret->count++] = d;
	return ret->directives != NULL;
}

static bool cut_formats(struct rawtrace *r)
{
	const struct table *t = &r->join.tables.formats;

	r->formats = calloc(t->count + 1, sizeof(*r->formats));
	for (uint32_t i = 0; r->formats && i < t->count; i++)
		if (!cut_format(&t->rows[i], &r->formats[i]))
			return false;
	return r->formats != NULL;
}

/* ---- items ---- */

static bool take(struct items *in, void *to, size_t len)
{
	if ((size_t)(in->end - in->at) < len)
		return false;
	memcpy(to, in->at, len);
	in->at += len;
	return true;
}

static bool take_number(struct items *in, int64_t *ret)
{
	return take(in, ret, sizeof(*ret));
}

static bool take_text(struct items *in, const char **text, uint16_t *len)
{
	if (!take(in, len, sizeof(*len)) || (size_t)(in->end - in->at) < *len)
		return false;
	*text = (const char *)in->at;
	in->at += *len;
	return true;
}

/* The type that a directive has: "%4b" is INT32. */
static enum event_type type_of(const struct stp_directive *d)
{
	if (d->kind != STP_DIR_BINARY)
		return EVENT_INT64;
	return d->width == 1   ? EVENT_INT8
	       : d->width == 2 ? EVENT_INT16
	       : d->width == 4 ? EVENT_INT32
			       : EVENT_INT64;
}

static bool skip_stars(struct items *in, const struct stp_directive *d)
{
	int64_t unused;

	return (!d->width_star || take_number(in, &unused)) &&
	       (!d->precision_star || take_number(in, &unused));
}

/* Adds the value of a directive. */
static bool add_value(struct event *e, struct items *in, const struct stp_directive *d)
{
	bool ends_text = d->kind == STP_DIR_CHAR && e->nfields &&
			 e->fields[e->nfields - 1].type == EVENT_STRING;
	int64_t number;
	const char *text;
	uint16_t len;

	if (!skip_stars(in, d))
		return false;
	if (stp_directive_arg(d->kind) == 'd') {
		if (!take_number(in, &number))
			return false;
		/* "%s%c" with 0 is how some print the end of a string. */
		if (number || !ends_text)
			event_add_number(e, type_of(d), number);
		return true;
	}
	if (!stp_directive_arg(d->kind))
		return true;
	if (!take_text(in, &text, &len))
		return false;
	event_add_string(e, text, len);
	return true;
}

static bool finish(struct rawtrace *r)
{
	struct event *e = &r->event;

	if (!r->open)
		return true;
	r->open = false;
	return convert_event(r->convert, e);
}

static void clear_values(struct event *e)
{
	e->nfields = e->nown = 0;
	e->used = 0;
	e->cut = false;
}

static void start(struct rawtrace *r, const struct raw_format *f, unsigned ring,
		  const struct stp_record *head)
{
	const struct raw_header *h = &r->join.parts[0].header;
	struct event *e = &r->event;

	e->usec = (h->session + (head->time - h->monotonic)) / 1000;
	e->group = f->group;
	e->hook = f->hook;
	e->cpu = ring + 1 == r->join.nrings ? 0 : (uint8_t)ring;
	clear_values(e);
	e->tid = e->pid = e->ppid = -1;
	r->open = true;
}

/* Takes a hook's thread and process, which come first. */
static bool take_who(struct event *e, struct items *in)
{
	int64_t who;

	if (!take_number(in, &who))
		return false;
	e->tid = (int32_t)(who >> 32);
	e->pid = (int32_t)who;
	return true;
}

static bool take_item(struct rawtrace *r, const struct raw_format *f, struct items *in)
{
	uint32_t i = 0;

	if (f->is_hook && (!f->count || f->directives[i++].kind != STP_DIR_BINARY ||
			   !take_who(&r->event, in)))
		return false;
	for (; i < f->count; i++)
		if (!add_value(&r->event, in, &f->directives[i]))
			return false;
	if (f->is_hook)
		r->event.nown = r->event.nfields;
	return true;
}

/* Takes what was printed without printf(): print() and its like. */
static bool take_plain(struct rawtrace *r, struct items *in)
{
	const char *text;
	uint16_t len;

	if (!take_text(in, &text, &len))
		return false;
	event_add_string(&r->event, text, len);
	return true;
}

/*
 * The task and the numbers of histograms are left out: hooks have the one, and pictures
 * follow the other.
 */
static bool take_any(struct rawtrace *r, uint16_t format, struct items *in)
{
	if (stp_record_is_data(format))
		return stp_record_skip(format, &in->at, in->end);
	if (format == STP_FORMAT_TEXT)
		return take_plain(r, in);
	return format < r->join.tables.formats.count && take_item(r, &r->formats[format], in);
}

static const char *take_record(struct rawtrace *r, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	struct items in = { body, body + head->len };
	const uint32_t count = r->join.tables.formats.count;
	uint16_t format;

	while (in.at < in.end && !r->stopped) {
		if (!take(&in, &format, sizeof(format)))
			return "output that fits no format";
		if (format < count && r->formats[format].is_hook) {
			r->stopped = !finish(r);
			start(r, &r->formats[format], ring, head);
		}
		if (!take_any(r, format, &in))
			return "output that fits no format";
		if (!r->open) /* output of probes that are none of LKET's */
			clear_values(&r->event);
	}
	if (!(head->flags & RECORD_MORE))
		r->stopped |= !finish(r);
	return NULL;
}

static const char *emit(void *ctx, unsigned ring, const struct stp_record *head,
			const uint8_t *body)
{
	if (head->kind == RECORD_WARNING || head->kind == RECORD_ERROR)
		message_text(head->kind == RECORD_ERROR ? "ERROR: " : "WARNING: ",
			     (const char *)body, head->len, "\n");
	return head->kind == RECORD_OUTPUT ? take_record(ctx, ring, head, body) : NULL;
}

/* ---- all of it ---- */

bool rawtrace_is(const char *name)
{
	char magic[sizeof(RAW_MAGIC)] = "";
	FILE *f = fopen(name, "re");
	bool is = f && fread(magic, 1, sizeof(RAW_MAGIC) - 1, f) && !strcmp(magic, RAW_MAGIC);

	if (f)
		fclose(f);
	return is;
}

static void run(struct rawtrace *r)
{
	struct join *j = &r->join;

	j->emit = emit;
	j->emit_ctx = r;
	join_run(j);
	join_check(j);
	if (j->has_books)
		books_warn(&j->books);
	r->convert->damaged |= j->damaged;
}

bool rawtrace_read(struct convert *c, char *const *names, unsigned n)
{
	static struct output none;
	struct rawtrace *r = calloc(1, sizeof(*r));
	bool ok = r && join_file_open(&r->join, names, n, &none);

	if (!r)
		return false;
	r->convert = c;
	c->header = (struct trace_header){ .header_len = 4, .major = 1, .minor = 1, .width = 64,
					   .has_timing = true, .timing = 2 };
	if (ok && !cut_formats(r)) {
		message_error("no memory");
		ok = false;
	}
	ok = ok && convert_begin(c);
	if (ok)
		run(r);
	convert_end(c, ok && r->join.has_books ? &r->join.books : NULL);
	for (uint32_t i = 0; r->formats && i < r->join.tables.formats.count; i++)
		free(r->formats[i].directives);
	free(r->formats);
	join_close(&r->join);
	free(r);
	return ok;
}

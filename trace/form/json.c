/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See json.h. Texts that are not UTF-8 (a script may print any bytes) are written as
 * base64.
 */
#include "trace/form/json.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/record_format.h"
#include "lib/clock.h"
#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/fields.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/records.h"
#include "trace/source/raw.h"

#define JSON_VERSION 1

const char *json_kind_name(enum stp_record_kind kind)
{
	static const char *const names[] = {
		[RECORD_OUTPUT] = "output", [RECORD_WARNING] = "warning", [RECORD_ERROR] = "error",
		[RECORD_LOG] = "log",	    [RECORD_COMMAND] = "command",
	};
	_Static_assert(sizeof(names) / sizeof(names[0]) == RECORD_KINDS,
		       "a name for every kind of record");

	return names[kind];
}

void json_init(struct json *j, struct output *o, const struct tables *t, unsigned nrings)
{
	*j = (struct json){ .output = o, .tables = t, .nrings = nrings, .pending = json_array() };
}

void json_deinit(struct json *j)
{
	free(j->text.s);
	free(j->items.s);
	free(j->line.s);
	j->text = j->items = j->line = (struct json_text){ NULL };
	json_decref(j->pending);
	j->pending = NULL;
}

static void put_line(struct json *j, json_t *object)
{
	char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;

	if (line) {
		output_put(j->output, line, strlen(line));
		output_put(j->output, "\n", 1);
	}
	j->no_memory |= !line;
	free(line);
	output_record_end(j->output);
}

/*
 * Writes what is pending. Writing may itself cause a message, about a file that cannot be
 * renamed: that message becomes the next line.
 */
static void put_pending(struct json *j)
{
	j->busy = true;
	for (size_t i = 0; i < json_array_size(j->pending); i++)
		put_line(j, json_array_get(j->pending, i));
	json_array_clear(j->pending);
	j->busy = false;
}

/* Writes an object and releases it. */
static void put_object(struct json *j, json_t *object)
{
	json_array_append_new(j->pending, object);
	if (!j->busy)
		put_pending(j);
}

/* ---- texts ---- */

/* A callback for json_dump_callback(). Returns -1 if there is no memory. */
static int text_add(const char *s, size_t len, void *text)
{
	struct json_text *t = text;

	if (!len)
		return 0; // there may be no text yet
	if (t->room - t->len < len) {
		size_t room = 2 * (t->len + len);
		char *larger = realloc(t->s, room);

		if (!larger)
			return -1;
		t->s = larger;
		t->room = room;
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	return 0;
}

/* Adds an object, and becomes its owner. */
static bool add_object(struct json_text *t, json_t *object)
{
	bool ok =
		object && !json_dump_callback(object, text_add, t, JSON_COMPACT | JSON_ENCODE_ANY);

	json_decref(object);
	return ok;
}

static bool add_unsigned(struct json_text *t, uint64_t number)
{
	char digits[20], *p = digits + sizeof(digits);

	do
		*--p = (char)('0' + number % 10);
	while (number /= 10);
	return !text_add(p, (size_t)(digits + sizeof(digits) - p), t);
}

static bool add_signed(struct json_text *t, int64_t number)
{
	if (number >= 0)
		return add_unsigned(t, (uint64_t)number);
	return !text_add("-", 1, t) && add_unsigned(t, -(uint64_t)number);
}

/*
 * Returns the character that escapes this byte after a backslash; 0: the byte needs none.
 */
static char escape_of(char c)
{
	return c == '\n' ? 'n' : c == '\t' ? 't' : c == '"' || c == '\\' ? c : 0;
}

/*
 * Adds a JSON string. Plain ASCII, the usual case, is copied; the library encodes
 * everything else. Returns 0, -ENOMEM, or -EILSEQ: it is not UTF-8, and nothing was
 * added.
 */
static int add_string(struct json_text *t, const char *s, size_t len)
{
	size_t begin = t->len, from = 0, i;
	bool ok = !text_add("\"", 1, t);

	for (i = 0; ok && i < len; i++) {
		const char escape[2] = { '\\', escape_of(s[i]) };

		if (escape[1]) {
			ok = !text_add(s + from, i - from, t) && !text_add(escape, 2, t);
			from = i + 1;
		} else if ((signed char)s[i] < ' ') {
			json_t *string = json_stringn(s, len);

			t->len = begin;
			return !string ? -EILSEQ : add_object(t, string) ? 0 : -ENOMEM;
		}
	}
	ok = ok && !text_add(s + from, len - from, t) && !text_add("\"", 1, t);
	return ok ? 0 : -ENOMEM;
}

static bool line_words(struct json *j, const char *s)
{
	return !text_add(s, strlen(s), &j->line);
}

static json_t *base64(const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *buf = malloc(len / 3 * 4 + 5), *to = buf;
	json_t *ret;

	if (!buf)
		return NULL;
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = 0;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < n ? (uint8_t)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			*to++ = k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
	}
	ret = json_stringn(buf, (size_t)(to - buf));
	free(buf);
	return ret;
}

static void set_text(json_t *object, const char *text, size_t len)
{
	json_t *string = json_stringn(text, len);

	if (string)
		json_object_set_new(object, "text", string);
	else
		json_object_set_new(object, "base64", base64(text, len));
}

/*
 * Makes a JSON string from a probe's name, which comes from a script and may contain any
 * bytes.
 */
static json_t *name_of(const char *text, size_t len)
{
	json_t *string = json_stringn(text, len);

	return string ? string : base64(text, len);
}

/* ---- lines ---- */

void json_put(void *ctx, const char *s, size_t len)
{
	struct json *j = ctx;

	j->no_memory |= text_add(s, len, &j->text) != 0;
}

/* ---- items ---- */

static bool add_words(struct json *j, const char *s)
{
	return !text_add(s, strlen(s), &j->items);
}

static bool add_value(struct json *j, const struct field *f, const struct value *v)
{
	int rc;

	if (f->type == FIELD_SIGNED)
		return add_signed(&j->items, (int64_t)v->number);
	if (f->type < FIELD_STRING)
		return add_unsigned(&j->items, v->number);
	rc = f->type == FIELD_STRING ? add_string(&j->items, v->s, v->len) : -EILSEQ;
	if (rc != -EILSEQ)
		return !rc;
	return add_words(j, "{\"base64\":") && add_object(&j->items, base64(v->s, v->len)) &&
	       add_words(j, "}");
}

static bool add_item(struct json *j, const struct item *i)
{
	const struct site *s = i->site;
	bool ok = add_words(j, j->items.len ? ",{\"site\":\"" : "{\"site\":\"") &&
		  add_words(j, s->name) && add_words(j, "\",\"fields\":{");

	for (uint32_t k = 0; ok && k < s->nfields; k++)
		ok = add_words(j, k ? ",\"" : "\"") && add_words(j, s->fields[k].name) &&
		     add_words(j, "\":") && add_value(j, &s->fields[k], &i->values[k]);
	return ok && add_words(j, "}}");
}

static bool add_number(struct json *j, const char *before, int64_t number)
{
	return add_words(j, before) && add_signed(&j->items, number);
}

static bool add_bound(struct json *j, const char *before, bool has, int64_t bound)
{
	return has ? add_number(j, before, bound) : add_words(j, before) && add_words(j, "null");
}

static bool add_histogram(struct json *j, const struct histogram *h)
{
	const struct stp_hist_item *n = &h->head;
	const char *comma = "";
	bool ok = add_words(j, j->items.len ? ",{\"site\":\"" : "{\"site\":\"") &&
		  add_words(j, h->name) &&
		  add_number(j, "\",\"histogram\":{\"count\":", n->count) &&
		  (!(n->keeps & STP_KEEP_SUM) || add_number(j, ",\"sum\":", n->sum)) &&
		  (!(n->keeps & STP_KEEP_MIN) || add_number(j, ",\"min\":", n->min)) &&
		  (!(n->keeps & STP_KEEP_MAX) || add_number(j, ",\"max\":", n->max)) &&
		  add_words(j, ",\"buckets\":[");

	for (uint32_t i = 0; ok && i < n->shown; i++) {
		struct histogram_bucket b = fields_bucket(h, i);

		if (!b.count)
			continue;
		ok = add_words(j, comma) && add_bound(j, "[", b.has_low, b.low) &&
		     add_bound(j, ",", b.has_high, b.high) &&
		     add_number(j, ",", (int64_t)b.count) && add_words(j, "]");
		comma = ",";
	}
	return ok && add_words(j, "]}}");
}

bool json_item(struct json *j, const struct item *i)
{
	bool ok = i->kind == ITEM_HISTOGRAM ? add_histogram(j, i->histogram) : add_item(j, i);

	j->no_memory |= !ok;
	return ok;
}

/* Adds the items of a record. False: they fit no format. */
static bool add_items_of(struct json *j, const uint8_t *body, size_t len)
{
	const uint8_t *p = body;
	struct item i;
	int rc;

	while ((rc = fields_next(j->fields, &p, body + len, &i)) > 0) {
		if (i.kind == ITEM_TASK) {
			j->task[0] = (uint32_t)i.values[0].number;
			j->task[1] = (uint32_t)i.values[1].number;
			j->has_task = true;
		} else if (i.kind == ITEM_HISTOGRAM || (i.kind == ITEM_SITE && i.site->nfields)) {
			json_item(j, &i);
		}
	}
	return !rc;
}

/* ---- records ---- */

static bool add_head(struct json *j, unsigned ring, const struct stp_record *head)
{
	return line_words(j, "{\"type\":\"") && line_words(j, json_kind_name(head->kind)) &&
	       line_words(j, "\",\"time\":") && add_signed(&j->line, (int64_t)head->time) &&
	       line_words(j, ",\"cpu\":") &&
	       (ring + 1 == j->nrings ? line_words(j, "\"slow\"") : add_unsigned(&j->line, ring));
}

static bool add_probe(struct json *j, const struct stp_record *head)
{
	const struct stp_format_text *p;
	int rc;

	if (head->probe >= j->tables->probes.count)
		return true;
	p = &j->tables->probes.rows[head->probe];
	if (!line_words(j, ",\"probe\":"))
		return false;
	rc = add_string(&j->line, p->text, p->len);
	return rc == -EILSEQ ? add_object(&j->line, base64(p->text, p->len)) : !rc;
}

static bool add_task(struct json *j)
{
	return !j->has_task || (line_words(j, ",\"pid\":") && add_unsigned(&j->line, j->task[0]) &&
				line_words(j, ",\"tid\":") && add_unsigned(&j->line, j->task[1]));
}

static bool add_text(struct json *j)
{
	const char *s = j->text.s ? j->text.s : "";
	size_t len = j->line.len;
	int rc = line_words(j, ",\"text\":") ? add_string(&j->line, s, j->text.len) : -ENOMEM;

	if (rc != -EILSEQ)
		return !rc;
	j->line.len = len;
	return line_words(j, ",\"base64\":") && add_object(&j->line, base64(s, j->text.len));
}

static bool add_items(struct json *j)
{
	return line_words(j, ",\"items\":[") && !text_add(j->items.s, j->items.len, &j->line) &&
	       line_words(j, "]");
}

/*
 * Hits are frequent, and their items' numbers go up to 2^64: their lines are built
 * without the library's objects.
 */
const char *json_line(struct json *j, unsigned ring, const struct stp_record *head, size_t *len)
{
	bool ok;

	j->line.len = 0;
	ok = add_head(j, ring, head) && add_probe(j, head) && add_task(j) && add_text(j) &&
	     (head->kind != RECORD_OUTPUT || add_items(j)) && line_words(j, "}\n");
	j->no_memory |= !ok;
	j->text.len = j->items.len = 0;
	j->has_task = false;
	*len = j->line.len;
	return ok ? j->line.s : NULL;
}

/* Writes the line that was built. */
static void put_record(struct json *j, unsigned ring, const struct stp_record *head)
{
	size_t len;

	if (json_line(j, ring, head, &len)) {
		j->busy = true;
		output_put(j->output, j->line.s, j->line.len);
		output_record_end(j->output);
		put_pending(j);
	}
}

void json_message(void *ctx, const char *type, const char *text)
{
	struct json *j = ctx;
	json_t *object = json_pack("{s:s}", "type", type);

	if (object)
		set_text(object, text, strlen(text));
	put_object(j, object);
}

static json_t *book_object(const char *type, const struct book *k)
{
	return json_pack("{s:s,s:I,s:I,s:I,s:I}", "type", type, "hits", (json_int_t)k->hits,
			 "delivered", (json_int_t)k->delivered, "dropped", (json_int_t)k->dropped,
			 "skipped", (json_int_t)k->skipped);
}

static void put_row(struct json *j, const struct book_row *row)
{
	json_t *object = book_object("books", &row->book);
	char *end;
	unsigned long cpu = strtoul(row->cpu, &end, 10);

	if (object) {
		json_object_set_new(object, "probe", name_of(row->point, strlen(row->point)));
		json_object_set_new(object, "cpu",
				    *end ? json_string(row->cpu) : json_integer((json_int_t)cpu));
	}
	put_object(j, object);
}

static void put_unreturned(struct json *j, const struct book *k)
{
	if (k->unreturned)
		put_object(j, json_pack("{s:s,s:o,s:I}", "type", "unreturned", "probe",
					name_of(k->point, strlen(k->point)), "calls",
					(json_int_t)k->unreturned));
}

static void put_books(struct json *j, const struct books *b, uint64_t records, bool final)
{
	json_t *total;

	for (uint32_t i = 0; i < b->nrows; i++)
		put_row(j, &b->rows[i]);
	for (uint32_t i = 0; i < b->nprobes; i++)
		put_unreturned(j, &b->probes[i]);
	for (unsigned i = 0; i < STP_SKIP_COUNT; i++)
		if (b->reasons[i])
			put_object(j, json_pack("{s:s,s:s,s:I}", "type", "skipped", "reason",
						books_reason_word(i), "hits",
						(json_int_t)b->reasons[i]));
	for (uint32_t i = 0; i < b->ncontended; i++)
		put_object(j, json_pack("{s:s,s:s,s:I}", "type", "contended", "global",
					b->contended[i].global, "hits",
					(json_int_t)b->contended[i].hits));
	total = book_object("total", &b->total);
	if (total) {
		json_object_set_new(total, "records", json_integer((json_int_t)records));
		json_object_set_new(total, "lost", json_integer((json_int_t)books_lost(b)));
		json_object_set_new(total, "final", json_boolean(final));
	}
	put_object(j, total);
}

/* ---- the form ---- */

static const char *take_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	struct json *j = (struct json *)f;
	const struct table *t = &j->tables->formats;

	if (!stp_record_format(t->rows, t->count, body, head->len, json_put, j) ||
	    !add_items_of(j, body, head->len))
		return "output that fits no format";
	if (!(head->flags & RECORD_MORE))
		put_record(j, ring, head);
	return NULL;
}

static void take_text(struct form *f, unsigned ring, const struct stp_record *head,
		      const uint8_t *body)
{
	struct json *j = (struct json *)f;

	json_put(j, (const char *)body, head->len);
	if (!(head->flags & RECORD_MORE))
		put_record(j, ring, head);
}

static void take_books(struct form *f, const struct books *b, uint64_t records, bool last)
{
	put_books((struct json *)f, b, records, last);
}

FORM_OPS(json, take_output, take_text, form_no_run, form_no_resume, take_books);

void json_start(struct json *j, struct records *r, unsigned nrings, const char *module,
		const char *host, const struct raw_header *raw)
{
	uint64_t mono = raw ? raw->monotonic : clock_now();
	uint64_t real = raw ? raw->session : clock_ns(CLOCK_REALTIME);

	json_init(j, r->output, r->tables, nrings);
	j->form.ops = &form_json;
	j->fields = &r->fields;
	r->form = &j->form;
	put_object(j, json_pack("{s:s,s:i,s:o,s:o,s:I,s:I}", "type", "start", "version",
				JSON_VERSION, "module", name_of(module, strlen(module)), "host",
				name_of(host, strlen(host)), "time", (json_int_t)mono, "realtime",
				(json_int_t)real));
}

void json_messages(struct json *j)
{
	message_tee(json_message, j);
}

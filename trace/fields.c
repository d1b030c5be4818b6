/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See fields.h. */
#include "trace/fields.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/dictionary.h"
#include "uapi/record.h"

#define NAME_MOST      63
#define HISTOGRAM_MOST 128 /* buckets */
#define TRIES	       20

/* ---- names ---- */

static bool is_name(const char *s, size_t len)
{
	if (!len || len > NAME_MOST || isdigit((unsigned char)*s))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return true;
}

/* Cuts off the part of the row before the next tab. */
static struct stp_format_text next_name(struct stp_format_text *row)
{
	const char *tab = row->len ? memchr(row->text, '\t', row->len) : NULL;
	uint32_t len = tab ? (uint32_t)(tab - row->text) : row->len;
	struct stp_format_text ret = { row->text, len };

	row->text += len + (tab != NULL);
	row->len -= len + (tab != NULL);
	return ret;
}

static int compare(const void *a, const void *b)
{
	return strcasecmp(a, b);
}

static void keep(void *name)
{
}

/*
 * Returns the name, with a number appended if it is taken already: 2, 3 …, and after a
 * few attempts numbers from `place` on, so that no file can make the search slow. NULL:
 * no memory.
 */
static char *unique_name(void **taken, struct stp_format_text name, const char *otherwise,
			 uint32_t place)
{
	bool good = is_name(name.text, name.len);
	const char *first = good ? name.text : otherwise;
	int len = good ? (int)name.len : (int)strlen(otherwise);
	char *made = strndup(first, (size_t)len);

	for (uint32_t i = 2; made && tfind(made, taken, compare); i++) {
		if (i > TRIES && i < place)
			i = place;
		free(made);
		if (asprintf(&made, "%.*s_%u", len, first, i) < 0)
			made = NULL;
	}
	if (made && tsearch(made, taken, compare))
		return made;
	free(made);
	return NULL;
}

/* ---- sites ---- */

static enum field_type type_of(const struct stp_directive *d)
{
	switch (d->kind) {
	case STP_DIR_STRING:
		return FIELD_STRING;
	case STP_DIR_MEMORY:
	case STP_DIR_MEMORY_HEX:
		return FIELD_BYTES;
	case STP_DIR_SIGNED:
	case STP_DIR_SIGNED_I:
	case STP_DIR_CHAR:
		return FIELD_SIGNED;
	default:
		return FIELD_UNSIGNED;
	}
}

static bool is_hex(const struct stp_directive *d)
{
	return d->kind == STP_DIR_HEX || d->kind == STP_DIR_HEX_UPPER || d->kind == STP_DIR_POINTER;
}

/* Counts the values of a format, or fills the site's fields and letters. */
static bool walk(struct site *s, const struct stp_format_text *format, struct stp_format_text names,
		 uint32_t *letters)
{
	void *taken = NULL;
	char number[16];
	const char *error = NULL;
	struct stp_directive d;
	uint32_t pos = 0, fields = 0;
	bool ok = true;

	*letters = 0;
	while (ok && stp_format_next(format->text, format->len, &pos, &d, &error)) {
		for (int star = d.width_star + d.precision_star; star > 0; star--) {
			if (s->letters)
				s->letters[*letters] = '*';
			++*letters;
			next_name(&names);
		}
		if (!stp_directive_arg(d.kind))
			continue;
		if (s->letters) {
			enum field_type type = type_of(&d);

			s->letters[*letters] = type < FIELD_STRING ? 'd' : 's';
			s->fields[fields].type = type;
			s->fields[fields].in_hex = is_hex(&d);
			snprintf(number, sizeof(number), "arg%u", fields + 1);
			s->fields[fields].name =
				unique_name(&taken, next_name(&names), number, fields + 2);
			ok = s->fields[fields].name;
		}
		++*letters;
		fields += ok;
	}
	s->nfields = fields;
	tdestroy(taken, keep);
	return ok;
}

static bool site_init(struct fields *f, void **taken, const struct stp_format_text *format,
		      struct stp_format_text row)
{
	uint32_t n = f->nsites;
	struct site *s = &f->sites[n];
	uint32_t letters;

	s->name = unique_name(taken, next_name(&row), "print", n + 2);
	if (!s->name)
		return false;
	f->nsites++;
	walk(s, format, row, &letters);
	s->fields = calloc(letters + 1u, sizeof(*s->fields));
	s->letters = calloc(letters + 1u, 1);
	return s->fields && s->letters && walk(s, format, row, &letters);
}

bool fields_init(struct fields *f, const struct tables *t)
{
	void *taken = NULL;
	uint32_t most = 2;
	bool ok = true;

	*f = (struct fields){ .sites = calloc(t->formats.count + 1u, sizeof(*f->sites)) };
	if (!f->sites)
		return false;
	for (uint32_t i = 0; ok && i < t->formats.count; i++) {
		struct stp_format_text none = { "", 0 };

		ok = site_init(f, &taken, &t->formats.rows[i], t->fields ? t->fields[i] : none);
		if (f->sites[i].nfields > most)
			most = f->sites[i].nfields;
	}
	tdestroy(taken, keep);
	f->values = calloc(most, sizeof(*f->values));
	return ok && f->values;
}

void fields_deinit(struct fields *f)
{
	for (uint32_t i = 0; i < f->nsites; i++) {
		struct site *s = &f->sites[i];

		for (uint32_t k = 0; s->fields && k < s->nfields; k++)
			free(s->fields[k].name);
		free(s->fields);
		free(s->letters);
		free(s->name);
	}
	free(f->sites);
	free(f->values);
	*f = (struct fields){ 0 };
}

/* ---- items ---- */

static bool take(const uint8_t **p, const uint8_t *end, void *to, size_t len)
{
	if ((size_t)(end - *p) < len)
		return false;
	memcpy(to, *p, len);
	*p += len;
	return true;
}

static bool take_string(const uint8_t **p, const uint8_t *end, struct value *v)
{
	uint16_t len;

	if (!take(p, end, &len, sizeof(len)) || (size_t)(end - *p) < len)
		return false;
	*v = (struct value){ .s = (const char *)*p, .len = len };
	*p += len;
	return true;
}

static bool take_task(const uint8_t **p, const uint8_t *end, struct value *v)
{
	uint32_t task[2];

	if (!take(p, end, task, sizeof(task)))
		return false;
	v[0] = (struct value){ .number = task[0] };
	v[1] = (struct value){ .number = task[1] };
	return true;
}

static bool take_histogram(const uint8_t **p, const uint8_t *end, struct histogram *h)
{
	size_t counts, name;
	struct value v;

	if (!take_string(p, end, &v) || v.len < sizeof(h->head))
		return false;
	memcpy(&h->head, v.s, sizeof(h->head));
	counts = (size_t)h->head.shown * sizeof(uint64_t);
	if (h->head.buckets > HISTOGRAM_MOST || h->head.shown > h->head.buckets ||
	    h->head.first > h->head.buckets - h->head.shown || v.len - sizeof(h->head) < counts)
		return false;
	h->counts = (const uint8_t *)v.s + sizeof(h->head);
	name = v.len - sizeof(h->head) - counts;
	name = is_name((const char *)h->counts + counts, name) ? name : 0;
	memcpy(h->name, name ? (const char *)h->counts + counts : "histogram", name ? name : 9);
	h->name[name ? name : 9] = 0;
	return true;
}

/* Sets the bounds of bucket i, counted from bucket 0 and not from h->first. */
static void set_bounds(const struct stp_hist_item *h, uint32_t i, struct histogram_bucket *b)
{
	uint64_t from = (uint64_t)h->low + (uint64_t)(i - 1) * (uint64_t)h->width;
	int power = (int)i - STP_HIST_LOG_MIDDLE;

	b->has_low = !h->is_linear || i > 0;
	b->has_high = !h->is_linear || i + 1 < h->buckets;
	if (h->is_linear) {
		b->low = (int64_t)from;
		b->high = (int64_t)((i ? from + (uint64_t)h->width : (uint64_t)h->low) - 1);
	} else if (power > 0) {
		b->low = (int64_t)(1ull << (power - 1));
		b->high = (int64_t)((1ull << (power - 1)) * 2 - 1);
		if (power == 63)
			b->high = INT64_MAX;
	} else if (power < 0) {
		b->high = (int64_t)(0 - (1ull << (-power - 1)));
		b->low = power == -64 ? INT64_MIN : (int64_t)(1 - (1ull << (-power - 1)) * 2);
	}
}

struct histogram_bucket fields_bucket(const struct histogram *h, uint32_t i)
{
	struct histogram_bucket ret = { .low = 0 };

	set_bounds(&h->head, h->head.first + i, &ret);
	memcpy(&ret.count, h->counts + i * sizeof(ret.count), sizeof(ret.count));
	return ret;
}

/* Takes one item, which may be a part of a histogram. */
static int next_item(struct fields *f, const uint8_t **from, const uint8_t *end, struct item *ret)
{
	struct value *v = f->values;
	uint16_t index;
	int64_t width;

	if (*from == end)
		return 0;
	if (!take(from, end, &index, sizeof(index)))
		return -1;
	*ret = (struct item){ .index = index, .values = v };
	if (index == STP_FORMAT_TEXT) {
		ret->kind = ITEM_TEXT;
		return take_string(from, end, v) ? 1 : -1;
	}
	if (index == STP_FORMAT_HIST) {
		ret->kind = ITEM_HISTOGRAM;
		ret->histogram = &f->histogram;
		return take_histogram(from, end, &f->histogram) ? 1 : -1;
	}
	if (index == STP_FORMAT_TASK) {
		ret->kind = ITEM_TASK;
		return take_task(from, end, v) ? 1 : -1;
	}
	if (index >= f->nsites)
		return -1;
	ret->site = &f->sites[index];
	for (const char *l = ret->site->letters; *l; l++) {
		bool ok = *l == '*'   ? take(from, end, &width, sizeof(width))
			  : *l == 'd' ? take(from, end, &v->number, sizeof(v->number))
				      : take_string(from, end, v);

		if (!ok)
			return -1;
		v += *l != '*';
	}
	return 1;
}

int fields_next(struct fields *f, const uint8_t **from, const uint8_t *end, struct item *ret)
{
	for (;;) {
		int rc = next_item(f, from, end, ret);
		bool is_last;

		if (rc <= 0 || !f->in_picture || ret->kind != ITEM_TEXT) {
			f->in_picture = rc > 0 ? ret->kind == ITEM_HISTOGRAM ||
							 (f->in_picture && ret->kind == ITEM_TASK)
					       : f->in_picture;
			return rc;
		}
		is_last = ret->values->len == 1 && *ret->values->s == '\n';
		f->in_picture = !is_last;
	}
}

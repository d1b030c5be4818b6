/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See format.h. */
#include "trace/form/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/record_format.h"
#include "lib/heatcolor.h"
#include "trace/form/steps.h"
#include "trace/output.h"
#include "uapi/record.h"

/* ---- formats ---- */

static enum write_how how_to_write_string(const struct stp_directive *d)
{
	return d->width < 0 && d->precision < 0 ? WRITE_STRING : WRITE_STRING_FIELD;
}

static enum write_how how_to_write_number(const struct stp_directive *d)
{
	if (d->plus || d->space || d->precision >= 0)
		return WRITE_FORMATTED;
	return d->width < 0 ? WRITE_NUMBER : WRITE_NUMBER_FIELD;
}

static enum write_how how_to_write(const struct stp_directive *d)
{
	if (d->width_star || d->precision_star || d->width >= FORMAT_FIELD)
		return WRITE_FORMATTED;
	switch (d->kind) {
	case STP_DIR_LITERAL:
		return WRITE_TEXT;
	case STP_DIR_STRING:
	case STP_DIR_MEMORY:
		return how_to_write_string(d);
	case STP_DIR_SIGNED:
	case STP_DIR_SIGNED_I:
		return how_to_write_number(d);
	case STP_DIR_UNSIGNED:
	case STP_DIR_HEX:
	case STP_DIR_POINTER:
		return how_to_write_number(d) == WRITE_FORMATTED ? WRITE_FORMATTED
								 : WRITE_NUMBER_FIELD;
	case STP_DIR_BINARY:
		return WRITE_NUMBER_FIELD;
	default:
		return WRITE_FORMATTED;
	}
}

static struct directive directive_make(const struct stp_directive *d)
{
	struct directive ret = { .how = how_to_write(d), .directive = *d };

	if (d->kind == STP_DIR_PERCENT) {
		ret.how = WRITE_TEXT;
		ret.directive.len = 1;
	}
	return ret;
}

/* Cuts a text into directives. If `to` is NULL, they are only counted. */
static size_t cut(const struct stp_format_text *t, struct directive *to)
{
	struct stp_directive d;
	const char *error = NULL;
	size_t count = 0;
	uint32_t pos = 0;

	for (; stp_format_next(t->text, t->len, &pos, &d, &error); count++)
		if (to)
			to[count] = directive_make(&d);
	if (error && to)
		to[count] = (struct directive){ .how = WRITE_DAMAGED };
	return count + (error != NULL);
}

/* Returns `room` of struct format, without the strings: the record has their lengths. */
static uint32_t room_for(const struct format *f)
{
	uint32_t room = FORMAT_SHORT;

	for (uint32_t i = 0; i < f->count; i++) {
		const struct directive *d = &f->directives[i];

		if (d->how >= WRITE_FORMATTED)
			return 0;
		room += d->how == WRITE_TEXT ? d->directive.len : STEPS_NUMBER_MAX;
		if (d->directive.width > 0)
			room += (uint32_t)d->directive.width + FORMAT_SHORT;
	}
	return room;
}

static uint32_t least_for(const struct format *f)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		enum write_how how = f->directives[i].how;

		if (how == WRITE_NUMBER || how == WRITE_NUMBER_FIELD)
			least += (uint32_t)sizeof(int64_t);
		else if (how == WRITE_STRING || how == WRITE_STRING_FIELD)
			least += (uint32_t)sizeof(uint16_t);
	}
	return least;
}

static void step_add(struct format *f, enum write_how how, const struct stp_directive *field)
{
	*f->steps_end++ = (struct step){ .how = how, .digits = "0", .ndigits = 1, .field = field };
}

/*
 * Appends a text to the last step if that has no text; a long text becomes further steps.
 */
static void steps_add_text(struct format *f, const struct stp_directive *d)
{
	for (uint32_t at = 0, n; at < d->len; at += n) {
		struct step *s;

		n = d->len - at < FORMAT_SHORT ? d->len - at : FORMAT_SHORT;
		if (f->steps_end == f->steps || f->steps_end[-1].len)
			step_add(f, WRITE_TEXT, NULL);
		s = f->steps_end - 1;
		s->len = n;
		memcpy(s->text, d->text + at, n);
	}
}

static void steps_add(struct format *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct directive *d = &f->directives[i];

		if (d->how == WRITE_TEXT)
			steps_add_text(f, &d->directive);
		else
			step_add(f, d->how, &d->directive);
	}
}

/* Returns an upper bound for the number of steps of these formats. */
static size_t steps_most(const struct stp_format_text *texts, uint32_t count)
{
	size_t most = 0;

	for (uint32_t i = 0; i < count; i++)
		most += cut(&texts[i], NULL) + texts[i].len / FORMAT_SHORT;
	return most;
}

bool formats_init(struct formats *f, const struct stp_format_text *texts, uint32_t count)
{
	size_t steps = steps_most(texts, count), directives = 0, used = 0;

	*f = (struct formats){ .count = count };
	for (uint32_t i = 0; i < count; i++)
		directives += cut(&texts[i], NULL);
	f->formats = calloc(count + 1u, sizeof(*f->formats));
	f->directives = calloc(directives + 1, sizeof(*f->directives));
	f->steps = calloc(steps + 1, sizeof(*f->steps));
	if (!f->formats || !f->directives || !f->steps)
		return false;
	directives = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct format *t = &f->formats[i];

		t->directives = f->directives + directives;
		t->count = (uint32_t)cut(&texts[i], t->directives);
		t->steps = t->steps_end = f->steps + used;
		t->room = room_for(t);
		t->least = least_for(t);
		if (t->room)
			steps_add(t);
		directives += t->count;
		used += (size_t)(t->steps_end - t->steps);
	}
	return true;
}

void formats_color(struct formats *f, uint32_t format, uint32_t value)
{
	struct format *t = &f->formats[format];
	uint32_t seen = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		struct directive *d = &t->directives[i];

		if (d->how == WRITE_DAMAGED || !stp_directive_arg(d->directive.kind))
			continue;
		if (seen++ == value && d->how == WRITE_STRING)
			d->how = WRITE_HEAT;
	}
	t->room = room_for(t);
}

void formats_deinit(struct formats *f)
{
	free(f->formats);
	free(f->directives);
	free(f->steps);
}

/* ---- items ---- */

static struct directive text_directive[] = { { .how = WRITE_STRING } };
static struct step text_step[] = { { .how = WRITE_STRING } };
const struct format formats_text = { text_directive,   1,	    text_step, text_step + 1,
				     sizeof(uint16_t), FORMAT_SHORT };

struct reader {
	struct stp_format_args args; /* first: the callbacks get its address */
	const uint8_t *p, *end;
};

static bool take_number(struct stp_format_args *a, int64_t *ret)
{
	struct reader *r = (struct reader *)a;

	if ((size_t)(r->end - r->p) < sizeof(*ret))
		return false;
	memcpy(ret, r->p, sizeof(*ret));
	r->p += sizeof(*ret);
	return true;
}

static bool take_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
{
	struct reader *r = (struct reader *)a;
	uint16_t n;

	if ((size_t)(r->end - r->p) < sizeof(n))
		return false;
	memcpy(&n, r->p, sizeof(n));
	if ((size_t)(r->end - r->p) - sizeof(n) < n)
		return false;
	*s = (const char *)r->p + sizeof(n);
	*len = n;
	r->p += sizeof(n) + n;
	return true;
}

static void put(void *ctx, const char *s, size_t len)
{
	output_put(ctx, s, len);
}

static void write_number(struct output *o, int64_t number)
{
	char digits[STEPS_NUMBER_MAX];

	output_put(o, digits, (size_t)(steps_decimal(digits, number) - digits));
}

static bool write_directive(const struct directive *d, struct reader *r, struct output *o)
{
	const char *s;
	uint32_t len;
	int64_t number;

	switch (d->how) {
	case WRITE_TEXT:
		output_put(o, d->directive.text, d->directive.len);
		return true;
	case WRITE_STRING:
		if (!take_bytes(&r->args, &s, &len))
			return false;
		output_put(o, s, len);
		return true;
	case WRITE_HEAT:
		if (!take_bytes(&r->args, &s, &len))
			return false;
		heatcolor_write(s, len, put, o);
		return true;
	case WRITE_NUMBER:
		if (!take_number(&r->args, &number))
			return false;
		write_number(o, number);
		return true;
	case WRITE_STRING_FIELD:
	case WRITE_NUMBER_FIELD:
	case WRITE_FORMATTED:
		return stp_directive_run(&d->directive, &r->args, put, o);
	case WRITE_DAMAGED:
		break;
	}
	return false;
}

/*
 * Writes directives one at a time: for items that are not plain, or may not fit in the
 * buffer, or for which the record is too short.
 */
static __attribute__((noinline)) bool write_directives(const struct format *f, const uint8_t **from,
						       const uint8_t *end, struct output *o)
{
	struct reader r = { .args = { take_number, take_bytes, 0 }, .p = *from, .end = end };
	bool good = true;

	for (uint32_t i = 0; i < f->count && good; i++)
		good = write_directive(&f->directives[i], &r, o);
	*from = r.p;
	return good;
}

static inline bool write_item(const struct format *f, struct near *near, const uint8_t **from,
			      const uint8_t *end, struct output *o)
{
	char *to = f->room ? output_reserve(o, f->room + (size_t)(end - *from)) : NULL;

	if (!to || !steps_put(f, near, from, end, false, &to))
		return write_directives(f, from, end, o);
	output_advance(o, to);
	return true;
}

bool formats_write(struct formats *f, const uint8_t *body, size_t len, struct output *o)
{
	const uint8_t *p = body, *end = body + len;

	while (p < end) {
		const struct format *format = &formats_text;
		uint16_t index;

		if ((size_t)(end - p) < sizeof(index))
			return false;
		memcpy(&index, p, sizeof(index));
		p += sizeof(index);
		if (stp_record_is_data(index)) {
			if (!stp_record_skip(index, &p, end))
				return false;
			continue;
		}
		if (index != STP_FORMAT_TEXT) {
			if (index >= f->count)
				return false;
			format = &f->formats[index];
		}
		if (!write_item(format, &f->near, &p, end, o))
			return false;
	}
	return true;
}

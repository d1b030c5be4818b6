/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See format.h. */
#include "stapio/format.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/decimal.h"
#include "stapio/output.h"
#include "uapi/record.h"

/* ---- formats ---- */

static enum write_how how_to_write(const struct stp_directive *d)
{
	bool is_plain = d->len == 2; /* '%' and a letter */

	if (d->kind == STP_DIR_LITERAL)
		return WRITE_TEXT;
	if (is_plain && d->kind == STP_DIR_STRING)
		return WRITE_STRING;
	if (is_plain && (d->kind == STP_DIR_SIGNED || d->kind == STP_DIR_SIGNED_I))
		return WRITE_NUMBER;
	return WRITE_FORMATTED;
}

/* Cuts a text into directives; without `to` they are only counted. */
static size_t cut(const struct stp_format_text *t, struct directive *to)
{
	struct stp_directive d;
	const char *error = NULL;
	size_t count = 0;
	uint32_t pos = 0;

	for (; stp_format_next(t->text, t->len, &pos, &d, &error); count++)
		if (to)
			to[count] = (struct directive){ how_to_write(&d), d };
	if (error && to)
		to[count] = (struct directive){ .how = WRITE_DAMAGED };
	return count + (error != NULL);
}

bool formats_init(struct formats *f, const struct stp_format_text *texts, uint32_t count)
{
	size_t directives = 0, at = 0;

	*f = (struct formats){ .count = count };
	for (uint32_t i = 0; i < count; i++)
		directives += cut(&texts[i], NULL);
	f->formats = calloc(count + 1u, sizeof(*f->formats));
	f->directives = calloc(directives + 1, sizeof(*f->directives));
	if (!f->formats || !f->directives)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		f->formats[i] = (struct format){ f->directives + at, (uint32_t)cut(&texts[i], f->directives + at) };
		at += f->formats[i].count;
	}
	return true;
}

void formats_deinit(struct formats *f)
{
	free(f->formats);
	free(f->directives);
}

/* ---- items ---- */

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

static void write_text(struct output *o, const char *s, size_t len)
{
	char *to = output_reserve(o, len);

	if (!to || len > 64) {
		output_put(o, s, len);
		return;
	}
	stp_bytes_copy(to, s, len);
	output_advance(o, to + len);
}

static void write_number(struct output *o, int64_t number)
{
	char digits[1 + STP_DECIMAL_MAX], *reserved = output_reserve(o, sizeof(digits)), *to = reserved ? reserved : digits;

	if (number < 0)
		*to++ = '-';
	to = stp_decimal(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
	if (reserved)
		output_advance(o, to);
	else
		output_put(o, digits, (size_t)(to - digits));
}

static bool write_directive(const struct directive *d, struct reader *r, struct output *o)
{
	const char *s;
	uint32_t len;
	int64_t number;

	switch (d->how) {
	case WRITE_TEXT:
		write_text(o, d->directive.text, d->directive.len);
		return true;
	case WRITE_STRING:
		if (!take_bytes(&r->args, &s, &len))
			return false;
		write_text(o, s, len);
		return true;
	case WRITE_NUMBER:
		if (!take_number(&r->args, &number))
			return false;
		write_number(o, number);
		return true;
	case WRITE_FORMATTED:
		return stp_directive_run(&d->directive, &r->args, put, o);
	case WRITE_DAMAGED:
		break;
	}
	return false;
}

bool formats_write(const struct formats *f, const uint8_t *body, size_t len, struct output *o)
{
	static struct directive text[] = { { .how = WRITE_STRING } };
	static const struct format plain = { text, 1 };
	struct reader r = { { take_number, take_bytes }, body, body + len };

	while (r.p < r.end) {
		const struct format *format = &plain;
		uint16_t index;

		if ((size_t)(r.end - r.p) < sizeof(index))
			return false;
		memcpy(&index, r.p, sizeof(index));
		r.p += sizeof(index);
		if (index != STP_FORMAT_TEXT) {
			if (index >= f->count)
				return false;
			format = &f->formats[index];
		}
		for (uint32_t i = 0; i < format->count; i++)
			if (!write_directive(&format->directives[i], &r, o))
				return false;
	}
	return true;
}

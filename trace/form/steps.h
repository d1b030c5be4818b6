/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an item whose directives are all plain: the inner loop of a trace's text. */
#ifndef TRACE_FORM_STEPS_H
#define TRACE_FORM_STEPS_H

#include <string.h>

#include "core/bytes.h"
#include "core/decimal.h"
#include "core/hexdigits.h"
#include "trace/form/format.h"

/* The most bytes that a number of any kind takes. */
#define STEPS_NUMBER_MAX (2 + STP_DECIMAL_MAX)
_Static_assert(STP_DECIMAL_MAX >= STP_HEXDIGITS_MAX, "decimal numbers are the longest");

static __attribute__((noinline, cold)) char *steps_decimal(char *to, int64_t number)
{
	if (number < 0)
		*to++ = '-';
	return stp_decimal(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static inline void steps_near_set(struct near *n, uint64_t most)
{
	uint64_t first = most / 10000;

	if (first != n->first)
		n->first_len = (uint32_t)(stp_decimal(n->text, first) - n->text);
	stp_decimal_four(n->text + n->first_len, (uint32_t)(most - first * 10000));
	n->first = first;
	n->most = most;
	n->most_len = n->first_len + 4;
}

/* Writes a number of more than eight digits. */
static inline char *steps_near(struct near *n, char *to, int64_t number)
{
	uint64_t most = (uint64_t)number / 10000;

	if (most != n->most)
		steps_near_set(n, most);
	memcpy(to, n->text, sizeof(n->text));
	return stp_decimal_four(to + n->most_len, (uint32_t)((uint64_t)number - most * 10000));
}

static __attribute__((noinline)) void steps_copy(char *to, const uint8_t *s, size_t len)
{
	stp_bytes_copy(to, (const char *)s, len);
}

/*
 * Copies bytes of a record that ends at `end`. `to` has room for FORMAT_SHORT bytes.
 * more: FORMAT_SHORT bytes after `end` are readable.
 */
static inline char *steps_string(char *to, const uint8_t *s, size_t len, const uint8_t *end,
				 bool more)
{
	if (len <= FORMAT_SHORT && (more || (size_t)(end - s) >= FORMAT_SHORT))
		memcpy(to, s, FORMAT_SHORT);
	else
		steps_copy(to, s, len);
	return to + len;
}

/* Writes a number that differs from the last one, and keeps it if it has few digits. */
static __attribute__((noinline)) char *steps_other(struct step *s, char *to, int64_t number)
{
	char *end;

	if (number < 0)
		return steps_decimal(to, number);
	end = stp_decimal_first(to, (uint32_t)number);
	memcpy(s->digits, to, sizeof(s->digits));
	s->ndigits = (uint32_t)(end - to);
	s->number = number;
	return end;
}

static inline char *steps_number(struct step *s, struct near *near, char *to, int64_t number)
{
	if (number == s->number) {
		memcpy(to, s->digits, sizeof(s->digits));
		return to + s->ndigits;
	}
	return number >= 100000000 ? steps_near(near, to, number) : steps_other(s, to, number);
}

/* ---- fields ---- */

static inline char *steps_pad(char *to, char with, size_t len, int32_t width)
{
	size_t pad = width > 0 && (size_t)width > len ? (size_t)width - len : 0;

	memset(to, with, pad);
	return to + pad;
}

/* Writes the bytes of a number, lowest first, as %b does. */
static inline char *steps_binary(char *to, const struct stp_directive *d, int64_t number)
{
	int32_t wanted = d->precision >= 0 ? d->precision : d->width;
	size_t size = wanted == 1 || wanted == 2 || wanted == 4 ? (size_t)wanted : 8;

	if (!d->minus)
		to = steps_pad(to, 0, size, d->width);
	memcpy(to, &number, sizeof(number));
	to += size;
	return d->minus ? steps_pad(to, 0, size, d->width) : to;
}

/* Writes a sign or prefix, and digits. *before: the length of the sign or prefix. */
static inline char *steps_digits(char *to, const struct stp_directive *d, int64_t number,
				 size_t *before)
{
	bool is_hex = d->kind == STP_DIR_HEX || d->kind == STP_DIR_POINTER;

	*before = 0;
	if (is_hex && (d->hash || d->kind == STP_DIR_POINTER)) {
		memcpy(to, "0x", 2);
		*before = 2;
	}
	if (is_hex)
		return to + *before + stp_hexdigits(to + *before, (uint64_t)number);
	if (d->kind == STP_DIR_UNSIGNED)
		return stp_decimal(to, (uint64_t)number);
	*before = number < 0;
	return steps_decimal(to, number);
}

/* Writes a number in its field. The digits are first written to a buffer. */
static inline char *steps_number_field(const struct stp_directive *d, char *to, int64_t number)
{
	char text[STEPS_NUMBER_MAX];
	size_t before, len;

	if (d->kind == STP_DIR_BINARY)
		return steps_binary(to, d, number);
	len = (size_t)(steps_digits(text, d, number, &before) - text);
	if (d->zero && !d->minus) {
		memcpy(to, text, 2);
		to = steps_pad(to + before, '0', len, d->width);
		memcpy(to, text + before, STEPS_NUMBER_MAX - 2);
		return to + len - before;
	}
	if (!d->minus)
		to = steps_pad(to, ' ', len, d->width);
	memcpy(to, text, STEPS_NUMBER_MAX);
	to += len;
	return d->minus ? steps_pad(to, ' ', len, d->width) : to;
}

static inline char *steps_string_field(const struct stp_directive *d, char *to, const uint8_t *s,
				       size_t len)
{
	if (d->kind == STP_DIR_STRING && d->precision >= 0 && (size_t)d->precision < len)
		len = (size_t)d->precision;
	if (!d->minus)
		to = steps_pad(to, ' ', len, d->width);
	stp_bytes_copy(to, (const char *)s, len);
	to += len;
	return d->minus ? steps_pad(to, ' ', len, d->width) : to;
}

struct steps_taken {
	const uint8_t *next; /* the byte after the value */
	size_t spare;	     /* the bytes that are left */
};

/*
 * Writes a value at p in its field. spare: bytes that all strings together may take.
 * NULL: this one takes more.
 */
static __attribute__((noinline)) char *
steps_field(const struct step *s, char *to, struct steps_taken *ret, const uint8_t *p, size_t spare)
{
	int64_t number;
	uint16_t len;

	*ret = (struct steps_taken){ p + sizeof(number), spare };
	if (s->how == WRITE_NUMBER_FIELD) {
		memcpy(&number, p, sizeof(number));
		return steps_number_field(s->field, to, number);
	}
	memcpy(&len, p, sizeof(len));
	p += sizeof(len);
	if (spare < len)
		return NULL;
	*ret = (struct steps_taken){ p + len, spare - len };
	return steps_string_field(s->field, to, p, len);
}

/*
 * Writes an item whose directives are all plain to *to, which has room for it. False: the
 * record, which ends at `end`, lacks values of the format, and nothing was changed. more:
 * FORMAT_SHORT bytes after `end` are readable.
 */
static inline bool steps_put(const struct format *f, struct near *near, const uint8_t **from,
			     const uint8_t *end, bool more, char **to)
{
	struct step *s = f->steps, *last = f->steps_end;
	const uint8_t *p = *from;
	size_t spare = (size_t)(end - p); /* for the strings */
	char *at = *to;
	struct steps_taken field;
	int64_t number;
	uint16_t len;

	if (spare < f->least)
		return false;
	spare -= f->least;
	for (; s < last; s++) {
		if (s->how == WRITE_NUMBER) {
			memcpy(&number, p, sizeof(number));
			p += sizeof(number);
			at = steps_number(s, near, at, number);
		} else if (s->how == WRITE_STRING) {
			memcpy(&len, p, sizeof(len));
			p += sizeof(len);
			if (spare < len)
				return false;
			spare -= len;
			at = steps_string(at, p, len, end, more);
			p += len;
		} else if (s->how != WRITE_TEXT) {
			at = steps_field(s, at, &field, p, spare);
			if (!at)
				return false;
			p = field.next;
			spare = field.spare;
		}
		memcpy(at, s->text, sizeof(s->text));
		at += s->len;
	}
	*from = p;
	*to = at;
	return true;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an item whose directives are all plain: the inner loop of a trace's text. */
#ifndef STAPIO_STEPS_H
#define STAPIO_STEPS_H

#include <string.h>

#include "core/bytes.h"
#include "core/decimal.h"
#include "stapio/format.h"

#define STEPS_NUMBER_MAX (1 + STP_DECIMAL_MAX)

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
 * Copies bytes of a record that ends at `end`. There is room for FORMAT_SHORT. more: as
 * many can be read behind `end`.
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

/* Writes a number that is not the last one. Those of few digits are kept. */
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

/*
 * Writes an item whose directives are all plain to *to, which has room. False: the
 * record, which ends at `end`, lacks what the format wants, and nothing has moved.
 * more: FORMAT_SHORT bytes can be read behind `end`.
 */
static inline bool steps_put(const struct format *f, struct near *near, const uint8_t **from,
			     const uint8_t *end, bool more, char **to)
{
	struct step *s = f->steps, *last = f->steps_end;
	const uint8_t *p = *from;
	size_t spare = (size_t)(end - p); /* for the strings */
	char *at = *to;
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
		}
		memcpy(at, s->text, sizeof(s->text));
		at += s->len;
	}
	*from = p;
	*to = at;
	return true;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the items of a RECORD_OUTPUT (uapi/record.h) as a source of arguments. */
#ifndef STP_RECORD_READER_H
#define STP_RECORD_READER_H

#include "core/printf.h"
#include "core/record_format.h"

struct record_reader {
	struct stp_format_args args; /* first: the callbacks get its address */
	const uint8_t *p, *end;
};

static inline bool record_take(struct record_reader *r, void *dst, size_t n)
{
	if ((size_t)(r->end - r->p) < n)
		return false;
	memcpy(dst, r->p, n);
	r->p += n;
	return true;
}

static inline bool record_take_number(struct stp_format_args *a, int64_t *ret)
{
	return record_take((struct record_reader *)a, ret, sizeof(*ret));
}

static inline bool record_take_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
{
	struct record_reader *r = (struct record_reader *)a;
	uint16_t n;

	if (!record_take(r, &n, sizeof(n)) || (size_t)(r->end - r->p) < n)
		return false;
	*s = (const char *)r->p;
	*len = n;
	r->p += n;
	return true;
}

static inline struct record_reader record_reader_of(const void *body, size_t len)
{
	return (struct record_reader){ .args = { record_take_number, record_take_bytes },
				       .p = body,
				       .end = (const uint8_t *)body + len };
}

/*
 * Skips data up to the next item that is text. Returns 1: *index is its format, below
 * nformats or STP_FORMAT_TEXT; 0: the end; -1: the body is damaged.
 */
static inline int record_next(struct record_reader *r, uint32_t nformats, uint16_t *index)
{
	while (r->p < r->end) {
		if (!record_take(r, index, sizeof(*index)))
			return -1;
		if (!stp_record_is_data(*index))
			return *index == STP_FORMAT_TEXT || *index < nformats ? 1 : -1;
		if (!stp_record_skip(*index, &r->p, r->end))
			return -1;
	}
	return 0;
}

#endif

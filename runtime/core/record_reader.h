/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the items of a RECORD_OUTPUT (uapi/record.h) as a source of arguments. */
#ifndef STP_RECORD_READER_H
#define STP_RECORD_READER_H

#include "core/printf.h"

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

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/record_format.h"

struct record_reader {
	struct stp_format_args args; /* first: the callbacks get its address */
	const uint8_t *p, *end;
};

static bool record_take(struct record_reader *r, void *dst, size_t n)
{
	if ((size_t)(r->end - r->p) < n)
		return false;
	memcpy(dst, r->p, n);
	r->p += n;
	return true;
}

static bool record_take_number(struct stp_format_args *a, int64_t *ret)
{
	return record_take((struct record_reader *)a, ret, sizeof(*ret));
}

static bool record_take_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
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

bool stp_record_format(const struct stp_format_text *formats, uint32_t nformats, const void *body,
		       size_t len, void (*put)(void *ctx, const char *s, size_t len), void *ctx)
{
	static const struct stp_format_text plain = { "%s", 2 };
	struct record_reader r = { .args = { record_take_number, record_take_bytes },
				   .p = body,
				   .end = (const uint8_t *)body + len };

	while (r.p < r.end) {
		const struct stp_format_text *f = &plain;
		uint16_t index;

		if (!record_take(&r, &index, sizeof(index)))
			return false;
		if (stp_record_is_data(index)) {
			if (!stp_record_skip(index, &r.p, r.end))
				return false;
			continue;
		}
		if (index != STP_FORMAT_TEXT) {
			if (index >= nformats)
				return false;
			f = &formats[index];
		}
		if (!stp_format_run(f->text, f->len, &r.args, put, ctx))
			return false;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/record_format.h"
#include "core/record_reader.h"

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

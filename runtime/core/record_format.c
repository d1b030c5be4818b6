/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/record_format.h"
#include "core/record_reader.h"

bool stp_record_format(const struct stp_format_text *formats, uint32_t nformats, const void *body,
		       size_t len, void (*put)(void *ctx, const char *s, size_t len), void *ctx)
{
	static const struct stp_format_text plain = { "%s", 2 };
	struct record_reader r = record_reader_of(body, len);
	uint16_t index;
	int found;

	while ((found = record_next(&r, nformats, &index)) > 0) {
		const struct stp_format_text *f =
			index == STP_FORMAT_TEXT ? &plain : &formats[index];

		if (!stp_format_run(f->text, f->len, &r.args, put, ctx))
			return false;
	}
	return !found;
}

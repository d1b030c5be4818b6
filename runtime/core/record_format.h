/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats the body of a RECORD_OUTPUT (uapi/record.h) as text: in stapio and in the
 * user-space back end. The body comes from a module and is not trusted: every length is
 * checked against the available bytes.
 */
#ifndef STP_RECORD_FORMAT_H
#define STP_RECORD_FORMAT_H

#include "core/printf.h"
#include "uapi/record.h"

struct stp_format_text {
	const char *text; /* need not end in NUL */
	uint32_t len;
};

/*
 * Skips the rest of an item that prints nothing, after its index: moves *p. False: the
 * item is incomplete, and *p stays.
 */
static inline bool stp_record_skip(uint16_t index, const uint8_t **p, const uint8_t *end)
{
	size_t bytes = STP_TASK_BYTES;
	uint16_t len;

	if (index == STP_FORMAT_HIST) {
		if ((size_t)(end - *p) < sizeof(len))
			return false;
		memcpy(&len, *p, sizeof(len));
		bytes = sizeof(len) + (size_t)len;
	}
	if ((size_t)(end - *p) < bytes)
		return false;
	*p += bytes;
	return true;
}

/* True: the item prints nothing; stp_record_skip() takes it. */
static inline bool stp_record_is_data(uint16_t index)
{
	return index == STP_FORMAT_TASK || index == STP_FORMAT_HIST;
}

/*
 * Formats one body and passes the text to `put` piece by piece. False: the body is
 * damaged, and only the text before the damage was passed.
 */
bool stp_record_format(const struct stp_format_text *formats, uint32_t nformats, const void *body,
		       size_t len, void (*put)(void *ctx, const char *s, size_t len), void *ctx);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats the body of a RECORD_OUTPUT (uapi/record.h) as text: in stapio and in the
 * user-space back end. The body comes from a module and is not trusted: every length is
 * checked against the bytes that are there.
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
 * Formats one body; passes the text to `put` piece by piece. False when the body is
 * damaged: the text before the damage was passed on.
 */
bool stp_record_format(const struct stp_format_text *formats, uint32_t nformats, const void *body,
		       size_t len, void (*put)(void *ctx, const char *s, size_t len), void *ctx);

#endif

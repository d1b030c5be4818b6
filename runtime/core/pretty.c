/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pretty-printing: walks a shape's rows once and writes each value into the string. The
 * work is bounded by the rows and by MAXSTRINGLEN. A value that cannot be read becomes
 * "?"; a pointer whose string cannot be read is shown as a pointer. If no value at all
 * can be read, or the caller could not read the address, the result is "ERROR", unless
 * parts of the value are optimised out; no error is raised.
 */
#include "core/pretty.h"

#include "core/prettytext.h"

struct stp_str stp_pretty(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			  enum stp_space space, int64_t addr)
{
	struct pretty p = pretty_begin(c, dst, space);

	if (pretty_is_null(&p, &rows, (uint64_t)addr))
		return pretty_finish(&p);
	for (const struct stp_shape *row = rows;
	     row->kind != STP_SHAPE_END && p.len < p.room && !stp_failed(c); row++)
		pretty_row(&p, row, (uint64_t)addr);
	return pretty_finish(&p);
}

struct stp_str stp_pretty_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
				enum stp_space space, const int64_t *words, const uint64_t *known,
				unsigned count, unsigned offset)
{
	struct pretty p = pretty_begin(c, dst, space);

	p.words = words;
	p.known = known;
	p.count = count;
	for (const struct stp_shape *row = rows;
	     row->kind != STP_SHAPE_END && p.len < p.room && !stp_failed(c); row++)
		pretty_row(&p, row, offset);
	return pretty_finish(&p);
}

struct stp_str stp_pretty_value(struct stp_ctx *c, char *dst, const struct stp_shape *row,
				enum stp_space space, int64_t v)
{
	struct pretty p = pretty_begin(c, dst, space);

	stp_charge_later(c, VALUE_WORK);
	pretty_text(&p, row->text);
	pretty_value(&p, row, (uint64_t)v);
	return pretty_finish(&p);
}

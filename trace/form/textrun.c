/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See textrun.h. The records come from a module and are checked. */
#include "trace/form/textrun.h"

#include "core/record_format.h"
#include "trace/form/steps.h"
#include "trace/output.h"
#include "uapi/record.h"

#define LEAST_RECORD (sizeof(struct stp_record) + 8) /* that prints something */

/* Returns the end of the record at `at`, or NULL: it is incomplete, or not plain. */
static inline const uint8_t *plain_end(const uint8_t *at, const uint8_t *end)
{
	const struct stp_record *head = (const struct stp_record *)at;
	const uint8_t *ret;

	if ((size_t)(end - at) < LEAST_RECORD || head->kind != RECORD_OUTPUT ||
	    head->flags & ~(RECORD_FIRST | RECORD_COUNTED) || head->len > STP_RECORD_MAX)
		return NULL;
	ret = at + sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
	return ret <= end ? ret : NULL;
}

/* Steps over an item's index. Returns its format, or NULL: it is not plain. */
static inline const struct format *next_format(const struct formats *f, const uint8_t **p,
					       const uint8_t *end)
{
	const struct format *ret = &formats_text;
	uint16_t index;

	if ((size_t)(end - *p) < sizeof(index))
		return NULL;
	memcpy(&index, *p, sizeof(index));
	*p += sizeof(index);
	if (index < f->count)
		ret = &f->formats[index];
	else if (index != STP_FORMAT_TEXT)
		return NULL;
	return ret->room ? ret : NULL;
}

/* Returns how far to go: the ends of the records must fit in o->ends. */
static const uint8_t *end_of_run(const struct textrun *t, const struct output *o)
{
	size_t bytes = (OUTPUT_ENDS - 1 - o->nends) * LEAST_RECORD;

	return (size_t)(t->end - t->at) < bytes ? t->end : t->at + bytes;
}

static inline void count_late(struct textrun *t, const struct stp_record *head)
{
	t->late += head->time < t->last_time;
	t->last_time = head->time;
}

/*
 * There is one loop over items, not two nested ones over records and items: this leaves
 * the compiler registers for the innermost loop, over the steps of a format.
 */
void textrun_write(struct textrun *t, struct formats *f, struct output *o)
{
	const uint8_t *end = end_of_run(t, o), *at = t->at, *next = at, *p = at, *record_end = at;
	char *buf = o->buf, *to = buf + o->used, *text_end = to;
	uint32_t *ends = o->ends + o->nends;
	const struct format *format;

	for (;;) {
		if (p == record_end) {
			if (next != at) {
				// A record without text is left to the general code: it
				// has no end by which it would count as written.
				if (text_end == to)
					break;
				to = text_end;
				*ends++ = (uint32_t)(to - buf);
				count_late(t, (const struct stp_record *)at);
			}
			at = next;
			next = plain_end(at, end);
			if (!next || ((const struct stp_record *)at)->time > t->until)
				break;
			p = at + sizeof(struct stp_record);
			record_end = p + ((const struct stp_record *)at)->len;
		}
		format = next_format(f, &p, record_end);
		if (!format || text_end + format->room + (record_end - p) >= buf + OUTPUT_BUFFER ||
		    !steps_put(format, &f->near, &p, record_end, true, &text_end))
			break;
	}
	if (at != t->at)
		t->records += output_take_run(o, to, to, ends);
	t->at = at;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See records.h. */
#include <string.h>
#include <sys/sdt.h>

#include "trace/records.h"

#include "core/record_format.h"
#include "lib/heatcolor.h"
#include "lib/repeats.h"
#include "trace/dictionary.h"
#include "trace/form/textrun.h"
#include "trace/form/top.h"
#include "trace/merge.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/sink/sink.h"
#include "trace/source/stream.h"

bool records_init(struct records *r, const struct tables *t, unsigned nrings, struct output *o)
{
	*r = (struct records){ .output = o, .tables = t };
	json_init(&r->json, o, t, nrings);
	return formats_init(&r->formats, t->formats.rows, t->formats.count) &&
	       fields_init(&r->fields, t);
}

void records_color(struct records *r)
{
	for (uint32_t i = 0; i < r->fields.nsites; i++) {
		const struct site *s = &r->fields.sites[i];

		for (uint32_t k = 0; k < s->nfields; k++)
			if (heatcolor_is_field(s->fields[k].name, strlen(s->fields[k].name)))
				formats_color(&r->formats, i, k);
	}
}

void records_commands(struct records *r, records_command command, void *ctx)
{
	r->command = command;
	r->command_ctx = ctx;
}

void records_deinit(struct records *r)
{
	json_deinit(&r->json);
	formats_deinit(&r->formats);
	fields_deinit(&r->fields);
}

static inline const char *emit_text_output(struct records *r, const struct stp_record *head,
					   const char *body)
{
	if (!formats_write(&r->formats, (const uint8_t *)body, head->len, r->output))
		return "output that fits no format";
	if (head->flags & RECORD_MORE)
		return NULL;
	if (r->top)
		top_record(r->top, head->time);
	output_record_end(r->output);
	return NULL;
}

static const char *emit_output(struct records *r, const struct stp_record *head, const char *body)
{
	const struct table *f = &r->tables->formats;

	if (r->sink)
		return r->sink->record(r->sink, &r->fields, head, body);
	if (r->stream)
		return NULL;
	if (!r->as_json)
		return emit_text_output(r, head, body);
	return stp_record_format(f->rows, f->count, body, head->len, json_put, &r->json) &&
			       json_items(&r->json, &r->fields, (const uint8_t *)body, head->len)
		       ? NULL
		       : "output that fits no format";
}

/*
 * Prints a text; one in several records gets its prefix and its line end once. prefix
 * NULL: not to stderr.
 */
static void emit_text(struct records *r, const struct stp_record *head, const char *body,
		      const char *prefix)
{
	bool line_end = head->len && body[head->len - 1] == '\n';

	output_flush(r->output);
	if (prefix && !r->quiet)
		message_text(r->continued ? "" : prefix, body, head->len,
			     head->flags & RECORD_MORE || line_end ? "" : "\n");
	if (r->as_json)
		json_put(&r->json, body, head->len);
}

static const char *emit_warning(struct records *r, const struct stp_record *head, const char *body)
{
	bool whole = !r->continued && !(head->flags & RECORD_MORE);
	bool repeated = whole && !message_is_verbose() && repeats_seen(body, head->len);

	emit_text(r, head, body, repeated || !message_shows_warnings() ? NULL : "WARNING: ");
	return NULL;
}

static const char *emit_error(struct records *r, const struct stp_record *head, const char *body)
{
	r->errors++;
	emit_text(r, head, body, "ERROR: ");
	return NULL;
}

static const char *emit_log(struct records *r, const struct stp_record *head, const char *body)
{
	bool line_end = head->len && body[head->len - 1] == '\n';

	if (r->as_json || r->sink || r->stream) {
		emit_text(r, head, body, NULL);
		return NULL;
	}
	output_put(r->output, body, head->len);
	if (head->flags & RECORD_MORE)
		return NULL;
	if (!line_end)
		output_put(r->output, "\n", 1);
	output_record_end(r->output);
	return NULL;
}

static const char *emit_command(struct records *r, const struct stp_record *head, const char *body)
{
	if (r->continued || head->flags & RECORD_MORE)
		return "command longer than a record";
	output_flush(r->output);
	if (r->command)
		r->command(r->command_ctx, body, head->len);
	if (r->as_json)
		json_put(&r->json, body, head->len);
	return NULL;
}

static const char *(*const kinds[])(struct records *, const struct stp_record *, const char *) = {
	[RECORD_OUTPUT] = emit_output, [RECORD_WARNING] = emit_warning, [RECORD_ERROR] = emit_error,
	[RECORD_LOG] = emit_log,       [RECORD_COMMAND] = emit_command,
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == RECORD_KINDS, "a row for every kind of record");

_Static_assert(MERGE_SPARE >= FORMAT_SHORT, "runs of records may be read beyond");

/* Handles what is not text of the trace, or not to become text. */
static __attribute__((noinline)) const char *
emit_other(struct records *r, unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	const char *wrong;

	if (r->stream)
		stream_record(r->stream, ring, head, body);
	if (r->sink)
		r->sink->begin(r->sink, ring, head, body);
	if (head->kind != RECORD_OUTPUT)
		STAP_PROBE3(stapio, receive__ctlmsg, head->kind, body, head->len);
	wrong = kinds[head->kind](r, head, (const char *)body);
	if (r->sink && !(head->flags & RECORD_MORE))
		r->sink->end(r->sink);
	if (r->as_json && !(head->flags & RECORD_MORE))
		json_record(&r->json, ring, head);
	return wrong;
}

const char *records_emit(struct records *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body)
{
	/* Most are of one kind. */
	bool is_text = head->kind == RECORD_OUTPUT && !r->stream && !r->sink && !r->as_json;
	const char *wrong = is_text ? emit_text_output(r, head, (const char *)body)
				    : emit_other(r, ring, head, body);

	r->late += head->time < r->last_time;
	r->last_time = head->time;
	r->continued = head->flags & RECORD_MORE;
	return wrong;
}

const uint8_t *records_emit_run(struct records *r, const uint8_t *at, const uint8_t *end,
				uint64_t until, uint64_t *records)
{
	struct textrun run = { .at = at, .end = end, .until = until, .last_time = r->last_time };

	if (r->stream || r->sink || r->as_json || r->top || r->continued ||
	    !output_takes_runs(r->output))
		return at;
	textrun_write(&run, &r->formats, r->output);
	r->late += run.late;
	r->last_time = run.last_time;
	*records += run.records;
	return run.at;
}

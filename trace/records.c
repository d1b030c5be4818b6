/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See records.h. */
#include "trace/records.h"

#include "lib/repeats.h"
#include "trace/merge.h"
#include "trace/messages.h"
#include "trace/output.h"

bool records_init(struct records *r, const struct tables *t, struct output *o)
{
	*r = (struct records){ .output = o, .tables = t };
	r->form = &r->text.form;
	return textform_init(&r->text, t, o) && fields_init(&r->fields, t);
}

void records_commands(struct records *r, records_command command, void *ctx)
{
	r->command = command;
	r->command_ctx = ctx;
}

void records_deinit(struct records *r)
{
	textform_deinit(&r->text);
	fields_deinit(&r->fields);
}

/*
 * Shows a text to the user. A text in several records gets its prefix and its line end
 * once. If prefix is NULL, nothing is shown.
 */
static void tell(struct records *r, const struct stp_record *head, const char *body,
		 const char *prefix)
{
	bool line_end = head->len && body[head->len - 1] == '\n';

	output_flush(r->output);
	if (prefix && !r->quiet)
		message_text(r->continued ? "" : prefix, body, head->len,
			     head->flags & RECORD_MORE || line_end ? "" : "\n");
}

static const char *take_warning(struct records *r, const struct stp_record *head, const char *body)
{
	bool whole = !r->continued && !(head->flags & RECORD_MORE);
	bool repeated = whole && !message_is_verbose() && repeats_seen(body, head->len);

	tell(r, head, body, repeated || !message_shows_warnings() ? NULL : "WARNING: ");
	return NULL;
}

static const char *take_error(struct records *r, const struct stp_record *head, const char *body)
{
	r->errors++;
	tell(r, head, body, "ERROR: ");
	return NULL;
}

static const char *take_log(struct records *r, const struct stp_record *head, const char *body)
{
	return NULL;
}

static const char *take_command(struct records *r, const struct stp_record *head, const char *body)
{
	if (r->continued || head->flags & RECORD_MORE)
		return "command longer than a record";
	output_flush(r->output);
	if (r->command)
		r->command(r->command_ctx, body, head->len);
	return NULL;
}

static const char *(*const kinds[])(struct records *, const struct stp_record *, const char *) = {
	[RECORD_WARNING] = take_warning,
	[RECORD_ERROR] = take_error,
	[RECORD_LOG] = take_log,
	[RECORD_COMMAND] = take_command,
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == RECORD_KINDS && RECORD_OUTPUT == 0,
	       "a row for every kind of record but output");

_Static_assert(MERGE_SPARE >= FORMAT_SHORT, "runs of records may be read beyond");

static __attribute__((noinline)) const char *
emit_text(struct records *r, unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	const char *wrong;

	wrong = kinds[head->kind](r, head, (const char *)body);
	r->form->ops->text(r->form, ring, head, body);
	return wrong;
}

const char *records_emit(struct records *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body)
{
	const char *wrong = head->kind == RECORD_OUTPUT
				    ? r->form->ops->output(r->form, ring, head, body)
				    : emit_text(r, ring, head, body);

	r->late += head->time < r->last_time;
	r->last_time = head->time;
	r->continued = head->flags & RECORD_MORE;
	return wrong;
}

const uint8_t *records_emit_run(struct records *r, const uint8_t *at, const uint8_t *end,
				uint64_t until, uint64_t *records)
{
	struct textrun run = { .at = at, .end = end, .until = until, .last_time = r->last_time };

	if (r->continued)
		return at;
	r->form->ops->run(r->form, &run);
	r->late += run.late;
	r->last_time = run.last_time;
	*records += run.records;
	return run.at;
}

void records_books(struct records *r, const struct books *b, uint64_t records, bool last)
{
	r->form->ops->books(r->form, b, records, last);
}

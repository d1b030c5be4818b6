/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See records.h. */
#include "stapio/records.h"

#include <stdlib.h>
#include <string.h>

#include "core/record_format.h"
#include "stapio/commands.h"
#include "stapio/messages.h"
#include "stapio/module.h"
#include "stapio/output.h"

/* The formats file: "u32 length | text" for each, no padding. */
static const char *parse_formats(struct records *r, size_t size)
{
	size_t at = 0;

	for (uint32_t i = 0; i < r->nformats; i++) {
		uint32_t len;

		if (size - at < sizeof(len))
			return "the module has fewer formats than it says";
		memcpy(&len, r->format_text + at, sizeof(len));
		at += sizeof(len);
		if (size - at < len)
			return "a format is cut short";
		r->formats[i] = (struct stp_format_text){ .text = r->format_text + at, .len = len };
		at += len;
	}
	return at == size ? NULL : "the module has more formats than it says";
}

const char *records_init(struct records *r, struct module *m, struct output *o, struct commands *c)
{
	ssize_t size;

	*r = (struct records){ .output = o, .commands = c };
	size = module_read_formats(m, &r->format_text);
	if (size < 0)
		return strerror((int)-size);
	if (m->hello.nformats > (size_t)size / sizeof(uint32_t))
		return "the module has fewer formats than it says";
	r->nformats = m->hello.nformats;
	r->formats = calloc(r->nformats + 1u, sizeof(*r->formats));
	return r->formats ? parse_formats(r, (size_t)size) : "no memory for the formats";
}

void records_deinit(struct records *r)
{
	free(r->formats);
	free(r->format_text);
}

static void put(void *ctx, const char *s, size_t len)
{
	output_put(ctx, s, len);
}

static const char *emit_output(struct records *r, const struct stp_record *head, const char *body)
{
	if (!stp_record_format(r->formats, r->nformats, body, head->len, put, r->output))
		return "output that fits no format";
	if (!(head->flags & RECORD_MORE))
		output_record_end(r->output);
	return NULL;
}

/* A text in several records gets its prefix and its line end once. */
static void emit_text(struct records *r, const struct stp_record *head, const char *body, const char *prefix)
{
	bool line_end = head->len && body[head->len - 1] == '\n';

	output_flush(r->output);
	message_text(r->continued ? "" : prefix, body, head->len,
		     head->flags & RECORD_MORE || line_end ? "" : "\n");
}

static const char *emit_warning(struct records *r, const struct stp_record *head, const char *body)
{
	if (message_shows_warnings())
		emit_text(r, head, body, "WARNING: ");
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
	emit_text(r, head, body, "");
	return NULL;
}

static const char *emit_command(struct records *r, const struct stp_record *head, const char *body)
{
	if (r->continued || head->flags & RECORD_MORE)
		return "command longer than a record";
	output_flush(r->output);
	commands_add(r->commands, body, head->len);
	return NULL;
}

static const char *(*const kinds[])(struct records *, const struct stp_record *, const char *) = {
	[RECORD_OUTPUT] = emit_output, [RECORD_WARNING] = emit_warning, [RECORD_ERROR] = emit_error,
	[RECORD_LOG] = emit_log,       [RECORD_COMMAND] = emit_command,
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == RECORD_KINDS, "a row for every kind of record");

const char *records_emit(struct records *r, const struct stp_record *head, const uint8_t *body)
{
	const char *wrong = kinds[head->kind](r, head, (const char *)body);

	r->late += head->time < r->last_time;
	r->last_time = head->time;
	r->continued = head->flags & RECORD_MORE;
	return wrong;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/form/textform.h"

#include <string.h>

#include "lib/heatcolor.h"
#include "trace/dictionary.h"
#include "trace/fields.h"
#include "trace/output.h"

const char *textform_write(struct textform *t, const struct stp_record *head, const uint8_t *body)
{
	return formats_write(&t->formats, body, head->len, t->output)
		       ? NULL
		       : "output that fits no format";
}

static const char *take_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	struct textform *t = (struct textform *)f;
	const char *wrong = textform_write(t, head, body);

	if (!wrong && !(head->flags & RECORD_MORE))
		output_record_end(t->output);
	return wrong;
}

/* Lines of log() are part of the text; other records that hold text are not. */
static void take_text(struct form *f, unsigned ring, const struct stp_record *head,
		      const uint8_t *body)
{
	struct output *o = ((struct textform *)f)->output;

	if (head->kind != RECORD_LOG)
		return;
	output_put(o, (const char *)body, head->len);
	if (head->flags & RECORD_MORE)
		return;
	if (!head->len || body[head->len - 1] != '\n')
		output_put(o, "\n", 1);
	output_record_end(o);
}

static void take_run(struct form *f, struct textrun *run)
{
	struct textform *t = (struct textform *)f;

	if (output_takes_runs(t->output))
		textrun_write(run, &t->formats, t->output);
}

FORM_OPS(text, take_output, take_text, take_run, form_no_resume, form_no_books);

bool textform_init(struct textform *t, const struct tables *tables, struct output *o)
{
	*t = (struct textform){ .form.ops = &form_text, .output = o };
	return formats_init(&t->formats, tables->formats.rows, tables->formats.count);
}

void textform_deinit(struct textform *t)
{
	formats_deinit(&t->formats);
}

void textform_color(struct textform *t, const struct fields *f)
{
	for (uint32_t i = 0; i < f->nsites; i++) {
		const struct site *s = &f->sites[i];

		for (uint32_t k = 0; k < s->nfields; k++)
			if (heatcolor_is_field(s->fields[k].name, strlen(s->fields[k].name)))
				formats_color(&t->formats, i, k);
	}
}

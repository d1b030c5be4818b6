/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See colored.h. */
#include "user/colored.h"

#include "core/record_format.h"
#include "core/record_reader.h"
#include "core/session.h"
#include "lib/heatcolor.h"

typedef void (*colored_put)(void *ctx, const char *s, size_t len);

struct colored_output {
	colored_put put;
};

static void colored_heat(void *ctx, const char *s, size_t len)
{
	const struct colored_output *o = ctx;

	heatcolor_write(s, len, o->put, NULL);
}

static void colored_plain(void *ctx, const char *s, size_t len)
{
	const struct colored_output *o = ctx;

	o->put(NULL, s, len);
}

/* Steps over a name of "SITE\tNAME\tNAME". True: its field is a row. */
static bool colored_next(const char **names)
{
	const char *name = *names;
	size_t len = strcspn(name, "\t");

	*names += len + (name[len] == '\t');
	return heatcolor_is_field(name, len);
}

/* True: the string is written as it is, as trace/form/format.c has it. */
static bool colored_is_plain(const struct stp_directive *d)
{
	return d->kind == STP_DIR_STRING && d->width < 0 && d->precision < 0 && !d->width_star &&
	       !d->precision_star;
}

static bool colored_item(const struct stp_format *f, struct record_reader *r,
			 struct colored_output *o)
{
	const char *names = f->fields ? f->fields : "", *error = NULL;
	struct stp_directive d;
	uint32_t pos = 0;

	colored_next(&names); /* the site */
	while (stp_format_next(f->text, f->len, &pos, &d, &error)) {
		bool is_row;

		for (int star = d.width_star + d.precision_star; star > 0; star--)
			colored_next(&names);
		is_row = stp_directive_arg(d.kind) && colored_next(&names) && colored_is_plain(&d);
		if (!stp_directive_run(&d, &r->args, is_row ? colored_heat : colored_plain, o))
			return false;
	}
	return !error;
}

bool colored_format(const void *body, size_t len, colored_put put)
{
	static const struct stp_format text = { .text = "%s", .len = 2 };
	struct record_reader r = record_reader_of(body, len);
	struct colored_output o = { put };
	uint16_t index;
	int found;

	while ((found = record_next(&r, stp_script.nformats, &index)) > 0)
		if (!colored_item(index == STP_FORMAT_TEXT ? &text : &stp_script.formats[index], &r,
				  &o))
			return false;
	return !found;
}

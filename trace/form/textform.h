/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default form of a script's output: text. */
#ifndef TRACE_FORM_TEXTFORM_H
#define TRACE_FORM_TEXTFORM_H

#include <stdbool.h>

#include "trace/form/form.h"
#include "trace/form/format.h"

struct fields;
struct output;
struct tables;

struct textform {
	struct form form;
	struct output *output;
	struct formats formats;
};

/* False: no memory. */
bool textform_init(struct textform *t, const struct tables *tables, struct output *o);
void textform_deinit(struct textform *t);
/* Lets the rows of heat maps, which are the fields NAME_heat, be written in colours. */
void textform_color(struct textform *t, const struct fields *f);
/*
 * Writes a piece of output, but does not end its record. Returns NULL or an error text.
 */
const char *textform_write(struct textform *t, const struct stp_record *head, const uint8_t *body);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --top: on a terminal, what one hit prints takes the place of what the one before has
 * printed. The lines are cut to the width and the height. Keys sort a table by a column,
 * and turn that column's numbers into rates. Elsewhere, in pipes and files, the text is
 * what it is without.
 *
 * A table is a line of names, and the lines behind it up to an empty one.
 */
#ifndef TRACE_FORM_TOP_H
#define TRACE_FORM_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/form/form.h"

struct output;
struct records;
struct textform;

struct top {
	struct form form;
	struct textform *writer; /* of the text */
	struct output *output;	 /* NULL: off */
	char *text;		 /* what the last hit printed */
	size_t len;
	uint64_t time, span; /* of that hit; ns since the one before, 0: it was the first */
	unsigned column;     /* sorted by this one, from 1; 0: as printed */
	bool rates, ascending, drawn;
};

/* Begins when the output is a terminal. */
void top_init(struct top *t, struct output *o);
void top_deinit(struct top *t);
/* Has records shown so. */
void top_start(struct top *t, struct records *r);
/* Takes the record that is about to end out of the output's buffer, and draws it. */
void top_record(struct top *t, uint64_t time);
/* Serves a key. False: the user wants to end. */
bool top_key(struct top *t, char key);

#endif

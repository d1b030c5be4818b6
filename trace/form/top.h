/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --top: on a terminal, the output of a hit replaces the output of the hit before. Lines
 * are cut to the terminal's width and height. Keys sort a table by a column, and turn the
 * numbers of that column into rates. In pipes and files, the option changes nothing.
 *
 * A table is a line of names and the lines after it, up to an empty line.
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
	char *text;		 /* the output of the last hit */
	size_t len;
	uint64_t time, span; /* of that hit; ns since the one before, 0: it is the first */
	unsigned column;     /* the column to sort by, from 1; 0: as printed */
	bool rates, ascending, drawn;
};

/* Takes effect if the output is a terminal. */
void top_init(struct top *t, struct output *o);
void top_deinit(struct top *t);
/* From now on, shows the records this way. */
void top_start(struct top *t, struct records *r);
/* Removes the record that is about to end from the output's buffer, and draws it. */
void top_record(struct top *t, uint64_t time);
/* Handles a key. False: the user wants to quit. */
bool top_key(struct top *t, char key);

#endif

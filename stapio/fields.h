/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as data. A site is a print of the script; its fields are the values that it
 * writes, with names and types. A hit's record is a row of items, each of one site. What
 * names a module or a file gives is not trusted: sites and fields have names of letters,
 * digits and '_', each once, also where case makes no difference.
 */
#ifndef STAPIO_FIELDS_H
#define STAPIO_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record_format.h"

struct tables;

enum field_type { FIELD_SIGNED, FIELD_UNSIGNED, FIELD_STRING, FIELD_BYTES, FIELD_TYPES };

struct field {
	char *name;
	enum field_type type;
	bool in_hex; /* the script prints it so: an address, flags */
};

struct site {
	char *name;
	struct field *fields;
	uint32_t nfields;
	/* a letter for each value of an item: 'd', 's'; '*' a width, which is no field */
	char *letters;
};

/* Of FIELD_STRING and FIELD_BYTES: s and len; else number. */
struct value {
	int64_t number;
	const char *s;
	uint32_t len;
};

struct fields {
	struct site *sites; /* one for each format */
	uint32_t nsites;
	struct value *values;
};

/* Kinds of items that are of no site. */
enum item_kind { ITEM_SITE, ITEM_TEXT, ITEM_TASK };

struct item {
	enum item_kind kind;
	const struct site *site; /* ITEM_SITE only */
	uint32_t index;		 /* of the site */
	/* one for each field; ITEM_TEXT: the text; ITEM_TASK: process and thread */
	const struct value *values;
};

/* False: no memory. */
bool fields_init(struct fields *f, const struct tables *t);
void fields_deinit(struct fields *f);
/*
 * Takes the next item between *from and end, valid until the next call. Returns 1; 0:
 * there is none; -1: the bytes are damaged.
 */
int fields_next(struct fields *f, const uint8_t **from, const uint8_t *end, struct item *ret);

#endif

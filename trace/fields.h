/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as data. A site is a print of the script; its fields are the values that it
 * writes, with names and types. A hit's record is a row of items, each of one site. What
 * names a module or a file gives is not trusted: sites and fields have names of letters,
 * digits and '_', each once, also where case makes no difference.
 */
#ifndef TRACE_FIELDS_H
#define TRACE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record_format.h"
#include "uapi/record.h"

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

/* Has s and len for FIELD_STRING and FIELD_BYTES, else the number. */
struct value {
	int64_t number;
	const char *s;
	uint32_t len;
};

/* A histogram in numbers. */
struct histogram {
	struct stp_hist_item head;
	char name[64];
	const uint8_t *counts; /* of head.shown buckets, unaligned */
};

/* One of its buckets: the values from low to high. */
struct histogram_bucket {
	bool has_low, has_high;
	int64_t low, high;
	uint64_t count;
};

struct fields {
	struct site *sites; /* one for each format */
	uint32_t nsites;
	struct value *values;
	struct histogram histogram;
	bool in_picture; /* texts that come are the picture of a histogram */
};

/* All but ITEM_SITE are of no site. */
enum item_kind { ITEM_SITE, ITEM_TEXT, ITEM_TASK, ITEM_HISTOGRAM };

struct item {
	enum item_kind kind;
	const struct site *site; /* ITEM_SITE only */
	uint32_t index;		 /* of the site */
	/* one for each field; ITEM_TEXT: the text; ITEM_TASK: process and thread */
	const struct value *values;
	const struct histogram *histogram; /* ITEM_HISTOGRAM */
};

/* False: no memory. */
bool fields_init(struct fields *f, const struct tables *t);
void fields_deinit(struct fields *f);
/*
 * Takes the next item between *from and end, valid until the next call. Returns 1; 0:
 * there is none; -1: the bytes are damaged. The picture of a histogram that is there in
 * numbers is left out.
 */
int fields_next(struct fields *f, const uint8_t **from, const uint8_t *end, struct item *ret);
/* Returns bucket number i of those that are shown. */
struct histogram_bucket fields_bucket(const struct histogram *h, uint32_t i);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as data. A site is a print of the script; its fields are the values that it
 * writes, with names and types. A hit's record is a row of items, each of one site. The
 * names that a module or a file gives are not trusted: sites and fields get names of
 * letters, digits and '_', which are unique even if case is ignored.
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
	bool in_hex; /* the script prints it in hexadecimal: an address, flags */
};

struct site {
	char *name;
	struct field *fields;
	uint32_t nfields;
	/*
	 * a letter for each value of an item: 'd', 's', or '*' for a width, which is not
	 * a field
	 */
	char *letters;
};

/* s and len are valid for FIELD_STRING and FIELD_BYTES, the number for all others. */
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

/* One of its buckets, for the values from low to high. */
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
	bool in_picture; /* the texts that follow draw a histogram */
};

/* Only ITEM_SITE has a site. */
enum item_kind { ITEM_SITE, ITEM_TEXT, ITEM_TASK, ITEM_HISTOGRAM };

struct item {
	enum item_kind kind;
	const struct site *site; /* ITEM_SITE only */
	uint32_t index;		 /* of the site */
	/*
	 * one for each field; ITEM_TEXT: the text; ITEM_TASK: the process and the thread
	 */
	const struct value *values;
	const struct histogram *histogram; /* ITEM_HISTOGRAM */
};

/* False: no memory. */
bool fields_init(struct fields *f, const struct tables *t);
void fields_deinit(struct fields *f);
/*
 * Takes the next item between *from and end. It is valid until the next call. Returns 1;
 * 0: there is none; -1: the bytes are damaged. A drawn histogram is skipped if the record
 * also has it in numbers.
 */
int fields_next(struct fields *f, const uint8_t **from, const uint8_t *end, struct item *ret);
/* Returns the i-th of the shown buckets. */
struct histogram_bucket fields_bucket(const struct histogram *h, uint32_t i);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of Go: interfaces by the type of their value, and times. */
#ifndef STP_PRETTYGO_H
#define STP_PRETTYGO_H

#include "core/prettyletters.h"
#include "core/prettynumbers.h"

/* Members of internal/abi.Type, since Go 1.14 (64 bits). */
#define GO_TABLE_TYPE 8	 /* in a table of an interface */
#define GO_TYPE_FLAGS 20 /* a byte */
#define GO_TYPE_KIND  23 /* a byte, of which 5 bits are the kind */
#define GO_TYPE_NAME  40 /* int32_t: distance from the names */

#define GO_EXTRA_STAR	2 /* flag: the name is that of a pointer, from its second letter on */
#define GO_NAME_LENGTHS 3 /* bytes of a length that are read */
#define GO_NAME_MOST	256

enum go_kind {
	GO_BOOL = 1,
	GO_INT,
	GO_INT8,
	GO_INT16,
	GO_INT32,
	GO_INT64,
	GO_UINT,
	GO_UINT8,
	GO_UINT16,
	GO_UINT32,
	GO_UINT64,
	GO_UINTPTR,
	GO_FLOAT32,
	GO_FLOAT64,
	GO_STRING = 24
};

static bool go_read(struct pretty *p, void *dst, uint64_t addr, uint32_t size)
{
	return port_memory_read(p->space, dst, addr, size);
}

/* Puts a type's name: a byte of flags, the length in groups of 7 bits, the letters. */
static bool go_type_name(struct pretty *p, uint64_t type, uint64_t names)
{
	uint8_t flags, byte = 0x80;
	int32_t distance;
	uint64_t at, count = 0;

	if (!go_read(p, &flags, type + GO_TYPE_FLAGS, 1) ||
	    !go_read(p, &distance, type + GO_TYPE_NAME, sizeof(distance)))
		return false;
	at = names + (uint64_t)(int64_t)distance + 1;
	for (unsigned i = 0; i < GO_NAME_LENGTHS && byte & 0x80; i++) {
		if (!go_read(p, &byte, at++, 1))
			return false;
		count |= (uint64_t)(byte & 0x7f) << (7 * i);
	}
	if (!count || count > GO_NAME_MOST)
		return false;
	at += (flags & GO_EXTRA_STAR) != 0;
	count -= (flags & GO_EXTRA_STAR) != 0;
	return letters_text(p, at, count, 1, false);
}

/* True: the text since `begin` is this name. */
static bool go_is_named(const struct pretty *p, uint32_t begin, const char *name)
{
	size_t len = strlen(name);

	return p->len - begin == len && !memcmp(p->dst + begin, name, len);
}

/* Puts the text of a string, whose address and length are at `at`. */
static bool go_string(struct pretty *p, uint64_t at)
{
	uint64_t string[2];

	if (!go_read(p, string, at, sizeof(string)))
		return false;
	pretty_text(p, "\"");
	if (!letters_text(p, string[0], string[1], 1, false))
		return false;
	pretty_text(p, "\"");
	return true;
}

/* Puts a number whose address is known. */
static bool go_number(struct pretty *p, enum go_kind kind, uint64_t at, bool is_duration)
{
	static const uint8_t sizes[] = {
		[GO_BOOL] = 1,	  [GO_INT] = 8,	    [GO_INT8] = 1,   [GO_INT16] = 2,
		[GO_INT32] = 4,	  [GO_INT64] = 8,   [GO_UINT] = 8,   [GO_UINT8] = 1,
		[GO_UINT16] = 2,  [GO_UINT32] = 4,  [GO_UINT64] = 8, [GO_UINTPTR] = 8,
		[GO_FLOAT32] = 4, [GO_FLOAT64] = 8,
	};
	unsigned size = sizes[kind], unused = 64 - size * 8;
	char text[FLOATTEXT_ROOM];
	uint64_t v = 0; /* little endian */

	if (!go_read(p, &v, at, size))
		return false;
	if (is_duration)
		numbers_nanoseconds(p, (int64_t)v);
	else if (kind >= GO_FLOAT32)
		pretty_put(p, text, floattext(text, v, kind == GO_FLOAT32));
	else if (kind >= GO_INT && kind <= GO_INT64)
		pretty_number(p, "%d", (int64_t)(v << unused) >> unused);
	else
		pretty_number(p, "%u", (int64_t)v);
	return true;
}

/*
 * Puts the value of an interface whose type's name was put at `name`: that of a number or
 * a string, the text of an error; else its address.
 */
static void go_value(struct pretty *p, uint64_t type, uint64_t data, uint32_t name)
{
	bool is_duration = go_is_named(p, name, "time.Duration"),
	     is_error = go_is_named(p, name, "*errors.errorString") ||
			go_is_named(p, name, "*fmt.wrapError");
	uint32_t begin = p->len;
	uint8_t kind;
	bool done = false;

	stp_charge_later(p->c, FLOATTEXT_WORK);
	if (go_read(p, &kind, type + GO_TYPE_KIND, 1)) {
		kind &= 31;
		pretty_text(p, "(");
		if (kind == GO_STRING || is_error)
			done = go_string(p, data);
		else if (kind >= GO_BOOL && kind <= GO_FLOAT64)
			done = go_number(p, kind, data, is_duration);
		pretty_text(p, ")");
	}
	if (done)
		return;
	p->len = begin;
	pretty_number(p, "(%p)", (int64_t)data);
}

/* Puts a time.Time, of its first two members, in UTC. */
static void go_time(struct pretty *p, uint64_t wall, int64_t ext)
{
	/* Seconds from the year 1 to 1885 and to 1970. */
	const int64_t to_1885 = 59453308800, to_1970 = 62135596800;
	bool has_clock = wall >> 63; /* seconds since 1885 are 33 bits of `wall` */

	numbers_date(p, has_clock ? (int64_t)(wall << 1 >> 31) + to_1885 - to_1970 : ext - to_1970);
	numbers_fraction(p, wall & 0x3fffffff, " UTC");
}

#endif

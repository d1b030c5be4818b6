/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cbor.h. */
#include "trace/sink/cbor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Major types, in the upper three bits of a head. */
enum { UNSIGNED = 0x00, NEGATIVE = 0x20, BYTES = 0x40, TEXT = 0x60 };
enum { ARRAY = 0x9f, MAP = 0xbf, END = 0xff, NONE = 0xf6 };

#define HEAD_MOST 9

/* Depths of nesting: inside the message, its items, an item, its fields. */
enum { IN_MESSAGE = 1, IN_FIELDS = 4 };

static const char base64_member[] = "\"base64\":";

struct writer {
	const char *from, *end;
	uint8_t *to;
	unsigned depth;
};

static void put_head(struct writer *w, uint8_t type, uint64_t number)
{
	unsigned log = 0; /* number of bytes after the first */

	if (number < 24) {
		*w->to++ = (uint8_t)(type | number);
		return;
	}
	while (log < 3 && number >> (8u << log))
		log++;
	*w->to++ = (uint8_t)(type | (24 + log));
	for (unsigned bytes = 1u << log; bytes; bytes--)
		*w->to++ = (uint8_t)(number >> 8 * (bytes - 1));
}

/* Puts the head before the string, which begins HEAD_MOST bytes after `begin`. */
static void end_string(struct writer *w, uint8_t *begin, uint8_t type)
{
	size_t len = (size_t)(w->to - begin) - HEAD_MOST;

	w->to = begin;
	put_head(w, type, len);
	memmove(w->to, begin + HEAD_MOST, len);
	w->to += len;
}

/* Returns the character that an escape means, and steps over the escape. */
static uint8_t escaped(struct writer *w)
{
	static const char names[] = "nrtbf", meant[] = "\n\r\t\b\f";
	char c = *w->from++;
	const char *at = strchr(names, c);
	char digits[5] = "";

	if (c == 'u' && w->end - w->from >= 4) { /* a control character */
		memcpy(digits, w->from, 4);
		w->from += 4;
		return (uint8_t)strtoul(digits, NULL, 16);
	}
	return (uint8_t)(at && c ? meant[at - names] : c);
}

static void put_text(struct writer *w)
{
	uint8_t *begin = w->to;

	w->to += HEAD_MOST;
	for (w->from++; w->from < w->end && *w->from != '"';) {
		char c = *w->from++;

		*w->to++ = c == '\\' && w->from < w->end ? escaped(w) : (uint8_t)c;
	}
	w->from++;
	end_string(w, begin, TEXT);
}

static unsigned digit_of(char c)
{
	return c >= 'a'	  ? (unsigned)(c - 'a') + 26
	       : c >= 'A' ? (unsigned)(c - 'A')
	       : c >= '0' ? (unsigned)(c - '0') + 52
	       : c == '+' ? 62
			  : 63;
}

/* Puts the bytes that a base64 string encodes. */
static void put_bytes(struct writer *w)
{
	uint8_t *begin = w->to;
	uint32_t bits = 0;
	unsigned n = 0;

	w->to += HEAD_MOST;
	for (w->from++; w->from < w->end && *w->from != '"'; w->from++) {
		if (*w->from == '=')
			continue;
		bits = bits << 6 | digit_of(*w->from);
		n += 6;
		if (n >= 8) {
			n -= 8;
			*w->to++ = (uint8_t)(bits >> n);
		}
	}
	w->from++;
	end_string(w, begin, BYTES);
}

static void put_number(struct writer *w)
{
	bool negative = *w->from == '-';
	uint64_t number = 0;

	for (w->from += negative; w->from < w->end && *w->from >= '0' && *w->from <= '9'; w->from++)
		number = 10 * number + (uint64_t)(*w->from - '0');
	put_head(w, negative ? NEGATIVE : UNSIGNED, negative ? number - 1 : number);
}

static bool has_base64(const struct writer *w, const char *at)
{
	size_t len = sizeof(base64_member) - 1;

	return (size_t)(w->end - at) > len && !memcmp(at, base64_member, len);
}

static void open_map(struct writer *w)
{
	/* An object as the value of a field is always base64. */
	if (w->depth == IN_FIELDS && has_base64(w, w->from + 1)) {
		w->from += sizeof(base64_member);
		put_bytes(w);
		w->from++;
		return;
	}
	*w->to++ = MAP;
	w->depth++;
	w->from++;
}

/* A hit's text that is not UTF-8 is a member with another name in JSON. */
static void put_string(struct writer *w)
{
	if (w->depth != IN_MESSAGE || !has_base64(w, w->from)) {
		put_text(w);
		return;
	}
	put_head(w, TEXT, 4);
	memcpy(w->to, "text", 4);
	w->to += 4;
	w->from += sizeof(base64_member) - 1;
	put_bytes(w);
}

static void put_next(struct writer *w)
{
	switch (*w->from) {
	case '{':
		open_map(w);
		break;
	case '[':
		*w->to++ = ARRAY;
		w->depth++;
		w->from++;
		break;
	case '}':
	case ']':
		*w->to++ = END;
		w->depth--;
		w->from++;
		break;
	case '"':
		put_string(w);
		break;
	case 'n': /* null */
		*w->to++ = NONE;
		w->from += 4;
		break;
	case '-':
	case '0' ... '9':
		put_number(w);
		break;
	default: /* between the parts */
		w->from++;
	}
}

char *cbor_of_json(const char *line, size_t len, size_t *ret)
{
	/* No part is longer than in JSON, except the heads of strings of 256 bytes. */
	uint8_t *room = malloc(2 * len + HEAD_MOST);
	struct writer w = { .from = line, .end = line + len, .to = room };

	while (room && w.from < w.end)
		put_next(&w);
	*ret = (size_t)(w.to - room);
	return (char *)room;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parsed pattern. Only regex/ sees it. */
#ifndef STAP_REGEX_TREE_H
#define STAP_REGEX_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regex/regex.h"

struct arena;

/* A set of bytes. */
struct byteset {
	uint64_t bits[4];
};

static inline bool byteset_has(const struct byteset *set, unsigned byte)
{
	return set->bits[byte / 64] >> (byte % 64) & 1;
}

enum { REGEX_FOREVER = -1 };

struct tree {
	enum {
		TREE_EMPTY,
		TREE_SET,	  /* one byte of `set` */
		TREE_BEGIN,	  /* ^ */
		TREE_END,	  /* $ */
		TREE_SEQUENCE,	  /* left, then right */
		TREE_ALTERNATIVE, /* left, or right */
		TREE_REPEAT,	  /* left, from `least` to `most` times */
		TREE_GROUP,	  /* left, as group `number` */
	} kind;
	size_t at, len; /* REPEAT: its operator in the pattern */
	struct tree *left, *right;
	struct byteset set;
	int least, most; /* most may be REGEX_FOREVER */
	unsigned number;
};

/* Returns NULL after an error. *groups is the number of groups, group 0 included. */
struct tree *syntax_parse(struct arena *a, const char *pattern, size_t len, unsigned *groups,
			  struct regex_error *ret_error);

#endif

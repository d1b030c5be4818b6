/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of the language: few, and data only. */
#ifndef STAP_TYPE_H
#define STAP_TYPE_H

enum type {
	TYPE_UNKNOWN, /* not inferred yet */
	TYPE_LONG,    /* 64-bit signed */
	TYPE_STRING,
	TYPE_STATS, /* an aggregate; globals only */
	TYPE_VOID,  /* a function that returns nothing */
	TYPE_ERROR, /* an error was reported: silences follow-ups */
	TYPE_COUNT
};

/* Returns "long", "string", …, as messages and -p2 print it. */
const char *node_type_name(enum type t);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Globals that a script writes but never reads are printed when it ends: a row for each,
 * in place of statements that do the same.
 */
#ifndef STP_API_UNREAD_H
#define STP_API_UNREAD_H

#include "api/ctx.h"

struct stp_unread {
	uint16_t global; /* its index in stp_script.globals */
	uint16_t format; /* of the value, or of one element: keys, then the value */
	uint16_t none;	 /* aggregates: the format of an empty one */
	const char *where;
};

/* Prints numbers and strings. */
static inline void stp_unread_scalars(struct stp_ctx *c, const struct stp_unread *rows, unsigned n);
/*
 * Prints these, aggregates and arrays, the largest value first. Storage has room for the
 * strings of an element.
 */
static inline void stp_unread_all(struct stp_ctx *c, const struct stp_unread *rows, unsigned n,
				  char *storage);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a context's last =~ or !~, for matched() and similar functions. It exists
 * only in scripts that call one of them. It is one block with room for a copy of the
 * string and for the states that stp_regex_find() notes:
 *
 *   struct stp_matches | uint16_t states[MAXSTRINGLEN] | char text[MAXSTRINGLEN]
 */
#ifndef STP_LASTMATCH_H
#define STP_LASTMATCH_H

#include "core/regex.h"

struct stp_matches {
	const struct stp_regex *regex; /* NULL: it did not match */
	uint64_t serial;	       /* of the hit that made this match */
	uint32_t bounds[2 * STP_REGEX_GROUPS_MAX];
};

static inline size_t stp_matches_bytes(uint32_t string)
{
	return sizeof(struct stp_matches) + string * (sizeof(uint16_t) + 1);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings, which are NUL-terminated and have a length, and regular expressions. */
#ifndef STP_API_STRING_H
#define STP_API_STRING_H

#include "core/env.h"
#include "core/regex.h"

struct stp_ctx;

struct stp_str {
	const char *s; /* s[len] == 0 */
	uint32_t len;
};
#define STP_STR(literal)	 ((struct stp_str){ "" literal, sizeof(literal) - 1 })
#define STP_STR_OF(text, length) ((struct stp_str){ text, (uint32_t)(length) })

/*
 * MAXSTRINGLEN is a number in generated C; in the runtime it is stp_script.limits.string.
 * Every `dst` below has that many bytes, and longer results are cut. Results point to
 * dst, or to an argument that stays valid as long.
 */
struct stp_str stp_str_copy(struct stp_ctx *c, char *dst, struct stp_str s);
struct stp_str stp_str_concat(struct stp_ctx *c, char *dst, struct stp_str a, struct stp_str b);
/*
 * Makes a string of the C text in dst by measuring its length, at most MAXSTRINGLEN - 1.
 */
struct stp_str stp_str_from(struct stp_ctx *c, char *dst);
/*
 * @enumname: returns the name in the first row with that value, or the number as text.
 * The last row's name is NULL.
 */
struct stp_enumerator {
	int64_t value;
	const char *name;
};
struct stp_str stp_enum_name(struct stp_ctx *c, char *dst, const struct stp_enumerator *rows,
			     int64_t value);
/* Copies bytes; source and destination may overlap. */
static inline void stp_bytes_copy(char *dst, const char *src, size_t n); /* core/bytes.h */
int stp_str_compare(struct stp_str a, struct stp_str b);		 /* bytewise: <0 0 >0 */
bool stp_text_has(const char *text, const char *part); /* calls no function: cheap in any handler */
static inline bool stp_str_equal(struct stp_str a, struct stp_str b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

/* ---- regular expressions: `static const struct stp_regex regex_N`, core/regex.h ---- */

/*
 * s =~ r, which notes the match for matched(). Scripts that do not need it use
 * stp_regex_test().
 */
bool stp_regex_match(struct stp_ctx *c, const struct stp_regex *r, struct stp_str s);
/*
 * Stores group n of the last match in this hit, or "" if the group did not take part.
 * Fails if there was no match or there is no such group.
 */
void stp_matched(struct stp_ctx *c, int64_t n, char *dst);
int64_t stp_matched_groups(struct stp_ctx *c);

#endif

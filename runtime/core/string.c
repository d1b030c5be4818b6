/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: counted, NUL-terminated, cut at MAXSTRINGLEN - 1. */
#include "api.h"

static uint32_t str_room(uint32_t used, uint32_t wanted)
{
	uint32_t free = stp_script.limits.string - 1 - used;

	return wanted < free ? wanted : free;
}

struct stp_str stp_str_copy(struct stp_ctx *c, char *dst, struct stp_str s)
{
	uint32_t n = str_room(0, s.len);

	(void)c;
	memmove(dst, s.s, n); /* dst may be where s is already */
	dst[n] = 0;
	return (struct stp_str){ dst, n };
}

struct stp_str stp_str_concat(struct stp_ctx *c, char *dst, struct stp_str a, struct stp_str b)
{
	uint32_t first = str_room(0, a.len), second = str_room(first, b.len);

	(void)c;
	/* b first: in `s = x . s` dst holds b. When it holds a, nothing of a is overwritten by b's new place.
	 */
	memmove(dst + first, b.s, second);
	memmove(dst, a.s, first);
	dst[first + second] = 0;
	return (struct stp_str){ dst, first + second };
}

struct stp_str stp_str_from(char *dst)
{
	uint32_t n = strnlen(dst, stp_script.limits.string - 1);

	dst[n] = 0;
	return (struct stp_str){ dst, n };
}

int stp_str_compare(struct stp_str a, struct stp_str b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

struct stp_str stp_module_name(void)
{
	return (struct stp_str){ stp_script.name, (uint32_t)strlen(stp_script.name) };
}

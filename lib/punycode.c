/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoder of RFC 3492, 6.2; variables are named as in the RFC. */
#include "lib/punycode.h"

#include <string.h>

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, FIRST_BIAS = 72, FIRST_N = 0x80 };

static uint32_t adapt(uint32_t delta, uint32_t count, bool is_first)
{
	uint32_t k = 0;

	delta /= is_first ? DAMP : 2;
	delta += delta / count;
	for (; delta > (BASE - TMIN) * TMAX / 2; k += BASE)
		delta /= BASE - TMIN;
	return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static bool read_digit(char c, uint32_t *ret)
{
	if (c >= 'a' && c <= 'z')
		*ret = (uint32_t)(c - 'a');
	else if (c >= '0' && c <= '9')
		*ret = (uint32_t)(c - '0') + 26;
	else
		return false;
	return true;
}

/* Reads the distance to the next insertion. */
static bool read_delta(const char **at, const char *end, uint32_t bias, uint32_t *delta)
{
	uint64_t n = 0, weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = k <= bias ? TMIN : k >= bias + TMAX ? TMAX : k - bias, digit;

		if (*at == end || !read_digit(*(*at)++, &digit) || weight > UINT32_MAX)
			return false;
		n += digit * weight;
		if (n > UINT32_MAX / 2)
			return false;
		if (digit < t)
			break;
		weight *= BASE - t;
	}
	*delta = (uint32_t)n;
	return true;
}

bool punycode_decode(const char *s, size_t len, uint32_t *ret, size_t room, size_t *count)
{
	const char *delimiter = memrchr(s, '_', len), *end = s + len;
	const char *at = delimiter ? delimiter + 1 : s;
	uint32_t n = FIRST_N, i = 0, bias = FIRST_BIAS, delta;
	bool is_first = true;

	*count = delimiter ? (size_t)(delimiter - s) : 0;
	if (*count > room)
		return false;
	for (size_t k = 0; k < *count; k++)
		ret[k] = (unsigned char)s[k];
	while (at < end) {
		if (*count == room || !read_delta(&at, end, bias, &delta))
			return false;
		i += delta;
		bias = adapt(delta, (uint32_t)*count + 1, is_first);
		is_first = false;
		n += i / (uint32_t)(*count + 1);
		i %= (uint32_t)(*count + 1);
		if (n > 0x10ffff)
			return false;
		memmove(ret + i + 1, ret + i, (*count - i) * sizeof(*ret));
		ret[i++] = n;
		++*count;
	}
	return true;
}

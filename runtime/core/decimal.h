/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers, eight digits at a time: what handlers and stapio make most of their text from. */
#ifndef STP_DECIMAL_H
#define STP_DECIMAL_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <string.h>
#endif

#define STP_DECIMAL_MAX 20 /* digits */

static const char stp_decimal_pairs[] = "00010203040506070809101112131415161718192021222324"
					"25262728293031323334353637383940414243444546474849"
					"50515253545556575859606162636465666768697071727374"
					"75767778798081828384858687888990919293949596979899";

/* v < 10^8, with leading zeros: v / 10^6 as a fixed-point number with 57 binary places, of which two digits at a time come out in front. */
static inline char *stp_decimal_eight(char *to, uint64_t v)
{
	const uint64_t scale = (1ull << 57) / 1000000 + 1, fraction = (1ull << 57) - 1;
	uint64_t rest = v * scale;

	for (int i = 0; i < 8; i += 2, rest = (rest & fraction) * 100)
		memcpy(to + i, stp_decimal_pairs + (rest >> 57) * 2, 2);
	return to + 8;
}

/* v < 10^8, without. */
static inline char *stp_decimal_first(char *to, uint32_t v)
{
	static const uint32_t powers[] = { 0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
	unsigned bits = 32 - (unsigned)__builtin_clz(v | 1), digits = bits * 1233 >> 12;
	char *end, *p;

	digits += v >= powers[digits]; /* a digit for 0 as well */
	end = p = to + digits;
	for (; v >= 100; v /= 100)
		memcpy(p -= 2, stp_decimal_pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(p - 2, stp_decimal_pairs + v * 2, 2);
	else
		p[-1] = (char)('0' + v);
	return end;
}

/* Returns the end. */
static inline char *stp_decimal(char *to, uint64_t v)
{
	const uint64_t e8 = 100000000, e16 = e8 * e8;

	if (v < e8)
		return stp_decimal_first(to, (uint32_t)v);
	if (v < e16)
		return stp_decimal_eight(stp_decimal_first(to, (uint32_t)(v / e8)), v % e8);
	to = stp_decimal_first(to, (uint32_t)(v / e16));
	v %= e16;
	return stp_decimal_eight(stp_decimal_eight(to, v / e8), v % e8);
}

#endif

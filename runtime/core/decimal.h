/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes decimal numbers, eight digits at a time. Most text of handlers and stapio
 * consists of numbers. For little-endian machines only.
 */
#ifndef STP_DECIMAL_H
#define STP_DECIMAL_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <string.h>
#endif

#define STP_DECIMAL_MAX 20 /* digits; also the bytes that may be written for any number */

static const char stp_decimal_pairs[] = "00010203040506070809101112131415161718192021222324"
					"25262728293031323334353637383940414243444546474849"
					"50515253545556575859606162636465666768697071727374"
					"75767778798081828384858687888990919293949596979899";

/*
 * Converts v < 10^8 to eight digits, a byte each, the first one lowest. v is cut into two
 * parts of four digits, then four of two and eight of one, all parts in parallel in one
 * word. The products that replace divisions do not overlap, and are exact for such small
 * numbers.
 */
static inline uint64_t stp_decimal_digits(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32, q;

	q = x * 10486 >> 20 & 0x0000007f0000007full; /* by 100 */
	x = (x - q * 100) << 16 | q;
	q = x * 103 >> 10 & 0x000f000f000f000full; /* by 10 */
	return (x - q * 10) << 8 | q;
}

#define STP_DECIMAL_ZEROS 0x3030303030303030ull

/* Writes v < 10^8 with leading zeros. */
static inline char *stp_decimal_eight(char *to, uint32_t v)
{
	uint64_t text = stp_decimal_digits(v) | STP_DECIMAL_ZEROS;

	memcpy(to, &text, sizeof(text));
	return to + 8;
}

/* Writes v < 10^4 with leading zeros. */
static inline char *stp_decimal_four(char *to, uint32_t v)
{
	uint32_t high = v / 100;

	memcpy(to, stp_decimal_pairs + high * 2, 2);
	memcpy(to + 2, stp_decimal_pairs + (v - high * 100) * 2, 2);
	return to + 4;
}

/* Writes v < 10^8 without leading zeros. Touches eight bytes. */
static inline char *stp_decimal_first(char *to, uint32_t v)
{
	uint64_t digits;
	unsigned zeros;

	if (v < 10) {
		*to = (char)('0' + v);
		return to + 1;
	}
	if (v < 100) {
		memcpy(to, stp_decimal_pairs + v * 2, 2);
		return to + 2;
	}
	digits = stp_decimal_digits(v);
	zeros = (unsigned)__builtin_ctzll(digits) / 8;
	digits = (digits | STP_DECIMAL_ZEROS) >> zeros * 8;
	memcpy(to, &digits, sizeof(digits));
	return to + 8 - zeros;
}

/* Writes v; returns the end of the text. */
static inline char *stp_decimal(char *to, uint64_t v)
{
	const uint64_t e8 = 100000000, e16 = e8 * e8;

	if (v < e8)
		return stp_decimal_first(to, (uint32_t)v);
	if (v < e16)
		return stp_decimal_eight(stp_decimal_first(to, (uint32_t)(v / e8)),
					 (uint32_t)(v % e8));
	to = stp_decimal_first(to, (uint32_t)(v / e16));
	v %= e16;
	return stp_decimal_eight(stp_decimal_eight(to, (uint32_t)(v / e8)), (uint32_t)(v % e8));
}

#endif

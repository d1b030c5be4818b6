/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes hexadecimal numbers, eight digits at a time. For little-endian machines only. */
#ifndef STP_HEXDIGITS_H
#define STP_HEXDIGITS_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <string.h>
#endif

#define STP_HEXDIGITS_MAX 16 /* also the bytes that are written for any number */

/* Returns the 8 digits of a number, the lowest in the lowest byte. */
static inline uint64_t stp_hexdigits_eight(uint64_t v)
{
	uint64_t above_nine;

	v = (v << 16 | v) & 0x0000ffff0000ffff;
	v = (v << 8 | v) & 0x00ff00ff00ff00ff;
	v = (v << 4 | v) & 0x0f0f0f0f0f0f0f0f;
	above_nine = (v + 0x0606060606060606) >> 4 & 0x0101010101010101;
	return v + 0x3030303030303030 + above_nine * ('a' - '9' - 1);
}

/* Writes the number without leading zeros. Returns its length. */
static inline __attribute__((__always_inline__)) unsigned stp_hexdigits(char *to, uint64_t v)
{
	unsigned skipped = (unsigned)__builtin_clzll(v | 1) / 4;
	uint64_t half;

	v <<= 4 * skipped;
	/* Addresses of the kernel, of which stacks consist. */
	half = v >> 32 == UINT32_MAX ? 0x6666666666666666
				     : __builtin_bswap64(stp_hexdigits_eight(v >> 32));
	memcpy(to, &half, sizeof(half));
	half = __builtin_bswap64(stp_hexdigits_eight((uint32_t)v));
	memcpy(to + sizeof(half), &half, sizeof(half));
	return 16 - skipped;
}

#endif

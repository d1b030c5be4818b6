/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies short strings: handlers do so when they print, and stapio when it writes. */
#ifndef STP_BYTES_H
#define STP_BYTES_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif

/*
 * Moves the first and the last bytes of a string, each of the type's size, without a
 * call.
 */
#define STP_BYTES_MOVE_ENDS(type, dst, src, n)                                                     \
	do {                                                                                       \
		type head_, tail_;                                                                 \
		memcpy(&head_, src, sizeof(type));                                                 \
		memcpy(&tail_, (src) + (n) - sizeof(type), sizeof(type));                          \
		memcpy(dst, &head_, sizeof(type));                                                 \
		memcpy((dst) + (n) - sizeof(type), &tail_, sizeof(type));                          \
	} while (0)

/*
 * Copies 16 to 32 bytes. It uses words: for a larger type, the kernel would use its
 * stack, with a stack protector.
 */
static inline void stp_bytes_copy_more(char *dst, const char *src, size_t n)
{
	uint64_t a, b, c, d;

	memcpy(&a, src, 8);
	memcpy(&b, src + 8, 8);
	memcpy(&c, src + n - 16, 8);
	memcpy(&d, src + n - 8, 8);
	memcpy(dst, &a, 8);
	memcpy(dst + 8, &b, 8);
	memcpy(dst + n - 16, &c, 8);
	memcpy(dst + n - 8, &d, 8);
}

/*
 * Most strings are too short to be worth a call of memmove(). Instead, the beginning and
 * the end, which overlap in the middle, are loaded and then stored.
 */
static inline void stp_bytes_copy(char *dst, const char *src, size_t n)
{
	if (n > 32)
		memmove(dst, src, n);
	else if (n >= 16)
		stp_bytes_copy_more(dst, src, n);
	else if (n >= 8)
		STP_BYTES_MOVE_ENDS(uint64_t, dst, src, n);
	else if (n >= 4)
		STP_BYTES_MOVE_ENDS(uint32_t, dst, src, n);
	else if (n >= 2)
		STP_BYTES_MOVE_ENDS(uint16_t, dst, src, n);
	else if (n)
		*dst = *src;
}

#endif

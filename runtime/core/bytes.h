/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copying short strings: what handlers do when they print, and stapio when it writes. */
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

/* Of a type's size, without a call. */
#define STP_BYTES_MOVE_ENDS(type, dst, src, n)                                   \
	do {                                                                     \
		type head_, tail_;                                               \
		memcpy(&head_, src, sizeof(type));                               \
		memcpy(&tail_, (src) + (n) - sizeof(type), sizeof(type));        \
		memcpy(dst, &head_, sizeof(type));                               \
		memcpy((dst) + (n) - sizeof(type), &tail_, sizeof(type));        \
	} while (0)

/*
 * 16 to 32. In words: the kernel would put a larger
 * type on the stack, and a stack protector beside it.
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
 * Most strings are shorter than what a call of memmove() is worth: beginning
 * and end are loaded, then stored, and what is in the middle is in both.
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

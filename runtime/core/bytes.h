/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copying short strings: what handlers do when they print, and stapio when it writes. */
#ifndef STP_BYTES_H
#define STP_BYTES_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stddef.h>
#include <string.h>
#endif

/* Most strings are shorter than what a call of memmove() is worth. In front of their source they are copied forwards. */
static inline void stp_bytes_copy(char *dst, const char *src, size_t n)
{
	if (n > 64 || (size_t)(dst - src) < n) {
		memmove(dst, src, n);
		return;
	}
	for (; n >= 8; n -= 8, dst += 8, src += 8)
		memcpy(dst, src, 8);
	if (n & 4) {
		memcpy(dst, src, 4);
		dst += 4, src += 4;
	}
	if (n & 2) {
		memcpy(dst, src, 2);
		dst += 2, src += 2;
	}
	if (n & 1)
		*dst = *src;
}

#endif

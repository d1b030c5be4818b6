/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles keys of arrays as words, which are hashed in one pass and compared once,
 * without calls. A string is read in whole words; the last word may overlap the one
 * before it. Strings of up to 8 bytes are one word.
 *
 * Keys come from the probed code, which may choose them to share one bucket. So the
 * factor of the hash is a secret that differs in each run.
 */
#ifndef STP_KEY_H
#define STP_KEY_H

#include "api.h"
#include "arch_ops.h"

static __always_inline uint64_t stp_load64(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline uint32_t stp_load32(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline uint16_t stp_load16(const char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Loads at most 8 bytes into one word; the bytes in the middle may occur twice. */
static __always_inline STP_BPF_INLINE uint64_t stp_load_short(const char *p, uint32_t len)
{
	if (len >= 4)
		return stp_load32(p) | (uint64_t)stp_load32(p + len - 4) << 32;
	if (len >= 2)
		return stp_load16(p) | (uint64_t)stp_load16(p + len - 2) << 16;
	return len ? (uint8_t)*p : 0;
}

static __always_inline bool stp_key_equal(const char *a, const char *b, uint32_t len)
{
	if (len <= 8)
		return len >= 4 ? stp_load32(a) == stp_load32(b) &&
					  stp_load32(a + len - 4) == stp_load32(b + len - 4)
				: stp_load_short(a, len) == stp_load_short(b, len);
	for (uint32_t i = 0; i + 8 < len; i += 8)
		if (stp_load64(a + i) != stp_load64(b + i))
			return false;
	return stp_load64(a + len - 8) == stp_load64(b + len - 8);
}

/*
 * The secret, chosen before any array is created. Every handler reads it, from a cache
 * line that is never written.
 */
extern uint64_t stp_key_factor;

/*
 * Mixes both halves of the product, so that every bit of the input affects the low bits,
 * which choose the bucket. Inputs with equal low bits differ in the upper half, by a
 * secret part of the factor. __int128 is avoided, because kernel functions with it align
 * their stack.
 */
static __always_inline STP_BPF_INLINE uint64_t stp_key_mix(uint64_t h, uint64_t v)
{
#if defined(__bpf__) || defined(STP_BPF) /* which multiply to 64 bits only */
	uint64_t mixed = (h ^ v) * stp_key_factor;

	mixed = (mixed ^ mixed >> 32) * stp_key_factor;
	return mixed ^ mixed >> 32;
#else
	uint64_t low = h ^ v, high = arch_multiply(&low, stp_key_factor);

	return high ^ low;
#endif
}

static __always_inline uint64_t stp_key_hash_string(uint64_t h, const char *s, uint32_t len)
{
	h += len;
	if (len <= 8)
		return stp_key_mix(h, stp_load_short(s, len));
	for (uint32_t i = 0; i + 8 < len; i += 8)
		h = stp_key_mix(h, stp_load64(s + i));
	return stp_key_mix(h, stp_load64(s + len - 8));
}

#endif

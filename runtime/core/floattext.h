/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes floating-point numbers of IEEE 754 in decimal, with enough digits to distinguish
 * any two of them, as debuggers do: 2.5, 0.10000000000000001, 1e+30. The kernel has no
 * floating point, so everything is computed with integers.
 *
 * The number is significand * 2^exponent. Its digits are the integer nearest to
 * significand * 2^exponent * 10^scale: a long number of at most 1100 bits, which is
 * multiplied by 5^scale, or divided by 5^-scale, and shifted.
 */
#ifndef STP_FLOATTEXT_H
#define STP_FLOATTEXT_H

#include "core/env.h"

#define FLOATTEXT_ROOM	40
#define FLOATTEXT_WORK	8000 /* units of api/ctx.h */
#define FLOATTEXT_LIMBS 38
#define FLOATTEXT_STEP	13 /* 5^13 fits 32 bits */

struct floattext_number {
	uint32_t limbs[FLOATTEXT_LIMBS]; /* lowest first */
	unsigned count;
	bool rest; /* the value has a remainder below the lowest bit */
};

static void floattext_push(struct floattext_number *n, uint64_t carry)
{
	for (; carry && n->count < FLOATTEXT_LIMBS; carry >>= 32)
		n->limbs[n->count++] = (uint32_t)carry;
}

static void floattext_multiply(struct floattext_number *n, uint32_t by)
{
	uint64_t carry = 0;

	for (unsigned i = 0; i < n->count; i++) {
		carry += (uint64_t)n->limbs[i] * by;
		n->limbs[i] = (uint32_t)carry;
		carry >>= 32;
	}
	floattext_push(n, carry);
}

/* Returns the remainder. */
static uint32_t floattext_divide(struct floattext_number *n, uint32_t by)
{
	uint64_t rest = 0;

	for (unsigned i = n->count; i-- > 0;) {
		rest = rest << 32 | n->limbs[i];
		n->limbs[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	n->rest |= rest != 0;
	while (n->count && !n->limbs[n->count - 1])
		n->count--;
	return (uint32_t)rest;
}

static void floattext_left(struct floattext_number *n, unsigned bits)
{
	unsigned whole = bits / 32;

	if (n->count + whole > FLOATTEXT_LIMBS)
		return;
	memmove(n->limbs + whole, n->limbs, n->count * sizeof(n->limbs[0]));
	memset(n->limbs, 0, whole * sizeof(n->limbs[0]));
	n->count += whole;
	floattext_multiply(n, 1u << bits % 32);
}

static void floattext_right(struct floattext_number *n, unsigned bits)
{
	unsigned whole = bits / 32 < n->count ? bits / 32 : n->count;

	for (unsigned i = 0; i < whole; i++)
		n->rest |= n->limbs[i] != 0;
	memmove(n->limbs, n->limbs + whole, (n->count - whole) * sizeof(n->limbs[0]));
	n->count -= whole;
	if (bits % 32)
		floattext_divide(n, 1u << bits % 32);
}

static uint32_t floattext_power(int n)
{
	uint32_t ret = 1;

	while (n-- > 0)
		ret *= 5;
	return ret;
}

/* Writes a number of at most FLOATTEXT_ROOM digits, and returns how many it has. */
static unsigned floattext_whole(char *dst, struct floattext_number *n)
{
	char digits[FLOATTEXT_ROOM];
	unsigned len = 0;

	do {
		digits[len++] = (char)('0' + floattext_divide(n, 10));
	} while (n->count && len < FLOATTEXT_ROOM);
	for (unsigned i = 0; i < len; i++)
		dst[i] = digits[len - 1 - i];
	return len;
}

/* Rounds half of the number to the nearest, ties to even. */
static void floattext_round(struct floattext_number *n)
{
	bool odd = n->count && n->limbs[0] & 1, up = odd && (n->rest || n->limbs[0] & 2);
	unsigned i = 0;

	floattext_divide(n, 2);
	while (up && i < n->count && !++n->limbs[i])
		i++;
	if (up && i == n->count)
		floattext_push(n, 1);
}

/*
 * Writes significand * 2^exponent * 10^scale, rounded to the nearest, and returns the
 * number of digits.
 */
static unsigned floattext_scaled(char *dst, uint64_t significand, int exponent, int scale)
{
	struct floattext_number n = { .count = 0 };
	int twos = exponent + scale + 1; /* one more bit than needed, for rounding */

	floattext_push(&n, significand);
	if (twos > 0)
		floattext_left(&n, (unsigned)twos);
	for (int left = scale; left > 0; left -= FLOATTEXT_STEP)
		floattext_multiply(&n,
				   floattext_power(left < FLOATTEXT_STEP ? left : FLOATTEXT_STEP));
	for (int left = -scale; left > 0; left -= FLOATTEXT_STEP)
		floattext_divide(&n,
				 floattext_power(left < FLOATTEXT_STEP ? left : FLOATTEXT_STEP));
	if (twos < 0)
		floattext_right(&n, (unsigned)-twos);
	floattext_round(&n);
	return floattext_whole(dst, &n);
}

/* Writes digits without trailing zeros, with the dot after `whole` of them. */
static unsigned floattext_digits(char *dst, const char *text, unsigned digits, int whole)
{
	unsigned len = 0, end = digits;

	while (end > 1 && text[end - 1] == '0' && (int)end > whole)
		end--;
	if (whole <= 0) {
		dst[len++] = '0';
		dst[len++] = '.';
		for (; whole < 0; whole++)
			dst[len++] = '0';
		whole = -1;
	}
	for (unsigned i = 0; i < end; i++) {
		if ((int)i == whole)
			dst[len++] = '.';
		dst[len++] = text[i];
	}
	return len;
}

static unsigned floattext_exponent(char *dst, int exponent)
{
	unsigned len = 0, n = (unsigned)(exponent < 0 ? -exponent : exponent);

	dst[len++] = 'e';
	dst[len++] = exponent < 0 ? '-' : '+';
	if (n > 99)
		dst[len++] = (char)('0' + n / 100);
	dst[len++] = (char)('0' + n / 10 % 10);
	dst[len++] = (char)('0' + n % 10);
	return len;
}

/* Writes significand * 2^exponent with that many digits; both are below 10^300. */
static unsigned floattext_finite(char *dst, uint64_t significand, int exponent, unsigned digits)
{
	int top = exponent + 63 - __builtin_clzll(significand);
	/* The exponent of ten, or one less: 1233 / 4096 is just below log10(2). */
	int ten = (top * 1233 >> 12) - (top < 0);
	char text[FLOATTEXT_ROOM];
	unsigned n;

	while ((n = floattext_scaled(text, significand, exponent, (int)digits - 1 - ten)) > digits)
		ten++;
	if (n < digits) { /* rounded up to the next power of ten */
		text[n] = '0';
		ten--;
	}
	if (ten >= -4 && ten < (int)digits)
		return floattext_digits(dst, text, digits, ten + 1);
	n = floattext_digits(dst, text, digits, 1);
	return n + floattext_exponent(dst + n, ten);
}

/* Writes at most FLOATTEXT_ROOM characters, without a NUL; returns their number. */
static unsigned floattext(char *dst, uint64_t bits, bool is_single)
{
	unsigned fraction = is_single ? 23 : 52, width = is_single ? 8 : 11, len = 0;
	uint64_t significand = bits & ((1ull << fraction) - 1), mask = (1ull << width) - 1;
	int exponent = (int)(bits >> fraction & mask);
	bool is_negative = bits >> (fraction + width) & 1;

	if (is_negative)
		dst[len++] = '-';
	if (exponent == (int)mask) {
		memcpy(dst + len, significand ? "nan" : "inf", 3);
		return len + 3;
	}
	if (!exponent && !significand) {
		dst[len++] = '0';
		return len;
	}
	if (exponent)
		significand |= 1ull << fraction;
	else
		exponent = 1;
	exponent -= (int)(mask >> 1) + (int)fraction;
	return len + floattext_finite(dst + len, significand, exponent, is_single ? 9 : 17);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of more than 64 bits, and times. */
#ifndef STP_PRETTYNUMBERS_H
#define STP_PRETTYNUMBERS_H

#include "core/floattext.h"
#include "core/prettytext.h"

#define WIDE_WORK      4000 /* units of api/ctx.h */
#define NUMBERS_SECOND 1000000000

/* ---- whole numbers ---- */

static void numbers_wide(struct pretty *p, uint64_t low, uint64_t high, bool has_sign)
{
	struct floattext_number n = { .count = 0 };
	char text[FLOATTEXT_ROOM];

	if (has_sign && high >> 63) {
		pretty_text(p, "-");
		high = ~high + !low;
		low = -low;
	}
	n.limbs[0] = (uint32_t)low;
	n.limbs[1] = (uint32_t)(low >> 32);
	n.limbs[2] = (uint32_t)high;
	n.limbs[3] = (uint32_t)(high >> 32);
	n.count = 4;
	stp_charge_later(p->c, WIDE_WORK);
	pretty_put(p, text, floattext_whole(text, &n));
}

/* Writes bytes, the lowest first, as one number. */
static void numbers_hex(struct pretty *p, const uint8_t *bytes, size_t len)
{
	while (len > 1 && !bytes[len - 1])
		len--;
	pretty_number(p, "0x%x", bytes[len - 1]);
	while (len-- > 1)
		pretty_number(p, "%02x", bytes[len - 1]);
}

/* ---- floating point ---- */

/*
 * Writes 0x1.8p+5000: the fraction has `digits` hexadecimal digits, the lowest of them in
 * the low bits of `low`.
 */
static void numbers_hex_float(struct pretty *p, unsigned whole, uint64_t high, uint64_t low,
			      unsigned digits, int exponent)
{
	while (digits && !(low & 15)) {
		low = low >> 4 | high << 60;
		high >>= 4;
		digits--;
	}
	pretty_number(p, digits ? "0x%d." : "0x%d", whole);
	while (digits-- > 0)
		pretty_number(p, "%x",
			      (digits > 15 ? high >> (digits - 16) * 4 : low >> digits * 4) & 15);
	pretty_number(p, "p%+d", exponent);
}

/* 80 bits: a sign, 15 bits of exponent, and a significand with its first bit. */
static void numbers_extended(struct pretty *p, uint64_t low, uint64_t high)
{
	int exponent = (int)(high & 0x7fff) - 16383 - 63;
	char text[FLOATTEXT_ROOM];

	if (high >> 15 & 1)
		pretty_text(p, "-");
	if ((high & 0x7fff) == 0x7fff)
		pretty_text(p, low << 1 ? "nan" : "inf");
	else if (!low)
		pretty_text(p, "0");
	else if (!(low >> 63) && high & 0x7fff) /* not a number since the 387 */
		pretty_text(p, "nan");
	else if (!(low >> 63))
		numbers_hex_float(p, 0, 0, low << 1, 16, -16382);
	else if (exponent + 63 < 1000 && exponent + 63 > -1000)
		pretty_put(p, text, floattext_finite(text, low, exponent, 21));
	else
		numbers_hex_float(p, 1, 0, low << 1, 16, exponent + 63);
}

/* The 128 bits of IEEE 754: a sign, 15 bits of exponent, 112 of a fraction. */
static void numbers_quad(struct pretty *p, uint64_t low, uint64_t high)
{
	int exponent = (int)(high >> 48 & 0x7fff);
	uint64_t fraction = high & 0xffffffffffff;

	if (high >> 63)
		pretty_text(p, "-");
	if (exponent == 0x7fff)
		pretty_text(p, fraction || low ? "nan" : "inf");
	else if (!exponent && !fraction && !low)
		pretty_text(p, "0");
	else
		numbers_hex_float(p, exponent != 0, fraction, low, 28,
				  (exponent ? exponent : 1) - 16383);
}

/* ---- times ---- */

/* Puts the fraction of a second, and the unit. */
static void numbers_fraction(struct pretty *p, uint32_t nanoseconds, const char *unit)
{
	char format[] = ".%09d";
	bool is_wrong = nanoseconds >= NUMBERS_SECOND;

	for (; nanoseconds && !(nanoseconds % 10); nanoseconds /= 10)
		format[3]--;
	if (nanoseconds)
		pretty_number(p, is_wrong ? ".?" : format, nanoseconds);
	pretty_text(p, unit);
}

/* Puts 1.5s, of nanoseconds. */
static void numbers_nanoseconds(struct pretty *p, int64_t v)
{
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;

	pretty_text(p, v < 0 ? "-" : "");
	pretty_number(p, "%d", (int64_t)(size / NUMBERS_SECOND));
	numbers_fraction(p, (uint32_t)(size % NUMBERS_SECOND), "s");
}

/* Puts seconds since 1970 as 2026-11-30 12:28:13, by the Gregorian calendar. */
static void numbers_date(struct pretty *p, int64_t seconds)
{
	/* Years begin in March, eras of 400 years too: leap days come last in both. */
	int64_t days = seconds / 86400 - (seconds % 86400 < 0), second = seconds - days * 86400;
	int64_t from = days + 719468, era = (from >= 0 ? from : from - 146096) / 146097;
	int64_t day = from - era * 146097;
	int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	int64_t of_year = day - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153;

	pretty_number(p, "%04d", year + era * 400 + (month >= 10));
	pretty_number(p, "-%02d", month < 10 ? month + 3 : month - 9);
	pretty_number(p, "-%02d", of_year - (153 * month + 2) / 5 + 1);
	pretty_number(p, " %02d", second / 3600);
	pretty_number(p, ":%02d", second / 60 % 60);
	pretty_number(p, ":%02d", second % 60);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the C library, for BPF programs. The compiler itself calls those for
 * blocks and texts; translator/bpf/irtext.c gives them these names.
 */
#include "bpf/env.h"

/* Arguments after the fifth, and those of `...`: 8 bytes each. */
uint64_t stp_bpf_args[16];

#define LIBRARY __attribute__((used))

static inline __attribute__((__always_inline__)) void *copy(char *to, const char *from, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		*(volatile uint64_t *)(to + i) = *(const volatile uint64_t *)(from + i);
	for (; i < n; i++)
		*(volatile char *)(to + i) = from[i];
	return to;
}

LIBRARY void *stp_bpf_memcpy(char *to, const char *from, size_t n)
{
	return copy(to, from, n);
}

/* Without a call, because many functions that call it are BPF functions of their own. */
LIBRARY void *stp_bpf_memmove(char *to, const char *from, size_t n)
{
	if (to <= from)
		return copy(to, from, n);
	while (n-- > 0)
		*(volatile char *)(to + n) = from[n];
	return to;
}

LIBRARY void *stp_bpf_memset(char *to, uint32_t byte, size_t n)
{
	uint64_t all = (byte & 255) * 0x0101010101010101u;
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		*(volatile uint64_t *)(to + i) = all;
	for (; i < n; i++)
		*(volatile char *)(to + i) = (char)all;
	return to;
}

LIBRARY int stp_bpf_memcmp(const uint8_t *a, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

LIBRARY void *stp_bpf_memchr(char *s, uint32_t byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == (char)byte)
			return s + i;
	return NULL;
}

LIBRARY size_t stp_bpf_strnlen(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && *(const volatile char *)(s + n))
		n++;
	return n;
}

LIBRARY size_t stp_bpf_strlen(const char *s)
{
	return stp_bpf_strnlen(s, SIZE_MAX);
}

LIBRARY int stp_bpf_strncmp(const uint8_t *a, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
		if (!a[i])
			break;
	}
	return 0;
}

LIBRARY int stp_bpf_strcmp(const uint8_t *a, const uint8_t *b)
{
	return stp_bpf_strncmp(a, b, SIZE_MAX);
}

LIBRARY char *stp_bpf_strchr(const char *s, uint32_t byte)
{
	for (;; s++) {
		if (*(const volatile char *)s == (char)byte)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

LIBRARY char *stp_bpf_strrchr(const char *s, uint32_t byte)
{
	const char *ret = NULL;

	for (;; s++) {
		if (*(const volatile char *)s == (char)byte)
			ret = s;
		if (!*s)
			return (char *)ret;
	}
}

static bool is_among(char c, const char *set)
{
	while (*(const volatile char *)set && *set != c)
		set++;
	return *set;
}

LIBRARY size_t stp_bpf_strspn(const char *s, const char *accepted)
{
	size_t n = 0;

	while (s[n] && is_among(s[n], accepted))
		n++;
	return n;
}

LIBRARY size_t stp_bpf_strcspn(const char *s, const char *ends)
{
	size_t n = 0;

	while (s[n] && !is_among(s[n], ends))
		n++;
	return n;
}

LIBRARY char *stp_bpf_strstr(const char *s, const char *part)
{
	size_t len = stp_bpf_strlen(part);

	for (; *s; s++)
		if (!stp_bpf_strncmp((const uint8_t *)s, (const uint8_t *)part, len))
			return (char *)s;
	return len ? NULL : (char *)s;
}

/* ---- printf ---- */

struct printing {
	char *to;
	size_t size, len;
};

/* A conversion: d u x s c, with l, ll and z, a width, and a precision for texts. */
struct conversion {
	int64_t width;
	size_t most;
	bool is_left, is_zeros, is_long;
};

/*
 * One loop for the text and what fills the field, without calls: a function is only a BPF
 * function of its own if it begins few calls in each other.
 */
static void print_field(struct printing *p, const struct conversion *c, const char *s, size_t n)
{
	size_t width = c->width > (int64_t)n ? (size_t)c->width : n;
	size_t from = c->is_left ? 0 : width - n;

	for (size_t i = 0; i < width; i++, p->len++)
		if (p->len + 1 < p->size)
			p->to[p->len] = i >= from && i - from < n ? s[i - from] : ' ';
}

#define DIGITS 64

/* Writes a number to the end of DIGITS bytes; returns where it begins there. */
static size_t write_number(const struct conversion *c, uint64_t v, uint32_t base, bool is_negative,
			   char *digits)
{
	size_t at = DIGITS, zeros = c->is_zeros && c->width < 40 ? (size_t)c->width : 0;

	do {
		uint64_t digit = v % base;

		digits[--at & (DIGITS - 1)] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
		v /= base;
	} while (v && at > 1);
	while (DIGITS - at + is_negative < zeros)
		digits[--at & (DIGITS - 1)] = '0';
	if (is_negative)
		digits[--at & (DIGITS - 1)] = '-';
	return at;
}

/* Returns the next argument of `...`. */
static uint64_t take(const char **args)
{
	uint64_t v = *(const uint64_t *)*args;

	*args += sizeof(v);
	return v;
}

static const char *read_conversion(const char *f, const char **args, struct conversion *c)
{
	for (; *f == '-' || *f == '0'; f++) {
		c->is_left |= *f == '-';
		c->is_zeros |= *f == '0';
	}
	if (*f == '*') {
		c->width = (int32_t)take(args);
		f++;
	}
	for (; *f >= '0' && *f <= '9'; f++)
		c->width = c->width * 10 + *f - '0';
	if (*f == '.' && f[1] == '*') {
		c->most = (uint32_t)take(args);
		f += 2;
	} else if (*f == '.') {
		for (c->most = 0, f++; *f >= '0' && *f <= '9'; f++)
			c->most = c->most * 10 + (size_t)(*f - '0');
	}
	for (; *f == 'l' || *f == 'z'; f++)
		c->is_long = true;
	return f;
}

/* Prints one conversion, after its '%'. */
static const char *convert(struct printing *p, const char *f, const char **args)
{
	struct conversion c = { 0, SIZE_MAX, false, false, false };
	char digits[DIGITS];
	const char *text = digits;
	size_t n = 1;
	uint64_t v;

	f = read_conversion(f, args, &c);
	v = *f == '%' ? '%' : take(args);
	if (*f == 's') {
		text = (const char *)v;
		n = strnlen(text, c.most);
	} else if (*f == 'c' || *f == '%') {
		digits[0] = (char)v;
	} else {
		bool is_negative;
		size_t at;

		if (!c.is_long)
			v = *f == 'd' ? (uint64_t)(int32_t)v : (uint32_t)v;
		is_negative = *f == 'd' && (int64_t)v < 0;
		at = write_number(&c, is_negative ? -v : v, *f == 'x' ? 16 : 10, is_negative,
				  digits);

		text = digits + at;
		n = DIGITS - at;
	}
	print_field(p, &c, text, n);
	return f + 1;
}

int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
	static const struct conversion plain;
	struct printing p = { to, size, 0 };
	const char *args = (const char *)list;

	while (*format) {
		size_t n = 0;

		while (format[n] && format[n] != '%')
			n++;
		print_field(&p, &plain, format, n);
		format += n;
		if (*format)
			format = convert(&p, format + 1, &args);
	}
	if (size)
		to[p.len < size ? p.len : size - 1] = 0;
	return (int)p.len;
}

/*
 * Copies the arguments, because the functions that print them may use the area
 * themselves.
 */
int snprintf(char *to, size_t size, const char *format, ...)
{
	uint64_t copy[8];
	va_list args;

	va_start(args, format);
	memcpy(copy, (const void *)args, sizeof(copy));
	va_end(args);
	return vsnprintf(to, size, format, (void *)copy);
}

int scnprintf(char *to, size_t size, const char *format, ...)
{
	uint64_t copy[8];
	va_list args;
	int n;

	va_start(args, format);
	memcpy(copy, (const void *)args, sizeof(copy));
	va_end(args);
	n = vsnprintf(to, size, format, (void *)copy);
	return n < 0 || !size ? 0 : n < (int)size ? n : (int)size - 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the C library, for BPF programs. The compiler calls those of blocks and
 * texts by itself; translator/bpf/irtext.c gives them these names.
 */
#include "bpf/env.h"

/* Arguments after the fifth, and those of `...`: 8 bytes each. */
uint64_t stp_bpf_args[16];

#define LIBRARY __attribute__((used))

LIBRARY void *stp_bpf_memcpy(char *to, const char *from, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		*(volatile uint64_t *)(to + i) = *(const volatile uint64_t *)(from + i);
	for (; i < n; i++)
		*(volatile char *)(to + i) = from[i];
	return to;
}

LIBRARY void *stp_bpf_memmove(char *to, const char *from, size_t n)
{
	if (to <= from)
		return stp_bpf_memcpy(to, from, n);
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

/* ---- printf ---- */

struct printing {
	char *to;
	size_t size, len;
};

static inline __attribute__((always_inline)) void print_text(struct printing *p, const char *s,
							     size_t n)
{
	for (size_t i = 0; i < n; i++, p->len++)
		if (p->len + 1 < p->size)
			p->to[p->len] = s[i];
}

static inline __attribute__((always_inline)) void print_number(struct printing *p, uint64_t v,
							       uint32_t base, bool is_negative)
{
	char digits[24];
	size_t at = sizeof(digits);

	do {
		uint64_t digit = v % base;

		digits[--at & 31] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
		v /= base;
	} while (v && at > 1);
	if (is_negative)
		digits[--at & 31] = '-';
	print_text(p, digits + at, sizeof(digits) - at);
}

/* The next argument of `...`. */
static uint64_t take(const char **args)
{
	uint64_t v = *(const uint64_t *)*args;

	*args += sizeof(v);
	return v;
}

/*
 * One conversion, after its '%': d u x s c, with l, ll and z, and a precision of texts.
 */
static inline __attribute__((always_inline)) const char *convert(struct printing *p, const char *f,
								 const char **args)
{
	size_t most = SIZE_MAX;
	bool is_long = false;
	uint64_t v;

	if (f[0] == '.' && f[1] == '*') {
		most = (uint32_t)take(args);
		f += 2;
	}
	for (; *f == 'l' || *f == 'z'; f++)
		is_long = true;
	if (*f == '%') {
		print_text(p, f, 1);
		return f + 1;
	}
	v = take(args);
	if (*f == 's') {
		print_text(p, (const char *)v, strnlen((const char *)v, most));
	} else if (*f == 'c') {
		char c = (char)v;

		print_text(p, &c, 1);
	} else if (*f == 'd') {
		int64_t n = is_long ? (int64_t)v : (int32_t)v;

		print_number(p, n < 0 ? -(uint64_t)n : (uint64_t)n, 10, n < 0);
	} else {
		print_number(p, is_long ? v : (uint32_t)v, *f == 'x' ? 16 : 10, false);
	}
	return f + 1;
}

int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
	struct printing p = { to, size, 0 };
	const char *args = (const char *)list;

	while (*format) {
		size_t n = 0;

		while (format[n] && format[n] != '%')
			n++;
		print_text(&p, format, n);
		format += n;
		if (*format)
			format = convert(&p, format + 1, &args);
	}
	if (size)
		to[p.len < size ? p.len : size - 1] = 0;
	return (int)p.len;
}

/* The arguments are copied: what prints them may use the area itself. */
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

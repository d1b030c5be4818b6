/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See filename.h. Our own conversions are expanded first, with the percent signs of their
 * values doubled; strftime() expands the rest.
 */
#include "lib/filename.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * Conversions of GNU strftime; flags, a width, E or O may come before the letter.
 */
#define LETTERS "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ+%"
#define BEFORE	"_-0^#123456789EO"

/* A conversion at a '%': its letter and its total length. */
struct conversion {
	char letter;
	size_t len;
	bool plain; /* nothing between the '%' and the letter */
};

static struct conversion conversion_at(const char *s)
{
	size_t before = strspn(s + 1, BEFORE);

	return (struct conversion){ s[1 + before], before + 2, !before };
}

static const char *next_conversion(const char *s, struct conversion *ret)
{
	s = strchr(s, '%');
	if (s)
		*ret = conversion_at(s);
	return s;
}

void filename_set_host(struct filename *f, const char *host)
{
	snprintf(f->host, sizeof(f->host), "%s", host);
	for (char *s = f->host; (s = strchr(s, '/'));)
		*s = '_';
}

const char *filename_check(const char *pattern, bool cpu)
{
	struct conversion c;

	if (strlen(pattern) >= PATH_MAX / 2)
		return "the name is too long";
	for (const char *s = pattern; (s = next_conversion(s, &c)); s += c.len) {
		if (!c.letter)
			return "the name ends inside a conversion (%% is a percent sign)";
		if (!strchr(LETTERS, c.letter))
			return "the name has a conversion that is none of strftime(3)'s, %h, %m, "
			       "%c (%% is a percent "
			       "sign)";
		if (c.plain && c.letter == 'c' && !cpu)
			return "%c, the CPU, is for the raw files of -b";
	}
	return NULL;
}

static bool has_plain(const char *pattern, const char *letters)
{
	struct conversion c;

	for (const char *s = pattern; (s = next_conversion(s, &c)); s += c.len) {
		if (c.plain && strchr(letters, c.letter))
			return true;
	}
	return false;
}

bool filename_looks_like_date(const char *pattern)
{
	return has_plain(pattern, "m") && has_plain(pattern, "yYCG") && has_plain(pattern, "de");
}

bool filename_has_cpu(const char *pattern)
{
	return has_plain(pattern, "c");
}

bool filename_has_host(const char *pattern)
{
	return has_plain(pattern, "h");
}

struct text {
	char buf[PATH_MAX];
	size_t len;
};

/* Appends to the text. One byte is always kept for the NUL. */
static void append(struct text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len && t->len < sizeof(t->buf) - 1; i++)
		t->buf[t->len++] = s[i];
	t->buf[t->len] = 0;
}

static void put_literal(struct text *t, const char *s)
{
	for (; *s; s++) {
		append(t, s, 1);
		if (*s == '%')
			append(t, s, 1);
	}
}

static void put_conversion(struct text *t, const struct filename *f, const char *s,
			   const struct conversion *c)
{
	char cpu[16];

	if (c->plain && c->letter == 'h') {
		put_literal(t, f->host);
	} else if (c->plain && c->letter == 'm') {
		put_literal(t, f->module);
	} else if (c->plain && c->letter == 'c') {
		snprintf(cpu, sizeof(cpu), "%d", f->cpu);
		put_literal(t, f->cpu == FILENAME_SLOW ? "slow" : cpu);
	} else {
		append(t, s, c->len);
	}
}

int filename_expand(const struct filename *f, time_t when, char ret[PATH_MAX])
{
	struct text t = { 0 };
	struct conversion c;
	const char *from = f->pattern;
	size_t len;
	struct tm tm;

	for (const char *s = from; (s = next_conversion(s, &c)); s = from) {
		append(&t, from, (size_t)(s - from));
		put_conversion(&t, f, s, &c);
		from = s + c.len;
	}
	append(&t, from, strlen(from));
	// An empty result must not look like one that does not fit.
	append(&t, "/", 1);
	if (t.len == sizeof(t.buf) - 1 || !localtime_r(&when, &tm))
		return -ENAMETOOLONG;
	len = strftime(ret, PATH_MAX, t.buf, &tm);
	if (!len)
		return -ENAMETOOLONG;
	ret[len - 1] = 0;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rustname.h. */
#include "lib/rustname.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HASH_LEN 17 /* "h" and 16 digits */

/* ---- text ---- */

void rustname_put(struct rust_text *t, const char *s, size_t len)
{
	if (t->is_full || len >= RUSTNAME_SIZE - t->len) {
		t->is_full = true;
		return;
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = 0;
}

bool rustname_put_char(struct rust_text *t, unsigned long c)
{
	char s[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (c < ' ' || c == 0x7f || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return false;
	for (size_t i = n; i-- > 1; c >>= 6)
		s[i] = (char)(0x80 | (c & 0x3f));
	s[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xff) | c);
	rustname_put(t, s, n);
	return true;
}

/* ---- the older mangling ---- */

/* Reads the length of a part such as "3foo", and steps over it. NULL: there is none. */
static const char *read_part(const char *at, size_t *len)
{
	size_t n = 0, digits = strspn(at, "0123456789");

	if (!digits || digits > 5 || *at == '0')
		return NULL;
	for (; digits; digits--)
		n = n * 10 + (size_t)(*at++ - '0');
	*len = n;
	return strnlen(at, n) == n ? at : NULL;
}

static bool is_hash(const char *part, size_t len)
{
	size_t digits = 0;

	if (len != HASH_LEN || *part != 'h')
		return false;
	while (digits < len - 1 && isxdigit((unsigned char)part[1 + digits]) &&
	       !isupper((unsigned char)part[1 + digits]))
		digits++;
	return digits == len - 1;
}

/*
 * Puts the character of an escape, "$LT$" or "$u20$". Returns the escape's length; 0: it
 * is not one.
 */
static size_t put_escape(struct rust_text *t, const char *s, size_t len)
{
	static const struct {
		const char *escape, *sign;
	} all[] = { { "$SP$", "@" }, { "$BP$", "*" }, { "$RF$", "&" }, { "$LT$", "<" },
		    { "$GT$", ">" }, { "$LP$", "(" }, { "$RP$", ")" }, { "$C$", "," } };
	const char *end = memchr(s + 1, '$', len - 1);
	size_t n = end ? (size_t)(end - s) + 1 : 0;
	char *behind;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (n == strlen(all[i].escape) && !memcmp(s, all[i].escape, n)) {
			rustname_put(t, all[i].sign, 1);
			return n;
		}
	if (n < 4 || n > 9 || s[1] != 'u' || !isxdigit((unsigned char)s[2]))
		return 0;
	if (!rustname_put_char(t, strtoul(s + 2, &behind, 16)) || behind != end)
		return 0;
	return n;
}

static bool put_part(struct rust_text *t, const char *s, size_t len)
{
	if (len > 1 && !memcmp(s, "_$", 2)) { /* names begin with a letter */
		s++;
		len--;
	}
	while (len) {
		size_t n = 1;

		if (*s == '$') {
			n = put_escape(t, s, len);
			if (!n)
				return false;
		} else if (len > 1 && !memcmp(s, "..", 2)) {
			rustname_put(t, "::", 2);
			n = 2;
		} else {
			rustname_put(t, s, 1);
		}
		s += n;
		len -= n;
	}
	return true;
}

/* Demangles the text after "_ZN". */
static bool demangle_older(const char *at, struct rust_text *ret, const char **rest)
{
	size_t len = 0, parts = 0;

	while (*at != 'E') {
		const char *part = read_part(at, &len);

		if (!part)
			return false;
		at = part + len;
		if (*at == 'E')
			break;
		if (parts++)
			rustname_put(ret, "::", 2);
		if (!put_part(ret, part, len))
			return false;
	}
	*rest = at + 1;
	return parts && is_hash(at - len, len);
}

/* ---- both ---- */

/*
 * Puts the suffix of a copy, ".cold". Leaves out the number that LLVM appends to a local
 * name when it makes the name global.
 */
static bool put_suffix(struct rust_text *t, const char *rest)
{
	if (*rest && *rest != '.')
		return false;
	if (strncmp(rest, ".llvm.", strlen(".llvm.")))
		rustname_put(t, rest, strlen(rest));
	return !t->is_full;
}

bool rustname_demangle(const char *symbol, char ret[RUSTNAME_SIZE])
{
	struct rust_text text = { .s = ret };
	const char *rest = "";

	ret[0] = 0;
	if (!strncmp(symbol, "_R", 2))
		return rustv0_demangle(symbol + 2, &text, &rest) && put_suffix(&text, rest);
	return !strncmp(symbol, "_ZN", 3) && demangle_older(symbol + 3, &text, &rest) &&
	       put_suffix(&text, rest);
}

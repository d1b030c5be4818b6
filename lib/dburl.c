/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dburl.h. */
#include "lib/dburl.h"

#include <stdlib.h>
#include <string.h>

bool dburl_is(const char *to)
{
	return !strncmp(to, "postgresql:", 11) || !strncmp(to, "mysql:", 6) ||
	       !strncmp(to, "kafka:", 6);
}

/* Removes len bytes, and overwrites the bytes that become free at the end. */
static void dburl_remove(char *at, size_t len)
{
	size_t rest = strlen(at + len);

	memmove(at, at + len, rest);
	memset(at + rest, 0, len);
}

static int dburl_hex(char c)
{
	const char *digits = "0123456789abcdef", *d = c ? strchr(digits, c | 0x20) : NULL;

	return d ? (int)(d - digits) : -1;
}

/* Returns a copy of a part of the URL, with %XX decoded. */
static char *dburl_decode(const char *s, size_t len)
{
	char *ret = malloc(len + 1), *to = ret;

	for (size_t i = 0; ret && i < len; i++) {
		bool escaped = s[i] == '%' && i + 2 < len && dburl_hex(s[i + 1]) >= 0 &&
			       dburl_hex(s[i + 2]) >= 0;

		*to++ = escaped ? (char)(dburl_hex(s[i + 1]) << 4 | dburl_hex(s[i + 2])) : s[i];
		i += escaped ? 2 : 0;
	}
	if (ret)
		*to = 0;
	return ret;
}

/* True: the text up to the path is a port number. */
static bool dburl_is_port(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return !s[n] || strchr("/?#,", s[n]);
}

/* "//USER:PASSWORD@": the part after the colon. */
static char *dburl_of_user(char *to)
{
	char *user = strstr(to, "://"), *end, *colon;
	char *ret;

	if (!user)
		return NULL;
	user += 3;
	end = memrchr(user, '@', strcspn(user, "/?#"));
	colon = end ? memchr(user, ':', (size_t)(end - user)) : strchr(user, ':');
	// A '/' in a password is not valid in a URL: such a password is hidden as well.
	if (!end && colon && !dburl_is_port(colon + 1))
		end = strrchr(colon, '@');
	if (!colon || !end)
		return NULL;
	ret = dburl_decode(colon + 1, (size_t)(end - colon - 1));
	dburl_remove(colon, (size_t)(end - colon));
	return ret;
}

/* "?password=PASSWORD&": the parameter. */
static char *dburl_of_query(char *to)
{
	static const char key[] = "password=";
	char *query = strchr(to, '?'), *end, *ret;

	for (char *p = query; p; p = strchr(p + 1, '&')) {
		if (strncmp(p + 1, key, sizeof(key) - 1))
			continue;
		end = p + 1 + strcspn(p + 1, "&");
		ret = dburl_decode(p + sizeof(key), (size_t)(end - p) - sizeof(key));
		dburl_remove(*end ? p + 1 : p, (size_t)(end - p));
		return ret;
	}
	return NULL;
}

char *dburl_cut_password(char *to)
{
	char *first, *second;

	if (!dburl_is(to))
		return NULL;
	first = dburl_of_user(to);
	second = dburl_of_query(to);
	if (second)
		free(first);
	return second ? second : first;
}

bool dburl_hide_password(char *to)
{
	char *password = dburl_cut_password(to);
	bool had = password;

	if (password && *password)
		setenv(DBURL_PASSWORD, password, 1);
	if (password)
		memset(password, 0, strlen(password));
	free(password);
	return had;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See serverurl.h. */
#include "trace/sink/serverurl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/dburl.h"
#include "trace/messages.h"
#include "trace/series.h"
#include "trace/sink/dbserver.h"
#include "trace/sink/spool.h"

#define PATIENCE  60 /* s */
#define SPOOL_MIN (1u << 20)

/*
 * Removes a parameter from s->where. Returns its value, which the caller frees, or NULL.
 */
static char *take(struct dbserver *s, const char *name)
{
	size_t len = strlen(name);
	char *p = strchr(s->where, '?');

	for (; p; p = strchr(p + 1, '&')) {
		char *end = p + 1 + strcspn(p + 1, "&"), *ret;

		if (strncmp(p + 1, name, len) || p[1 + len] != '=')
			continue;
		ret = strndup(p + len + 2, (size_t)(end - p) - len - 2);
		if (*end)
			memmove(p + 1, end + 1, strlen(end));
		else
			*p = 0;
		return ret;
	}
	return NULL;
}

static bool wrong(const struct dbserver *s, const char *what)
{
	message_error("%s: %s; a database is named as in %s://USER@HOST/DATABASE", s->url, what,
		      s->dialect->kind);
	return false;
}

static bool take_wait(struct dbserver *s)
{
	char *text = take(s, "wait"), *end = NULL;

	s->patience = text ? (unsigned)strtoul(text, &end, 10) : PATIENCE;
	if (text &&
	    (!*text || *end || strspn(text, "0123456789") != strlen(text) || end - text > 8)) {
		free(text);
		return wrong(s, "wait is a number of seconds");
	}
	free(text);
	return true;
}

static bool take_spool(struct dbserver *s)
{
	char *text = take(s, "spool");
	struct rotation size = { .bytes = SPOOL_BOUND };
	const char *said = text ? series_parse_rotation(text, &size) : NULL;

	free(text);
	if (said || size.bytes < SPOOL_MIN)
		return wrong(s, "spool is a size of at least 1M, as 100M or 4G");
	if (s->run->spool)
		spool_set_bound(s->run->spool, size.bytes);
	return true;
}

static bool take_schema(struct dbserver *s)
{
	s->schema = take(s, "schema");
	if (s->schema &&
	    (!*s->schema ||
	     strspn(s->schema, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(s->schema) ||
	     strlen(s->schema) >= DBSERVER_NAME))
		return wrong(s, "a schema's name has lower-case letters, digits and '_'");
	if (s->schema && !s->dialect->has_schemas)
		return wrong(s, "it has no schemas, only databases");
	return true;
}

static bool take_keep(struct dbserver *s)
{
	char *text = take(s, "keep");
	bool is_number =
		text && *text && strlen(text) < 6 && strspn(text, "0123456789") == strlen(text);

	s->keep_days = is_number ? (unsigned)atoi(text) : 0;
	if (text && !s->keep_days) {
		free(text);
		return wrong(s, "keep is a number of days");
	}
	free(text);
	if (s->keep_days && !s->dialect->has_parts)
		return wrong(s, "only PostgreSQL can partition tables by days");
	return true;
}

bool serverurl_parse(struct dbserver *s, const char *where)
{
	const char *password = getenv(DBURL_PASSWORD);

	s->where = strdup(where);
	s->password = password ? strdup(password) : NULL;
	unsetenv(DBURL_PASSWORD);
	if (asprintf(&s->url, "%s:%s", s->dialect->kind, where) < 0)
		s->url = NULL;
	if (!s->where || !s->url || (password && !s->password)) {
		message_error("no memory");
		return false;
	}
	if (strncmp(where, "//", 2))
		return wrong(s, "not a URL");
	return take_wait(s) && take_spool(s) && take_keep(s) && take_schema(s);
}

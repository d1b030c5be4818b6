/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dbquery.h. */
#include "trace/sink/dbquery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dbquery_error(struct dbserver *s, const char *state, const char *text)
{
	size_t n = strcspn(text, "\n");

	snprintf(s->state, sizeof(s->state), "%s", state ? state : "");
	snprintf(s->error, sizeof(s->error), "%.*s", (int)(n < 400 ? n : 400), text);
	// The second line has more details of a failed connection.
	if (text[n] && text[n + 1] && n < 400) {
		const char *more = text + n + 1 + strspn(text + n + 1, " \t\n");

		snprintf(s->error + n, sizeof(s->error) - n, " %.*s", (int)strcspn(more, "\n"),
			 more);
	}
}

enum dbserver_result dbquery_no_memory(struct dbserver *s)
{
	dbquery_error(s, NULL, "no memory");
	return DBSERVER_REFUSED;
}

enum dbserver_result dbquery_run(struct dbserver *s, const char *sql)
{
	return s->dialect->run(s, sql, NULL, NULL, NULL);
}

enum dbserver_result dbquery_run_text(struct dbserver *s, struct dbtext *sql,
				      void (*fn)(void *ctx, char **columns), void *ctx,
				      int64_t *changed)
{
	enum dbserver_result rc;

	dbtext_put(sql, "", 1);
	rc = sql->no_memory ? dbquery_no_memory(s) : s->dialect->run(s, sql->s, fn, ctx, changed);
	free(sql->s);
	return rc;
}

static void take_number(void *ctx, char **columns)
{
	*(int64_t *)ctx = columns[0] ? strtoll(columns[0], NULL, 10) : 0;
}

enum dbserver_result dbquery_ask_number(struct dbserver *s, struct dbtext *sql, int64_t *ret)
{
	*ret = 0;
	return dbquery_run_text(s, sql, take_number, ret, NULL);
}

enum dbserver_result dbquery_alone(struct dbserver *s,
				   enum dbserver_result (*fn)(struct dbserver *s, void *what),
				   void *what)
{
	enum dbserver_result rc = dbquery_run(s, s->dialect->lock), after;

	if (rc != DBSERVER_DONE)
		return rc;
	rc = fn(s, what);
	if (rc == DBSERVER_AWAY)
		return rc; // the lock ends with the connection
	after = dbquery_run(s, s->dialect->unlock);
	return rc == DBSERVER_DONE ? after : rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dbdays.h. */
#include "trace/sink/dbdays.h"
#include "trace/sink/dbquery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_NS	 86400000000000
#define DAY_S	 86400
#define DAY_TEXT 24 /* bytes of a day's text, with its NUL */
/*
 * "@2026-11-25" is appended to the name of a host's partition, which leaves room for it.
 */
#define DAY_TAIL 11

bool dbdays_are_for(const struct dbserver *s, const struct dbserver_table *t)
{
	return s->keep_days && t->at;
}

/* Stores the day as SQL writes it. Years are limited by 64 bits of nanoseconds. */
static void day_text(int64_t day, char ret[DAY_TEXT])
{
	time_t at = (time_t)day * DAY_S;
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(ret, DAY_TEXT, "%Y-%m-%d", &tm);
}

/* ---- tables ---- */

enum dbserver_result dbdays_check(struct dbserver *s, const struct dbserver_table *t)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;
	int64_t n;

	if (!s->dialect->has_parts || !t->at)
		return DBSERVER_DONE;
	dbtext_put_string(&sql, "SELECT count(*) FROM pg_class JOIN pg_namespace n "
				"ON n.oid = relnamespace WHERE relkind = 'p' AND nspname = "
				"current_schema() AND relname = ");
	dbtext_put_constant(&sql, t->name);
	rc = dbquery_ask_number(s, &sql, &n);
	if (rc != DBSERVER_DONE || !n == !s->keep_days)
		return rc;
	snprintf(s->error, sizeof(s->error),
		 n ? "its table \"%s\" is partitioned by days: add keep=DAYS to the URL, or name "
		     "another schema, as in ?schema=NAME"
		   : "its table \"%s\" is not partitioned by days: without keep=DAYS it can be "
		     "used, or name another schema, as in ?schema=NAME",
		 t->name);
	*s->state = 0;
	return DBSERVER_REFUSED;
}

void dbdays_put_kind(const struct dbserver_table *t, struct dbtext *sql)
{
	dbtext_put_string(sql, " PARTITION BY LIST (");
	dbtext_put_name(sql, t->columns[1].name);
	dbtext_put_string(sql, ")");
}

/* ---- the days of rows ---- */

void dbdays_note(struct dbserver_table *t, const struct database_value *values)
{
	int64_t ns = values[t->at - t->nown].number, day = ns / DAY_NS - (ns % DAY_NS < 0);
	struct dbdays_day *days;

	for (unsigned i = t->ndays; i > 0; i--)
		if (t->days[i - 1].day == day)
			return;
	days = realloc(t->days, (t->ndays + 1) * sizeof(*days));
	t->rows.no_memory |= !days;
	if (!days)
		return;
	t->days = days;
	days[t->ndays++] = (struct dbdays_day){ .day = day };
}

void dbdays_forget(struct dbserver *s)
{
	for (struct dbserver_table *t = s->tables; t; t = t->next)
		for (unsigned i = 0; i < t->ndays; i++)
			t->days[i].is_made = false;
}

void dbdays_free(struct dbserver_table *t)
{
	free(t->days);
}

/* ---- partitions ---- */

static void host_part(const struct dbserver *s, const struct dbserver_table *t,
		      char ret[DBSERVER_NAME])
{
	char whole[DBSERVER_NAME + 256];

	snprintf(whole, sizeof(whole), "%s@%s", t->name, s->run->host);
	dbtext_fit(whole, DBSERVER_NAME - DAY_TAIL, ret);
}

/* Creates the partition of the host if it does not exist. */
static enum dbserver_result make_host(struct dbserver *s, struct dbserver_table *t,
				      const char *part)
{
	struct dbtext sql = { 0 };

	dbtext_put_string(&sql, "CREATE TABLE IF NOT EXISTS ");
	dbtext_put_name(&sql, part);
	dbtext_put_string(&sql, " PARTITION OF ");
	dbtext_put_name(&sql, t->name);
	dbtext_put_string(&sql, " FOR VALUES IN (");
	dbtext_put_constant(&sql, s->run->host);
	dbtext_put_string(&sql, ") PARTITION BY RANGE (");
	dbtext_put_name(&sql, t->columns[t->at].name);
	dbtext_put_string(&sql, ")");
	return dbquery_run_text(s, &sql, NULL, NULL, NULL);
}

static enum dbserver_result make_day(struct dbserver *s, const char *part, int64_t day)
{
	char name[DBSERVER_NAME + DAY_TEXT], from[DAY_TEXT], to[DAY_TEXT], range[128];
	struct dbtext sql = { 0 };

	day_text(day, from);
	day_text(day + 1, to);
	snprintf(name, sizeof(name), "%s@%s", part, from);
	dbtext_put_string(&sql, "CREATE TABLE IF NOT EXISTS ");
	dbtext_put_name(&sql, name);
	dbtext_put_string(&sql, " PARTITION OF ");
	dbtext_put_name(&sql, part);
	snprintf(range, sizeof(range), " FOR VALUES FROM ('%s 00:00+00') TO ('%s 00:00+00')", from,
		 to);
	dbtext_put_string(&sql, range);
	return dbquery_run_text(s, &sql, NULL, NULL, NULL);
}

static enum dbserver_result make_table(struct dbserver *s, struct dbserver_table *t)
{
	char part[DBSERVER_NAME];
	enum dbserver_result rc;

	host_part(s, t, part);
	rc = make_host(s, t, part);
	for (unsigned i = 0; rc == DBSERVER_DONE && i < t->ndays; i++) {
		if (t->days[i].is_made)
			continue;
		rc = make_day(s, part, t->days[i].day);
		t->days[i].is_made = rc == DBSERVER_DONE;
	}
	return rc;
}

static bool lacks_days(const struct dbserver_table *t)
{
	for (unsigned i = 0; i < t->ndays; i++)
		if (!t->days[i].is_made)
			return true;
	return false;
}

/* ---- old days ---- */

struct names {
	char (*data)[DBSERVER_NAME];
	size_t count;
};

static void take_name(void *ctx, char **columns)
{
	struct names *n = ctx;
	void *data = realloc(n->data, (n->count + 1) * sizeof(*n->data));

	if (!data)
		return; /* the next run that drops days finds it */
	n->data = data;
	snprintf(n->data[n->count++], DBSERVER_NAME, "%s", columns[0]);
}

/* Finds partitions of old days of all hosts: some hosts never send again. */
static enum dbserver_result find_old(struct dbserver *s, struct names *ret)
{
	struct dbtext sql = { 0 };
	char before[DAY_TEXT];

	day_text(time(NULL) / DAY_S - s->keep_days, before);
	dbtext_put_string(&sql, "SELECT relname FROM pg_class JOIN pg_namespace n "
				"ON n.oid = relnamespace WHERE nspname = current_schema() AND "
				"relispartition AND relkind = 'r' AND pg_has_role(relowner, "
				"'USAGE') AND relname ~ '@[0-9]{4}-[0-9]{2}-[0-9]{2}$' AND "
				"right(relname, 10) < ");
	dbtext_put_constant(&sql, before);
	return dbquery_run_text(s, &sql, take_name, ret, NULL);
}

/*
 * Drops old days. A day that somebody is reading is left for later: the run continues
 * either way.
 */
static enum dbserver_result drop_old(struct dbserver *s)
{
	struct names old = { 0 };
	enum dbserver_result rc = dbquery_run(s, "SET lock_timeout = '2s'");

	if (rc == DBSERVER_DONE)
		rc = find_old(s, &old);
	for (size_t i = 0; rc == DBSERVER_DONE && s->connection && i < old.count; i++) {
		struct dbtext sql = { 0 };

		dbtext_put_string(&sql, "DROP TABLE IF EXISTS ");
		dbtext_put_name(&sql, old.data[i]);
		dbquery_run_text(s, &sql, NULL, NULL, NULL);
	}
	free(old.data);
	if (!s->connection)
		return DBSERVER_AWAY;
	return rc == DBSERVER_DONE ? dbquery_run(s, "RESET lock_timeout") : rc;
}

static enum dbserver_result make_all(struct dbserver *s, void *unused)
{
	enum dbserver_result rc = drop_old(s);

	for (struct dbserver_table *t = s->tables; rc == DBSERVER_DONE && t; t = t->next)
		if (lacks_days(t))
			rc = make_table(s, t);
	return rc;
}

enum dbserver_result dbdays_make(struct dbserver *s)
{
	for (const struct dbserver_table *t = s->tables; t; t = t->next)
		if (lacks_days(t))
			return dbquery_alone(s, make_all, NULL);
	return DBSERVER_DONE;
}

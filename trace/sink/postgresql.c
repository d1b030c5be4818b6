/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PostgreSQL, by libpq: COPY in binary format sends the rows. No call waits for ever for
 * a silent server: its connection counts as lost.
 */
#include "trace/messages.h"
#include "trace/sink/database.h"
#include "trace/sink/tabular.h"

#ifdef HAVE_POSTGRESQL

#include <endian.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/sink/dbquery.h"
#include "trace/sink/dbserver.h"

#define SILENCE_S 90		  /* more than the server's own limits below */
#define EPOCH_US  946684800000000 /* 2000-01-01, µs since 1970 */
#define PIECE	  65536u

/* ---- rows ---- */

static void put_16(char *to, uint16_t n)
{
	n = htobe16(n);
	memcpy(to, &n, sizeof(n));
}

static void put_32(char *to, uint32_t n)
{
	n = htobe32(n);
	memcpy(to, &n, sizeof(n));
}

static void put_64(char *to, uint64_t n)
{
	n = htobe64(n);
	memcpy(to, &n, sizeof(n));
}

static size_t width_of(enum database_type type)
{
	return type == DATABASE_INT8 || type == DATABASE_INT16 ? 2 : type == DATABASE_INT32 ? 4 : 8;
}

static void put_number(struct dbtext *b, enum database_type type, int64_t n)
{
	size_t width = width_of(type);
	char *to = dbtext_room(b, 4 + width);

	if (!to)
		return;
	if (type == DATABASE_INSTANT)
		n = n / 1000 - EPOCH_US;
	put_32(to, (uint32_t)width);
	if (width == 8)
		put_64(to + 4, (uint64_t)n);
	else if (width == 4)
		put_32(to + 4, (uint32_t)n);
	else
		put_16(to + 4, (uint16_t)n);
	b->len += 4 + width;
}

static void put_value(struct dbtext *b, enum database_type type, const struct database_value *v)
{
	size_t at = b->len;
	char length[4];

	put_32(length, v->is_null ? UINT32_MAX : v->len);
	if (v->is_null) {
		dbtext_put(b, length, sizeof(length));
	} else if (type == DATABASE_BYTES) {
		dbtext_put(b, length, sizeof(length));
		dbtext_put(b, v->s, v->len);
	} else if (type == DATABASE_TEXT || type == DATABASE_NAME) {
		dbtext_put(b, length, sizeof(length));
		dbtext_put_text(b, v->s, v->len);
		if (!b->no_memory)
			put_32(b->s + at, (uint32_t)(b->len - at - 4));
	} else {
		put_number(b, type, v->number);
	}
}

static void encode(struct dbserver *s, struct dbserver_table *t, const struct database_value *v)
{
	char head[2];

	put_16(head, (uint16_t)t->ncolumns);
	dbtext_put(&t->rows, head, sizeof(head));
	put_number(&t->rows, DATABASE_INT64, s->number);
	if (t->nown > 1)
		put_value(&t->rows, DATABASE_NAME,
			  &(struct database_value){ .s = s->run->host,
						    .len = (uint32_t)strlen(s->run->host) });
	for (unsigned i = t->nown; i < t->ncolumns; i++)
		put_value(&t->rows, t->columns[i].type, &v[i - t->nown]);
}

/* ---- errors ---- */

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* True: a later attempt may succeed. */
static bool is_passing(const char *state)
{
	static const char *const classes[] = {
		"08",	 /* the connection */
		"25006", /* read-only: a standby, for now */
		"40",	 /* rolled back: it clashed with another */
		"53",	 /* no room, no memory, too many connections */
		"57",	 /* shut down, starting up, a statement took too long */
		"58",	 /* files */
		"55P03", /* a lock */
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (begins(state, classes[i]))
			return true;
	return false;
}

static enum dbserver_result failed(struct dbserver *s, const PGresult *r)
{
	const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
	const char *text = r ? PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY) : NULL;

	dbquery_error(s, state, text ? text : PQerrorMessage(s->connection));
	return PQstatus(s->connection) != CONNECTION_OK || !state || is_passing(state)
		       ? DBSERVER_AWAY
		       : DBSERVER_REFUSED;
}

static const char *remedy(const struct dbserver *s)
{
	static const struct {
		const char *state, *text, *remedy;
	} rows[] = {
		{ "3D000", "", "createdb creates one" },
		{ "42501", "",
		  "its owner gives the right by GRANT CREATE, USAGE ON SCHEMA and GRANT "
		  "INSERT, SELECT, UPDATE ON the tables" },
		{ "25006", "", "it is a standby: name the primary" },
		{ "", "no password",
		  "a line HOST:PORT:DATABASE:USER:PASSWORD in ~/.pgpass has it" },
		{ "", "password auth",
		  "the password in ~/.pgpass, $PGPASSWORD or the URL is not accepted" },
		{ "", "does not exist", "createdb and createuser create what is missing" },
		{ "", "pg_hba", "the server's pg_hba.conf lets hosts and users in" },
		{ "", "Peer authentication",
		  "the server accepts this user only from the account "
		  "of that name" },
		{ "", "could not translate", "is the host's name right?" },
		{ "", "refused", "does the server run there? Check with pg_isready" },
		{ "", "No such file", "does the server run there? Check with pg_isready" },
		{ "", "timeout", "does the server run there? Check with pg_isready" },
		{ "", "invalid", "a database is named as in postgresql://USER@HOST/DATABASE" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((!*rows[i].state || !strcmp(rows[i].state, s->state)) &&
		    strstr(s->error, rows[i].text))
			return rows[i].remedy;
	return NULL;
}

/* ---- waiting ---- */

static enum dbserver_result silent(struct dbserver *s)
{
	dbquery_error(s, NULL, "it says nothing");
	PQfinish(s->connection);
	s->connection = NULL;
	return DBSERVER_AWAY;
}

/* Waits until the connection is ready. */
static bool wait_for(struct dbserver *s, short events)
{
	struct pollfd p = { .fd = PQsocket(s->connection), .events = events };

	return poll(&p, 1, SILENCE_S * 1000) > 0;
}

/* Sends libpq's pending output, and reads the input that arrives meanwhile. */
static enum dbserver_result send_rest(struct dbserver *s)
{
	int rc;

	while ((rc = PQflush(s->connection)) > 0)
		if (!wait_for(s, POLLIN | POLLOUT))
			return silent(s);
		else if (!PQconsumeInput(s->connection))
			return failed(s, NULL);
	return rc ? failed(s, NULL) : DBSERVER_DONE;
}

static enum dbserver_result next_result(struct dbserver *s, PGresult **ret)
{
	enum dbserver_result rc = send_rest(s);

	*ret = NULL;
	if (rc != DBSERVER_DONE)
		return rc;
	while (PQisBusy(s->connection))
		if (!wait_for(s, POLLIN))
			return silent(s);
		else if (!PQconsumeInput(s->connection))
			return failed(s, NULL);
	*ret = PQgetResult(s->connection);
	return DBSERVER_DONE;
}

/* ---- statements ---- */

static void give_rows(const PGresult *r, void (*fn)(void *ctx, char **columns), void *ctx)
{
	char *columns[8];

	for (int i = 0; i < PQntuples(r); i++) {
		for (int k = 0; k < PQnfields(r) && k < 8; k++)
			columns[k] = PQgetisnull(r, i, k) ? NULL : PQgetvalue(r, i, k);
		fn(ctx, columns);
	}
}

/* Takes all results of a statement, or of the end of a COPY. */
static enum dbserver_result take_results(struct dbserver *s, void (*fn)(void *ctx, char **columns),
					 void *ctx, int64_t *changed)
{
	enum dbserver_result rc = DBSERVER_DONE, got;
	PGresult *r;

	while ((got = next_result(s, &r)) == DBSERVER_DONE && r) {
		ExecStatusType status = PQresultStatus(r);

		if (status == PGRES_TUPLES_OK && fn)
			give_rows(r, fn, ctx);
		else if (status == PGRES_COMMAND_OK && changed)
			*changed = strtoll(PQcmdTuples(r), NULL, 10);
		else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
			rc = failed(s, r);
		PQclear(r);
		if (rc == DBSERVER_AWAY && PQstatus(s->connection) != CONNECTION_OK)
			return rc;
	}
	return got == DBSERVER_DONE ? rc : got;
}

static enum dbserver_result run(struct dbserver *s, const char *sql,
				void (*fn)(void *ctx, char **columns), void *ctx, int64_t *changed)
{
	if (!PQsendQuery(s->connection, sql))
		return failed(s, NULL);
	return take_results(s, fn, ctx, changed);
}

/* ---- COPY ---- */

static enum dbserver_result begin_copy(struct dbserver *s, const struct dbserver_table *t)
{
	static const char end[] = ") FROM STDIN (FORMAT binary)";
	struct dbtext sql = { 0 };
	enum dbserver_result rc;
	PGresult *r = NULL;

	dbtext_put(&sql, "COPY ", 5);
	dbtext_put_name(&sql, t->name);
	for (unsigned i = 0; i < t->ncolumns; i++) {
		dbtext_put(&sql, i ? "," : "(", 1);
		dbtext_put_name(&sql, t->columns[i].name);
	}
	dbtext_put(&sql, end, sizeof(end));
	rc = !sql.no_memory && PQsendQuery(s->connection, sql.s) ? next_result(s, &r)
								 : failed(s, NULL);
	free(sql.s);
	if (rc == DBSERVER_DONE && PQresultStatus(r) != PGRES_COPY_IN) {
		rc = failed(s, r);
		take_results(s, NULL, NULL, NULL);
	}
	PQclear(r);
	return rc;
}

static enum dbserver_result copy(struct dbserver *s, const char *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		int n = (int)(len - at < PIECE ? len - at : PIECE);
		int rc = PQputCopyData(s->connection, bytes + at, n);

		if (rc < 0)
			return failed(s, NULL);
		if (rc > 0) {
			at += (size_t)n;
			continue;
		}
		if (!wait_for(s, POLLIN | POLLOUT))
			return silent(s);
		if (!PQconsumeInput(s->connection))
			return failed(s, NULL);
	}
	return DBSERVER_DONE;
}

static enum dbserver_result end_copy(struct dbserver *s)
{
	int rc;

	while (!(rc = PQputCopyEnd(s->connection, NULL)))
		if (!wait_for(s, POLLOUT))
			return silent(s);
	return rc < 0 ? failed(s, NULL) : take_results(s, NULL, NULL, NULL);
}

static enum dbserver_result load(struct dbserver *s, struct dbserver_table *t)
{
	static const char head[19] = "PGCOPY\n\377\r\n\0", end[2] = { '\377', '\377' };
	enum dbserver_result rc = begin_copy(s, t);

	if (rc == DBSERVER_DONE)
		rc = copy(s, head, sizeof(head));
	if (rc == DBSERVER_DONE)
		rc = copy(s, t->rows.s, t->rows.len);
	if (rc == DBSERVER_DONE)
		rc = copy(s, end, sizeof(end));
	return rc == DBSERVER_DONE ? end_copy(s) : rc;
}

/* ---- connections ---- */

static void disconnect(struct dbserver *s)
{
	PQfinish(s->connection);
	s->connection = NULL;
}

static void ignore_notice(void *ctx, const PGresult *r)
{
}

/* True: there is a server, which will soon accept connections again. */
static bool is_between(const char *error)
{
	return strstr(error, "terminating connection") || strstr(error, "starting up") ||
	       strstr(error, "shutting down") || strstr(error, "recovery mode");
}

/* Connects. Waits for a silent server at most connect_timeout. */
static enum dbserver_result start(struct dbserver *s)
{
	static const char *const names[] = { "dbname",
					     "connect_timeout",
					     "application_name",
					     "client_encoding",
					     "options",
					     "password",
					     NULL };
	char *url = NULL;
	const char *values[] = { NULL, "10", "stap", "UTF8", NULL, s->password, NULL };

	if (asprintf(&url, "postgresql:%s", s->where) < 0)
		return DBSERVER_REFUSED;
	// Parameters after the URL would take precedence: the URL may set these itself.
	values[0] = url;
	if (strstr(url, "connect_timeout="))
		values[1] = NULL;
	s->connection = PQconnectdbParams(names, values, 1);
	free(url);
	if (PQstatus(s->connection) == CONNECTION_OK)
		return DBSERVER_DONE;
	dbquery_error(s, NULL, PQerrorMessage(s->connection));
	s->was_there |= is_between(s->error);
	return DBSERVER_AWAY;
}

static enum dbserver_result connect(struct dbserver *s)
{
	static const char setup[] =
		"SET statement_timeout = '60s'; SET standard_conforming_strings = on; "
		"SET datestyle = ISO; SET client_min_messages = warning";
	enum dbserver_result rc = start(s);
	const char *encoding;

	if (rc != DBSERVER_DONE)
		return rc;
	PQsetNoticeReceiver(s->connection, ignore_notice, NULL);
	PQsetnonblocking(s->connection, 1);
	encoding = PQparameterStatus(s->connection, "server_encoding");
	if (encoding && strcmp(encoding, "UTF8") && strcmp(encoding, "SQL_ASCII")) {
		snprintf(s->error, sizeof(s->error),
			 "its encoding is %s, which cannot represent all texts: createdb -E "
			 "UTF8 "
			 "-T template0 makes one",
			 encoding);
		return DBSERVER_REFUSED;
	}
	return run(s, setup, NULL, NULL, NULL);
}

static const struct dbserver_dialect postgresql_dialect = {
	.kind = "postgresql",
	.batch_bytes = 8u << 20,
	.types = { [DATABASE_INT8] = "SMALLINT",
		   [DATABASE_INT16] = "SMALLINT",
		   [DATABASE_INT32] = "INTEGER",
		   [DATABASE_INT64] = "BIGINT",
		   [DATABASE_NAME] = "TEXT",
		   [DATABASE_TEXT] = "TEXT",
		   [DATABASE_BYTES] = "BYTEA",
		   [DATABASE_INSTANT] = "TIMESTAMPTZ" },
	.type_names = { [DATABASE_INT8] = "smallint",
			[DATABASE_INT16] = "smallint",
			[DATABASE_INT32] = "integer",
			[DATABASE_INT64] = "bigint",
			[DATABASE_NAME] = "text",
			[DATABASE_TEXT] = "text",
			[DATABASE_BYTES] = "bytea",
			[DATABASE_INSTANT] = "timestamp with time zone" },
	.schema = "current_schema()",
	.lock = "SELECT pg_advisory_lock(hashtext('stap'))",
	.unlock = "SELECT pg_advisory_unlock(hashtext('stap'))",
	.runs = "CREATE TABLE IF NOT EXISTS stap_runs ("
		"run BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, host TEXT NOT NULL, "
		"module TEXT NOT NULL, time BIGINT NOT NULL, realtime BIGINT NOT NULL, "
		"stored BIGINT NOT NULL DEFAULT 0, stored_check BIGINT NOT NULL DEFAULT 0, "
		"is_complete BOOLEAN NOT NULL DEFAULT false, UNIQUE (realtime, time, host, "
		"module))",
	.insert = "INSERT",
	.or_ignore = " ON CONFLICT DO NOTHING",
	.has_schemas = true,
	.has_parts = true,
	.connect = connect,
	.disconnect = disconnect,
	.run = run,
	.encode = encode,
	.load = load,
	.remedy = remedy,
};

DBSERVER_DATABASE(postgresql, "PostgreSQL")

#else

DATABASE_ABSENT(postgresql, "PostgreSQL", "libpq", "Debian: libpq-dev, Fedora: libpq-devel",
		.is_shared = true);

#endif

TABULAR_SINK(postgresql, true)

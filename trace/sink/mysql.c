/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MySQL and MariaDB, by libmariadb: each INSERT sends many rows. The settings of our
 * connections put names in double quotes and make backslashes ordinary characters.
 * ~/.my.cnf is read.
 */
#include "trace/messages.h"
#include "trace/sink/database.h"
#include "trace/sink/tabular.h"

#ifdef HAVE_MYSQL

#include <errmsg.h>
#include <inttypes.h>
#include <mysql.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/sink/dbquery.h"
#include "trace/sink/dbserver.h"
#include "trace/sink/serverurl.h"

#define CONNECT_S 10
#define SILENCE_S 90 /* more than the server waits for a lock */

/* ---- rows ---- */

static void put_instant(struct dbtext *b, int64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	char text[64], whole[32];
	struct tm tm;

	if (ns < 0 || !gmtime_r(&seconds, &tm) || tm.tm_year > 8000) {
		dbtext_put_string(b, "NULL");
		return;
	}
	strftime(whole, sizeof(whole), "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text, sizeof(text), "'%s.%06d'", whole, (int)(ns / 1000 % 1000000));
	dbtext_put_string(b, text);
}

/* Puts a text with its quotes doubled. */
static void put_text(struct dbtext *b, const char *s, size_t len)
{
	dbtext_put_string(b, "'");
	for (const char *end = s + len; s < end;) {
		const char *quote = memchr(s, '\'', (size_t)(end - s));
		size_t n = (size_t)((quote ? quote + 1 : end) - s);

		dbtext_put_text(b, s, n);
		if (quote)
			dbtext_put_string(b, "'");
		s += n;
	}
	dbtext_put_string(b, "'");
}

static void put_bytes(struct dbtext *b, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *to;

	dbtext_put_string(b, "x'");
	to = dbtext_room(b, len * 2);
	for (size_t i = 0; to && i < len; i++) {
		*to++ = digits[(uint8_t)s[i] >> 4];
		*to++ = digits[s[i] & 15];
	}
	b->len += to ? len * 2 : 0;
	dbtext_put_string(b, "'");
}

static void put_number(struct dbtext *b, int64_t n)
{
	char text[24];

	dbtext_put(b, text, (size_t)snprintf(text, sizeof(text), "%" PRId64, n));
}

static void encode(struct dbserver *s, struct dbserver_table *t, const struct database_value *v)
{
	struct dbtext *b = &t->rows;

	dbtext_put_string(b, "(");
	put_number(b, s->number);
	for (unsigned i = 1; i < t->ncolumns; i++, v++) {
		enum database_type type = t->columns[i].type;

		dbtext_put_string(b, ",");
		if (v->is_null)
			dbtext_put_string(b, "NULL");
		else if (type == DATABASE_INSTANT)
			put_instant(b, v->number);
		else if (type == DATABASE_BYTES)
			put_bytes(b, v->s, v->len);
		else if (type == DATABASE_TEXT || type == DATABASE_NAME)
			put_text(b, v->s, v->len);
		else
			put_number(b, v->number);
	}
	// Every row ends with a comma, wherever it is; the last comma is not sent.
	dbtext_put_string(b, "),");
}

/* ---- errors ---- */

static enum dbserver_result failed(struct dbserver *s)
{
	static const unsigned passing[] = {
		ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK,	    ER_SERVER_SHUTDOWN,
		ER_CON_COUNT_ERROR,   ER_DISK_FULL,	    ER_OPTION_PREVENTS_STATEMENT,
		ER_QUERY_INTERRUPTED, ER_CONNECTION_KILLED, ER_NORMAL_SHUTDOWN,
		ER_RECORD_FILE_FULL,  ER_OUTOFMEMORY,
	};
	unsigned number = mysql_errno(s->connection);

	dbquery_error(s, mysql_sqlstate(s->connection), mysql_error(s->connection));
	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (number == passing[i])
			return DBSERVER_AWAY;
	return number >= CR_MIN_ERROR && number <= CR_MAX_ERROR ? DBSERVER_AWAY : DBSERVER_REFUSED;
}

static const char *remedy(const struct dbserver *s)
{
	static const char *const rows[][2] = {
		{ "using password: NO", "[client] in ~/.my.cnf, or the URL, has the password" },
		{ "using password: YES",
		  "the password in the URL or in ~/.my.cnf is not accepted" },
		{ "command denied",
		  "GRANT CREATE, ALTER, INDEX, INSERT, SELECT, UPDATE gives the right" },
		{ "Access denied", "GRANT ALL ON DATABASE.* gives the right" },
		{ "Unknown database", "CREATE DATABASE creates one" },
		{ "connect to", "does the server run there? Check with mysqladmin ping" },
		{ "Unknown server host", "is the host's name right?" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strstr(s->error, rows[i][0]))
			return rows[i][1];
	return NULL;
}

/* ---- statements ---- */

static enum dbserver_result take_rows(struct dbserver *s, void (*fn)(void *ctx, char **columns),
				      void *ctx)
{
	MYSQL_RES *r = mysql_store_result(s->connection);
	MYSQL_ROW row;

	if (!r)
		return mysql_errno(s->connection) ? failed(s) : DBSERVER_DONE;
	while ((row = mysql_fetch_row(r)))
		if (fn)
			fn(ctx, row);
	mysql_free_result(r);
	return DBSERVER_DONE;
}

static enum dbserver_result run(struct dbserver *s, const char *sql,
				void (*fn)(void *ctx, char **columns), void *ctx, int64_t *changed)
{
	if (mysql_real_query(s->connection, sql, strlen(sql)))
		return failed(s);
	if (changed)
		*changed = (int64_t)mysql_affected_rows(s->connection);
	return take_rows(s, fn, ctx);
}

static enum dbserver_result load(struct dbserver *s, struct dbserver_table *t)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;

	dbtext_put_string(&sql, "INSERT INTO ");
	dbtext_put_name(&sql, t->name);
	for (unsigned i = 0; i < t->ncolumns; i++) {
		dbtext_put_string(&sql, i ? "," : " (");
		dbtext_put_name(&sql, t->columns[i].name);
	}
	dbtext_put_string(&sql, ") VALUES ");
	dbtext_put(&sql, t->rows.s, t->rows.len - 1);
	if (sql.no_memory) {
		dbquery_error(s, NULL, "no memory");
		rc = DBSERVER_REFUSED;
	} else {
		rc = mysql_real_query(s->connection, sql.s, sql.len) ? failed(s) : DBSERVER_DONE;
	}
	free(sql.s);
	return rc;
}

/* ---- connections ---- */

static void disconnect(struct dbserver *s)
{
	if (s->connection)
		mysql_close(s->connection);
	s->connection = NULL;
}

/* The target of a URL; the members are parts of `text`. */
struct target {
	char *text, *user, *host, *database, *socket;
	unsigned port;
};

static void cut_port(struct target *t)
{
	char *colon = *t->host == '[' ? strstr(t->host, "]:") : strchr(t->host, ':');

	if (*t->host == '[') {
		t->host++;
		t->host[strcspn(t->host, "]")] = 0;
		colon = colon ? colon + 1 : NULL;
	}
	if (!colon)
		return;
	*colon = 0;
	t->port = (unsigned)strtoul(colon + 1, NULL, 10);
}

/* "//USER@HOST:PORT/DATABASE?socket=FILE". False: it has another form. */
static bool cut_target(struct dbserver *s, struct target *t)
{
	char *path, *rest, *at;

	t->text = strdup(s->where + 2);
	if (!t->text)
		return false;
	rest = strchr(t->text, '?');
	if (rest) {
		*rest++ = 0;
		t->socket = strncmp(rest, "socket=", 7) || strchr(rest, '&') ? NULL : rest + 7;
	}
	path = strchr(t->text, '/');
	if (!path || !path[1] || strchr(path + 1, '/') || (rest && *rest && !t->socket))
		return false;
	*path = 0;
	t->database = path + 1;
	at = strrchr(t->text, '@');
	t->host = at ? at + 1 : t->text;
	if (at) {
		*at = 0;
		t->user = t->text;
	}
	cut_port(t);
	return true;
}

static bool set_up(MYSQL *m)
{
	static const unsigned connect_s = CONNECT_S, silence_s = SILENCE_S;

	return !mysql_options(m, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s) &&
	       !mysql_options(m, MYSQL_OPT_READ_TIMEOUT, &silence_s) &&
	       !mysql_options(m, MYSQL_OPT_WRITE_TIMEOUT, &silence_s) &&
	       !mysql_options(m, MYSQL_SET_CHARSET_NAME, "utf8mb4") &&
	       !mysql_options(m, MYSQL_READ_DEFAULT_GROUP, "client");
}

static enum dbserver_result start(struct dbserver *s, const struct target *t)
{
	s->connection = mysql_init(NULL);
	if (!s->connection || !set_up(s->connection)) {
		dbquery_error(s, NULL, "no memory");
		return DBSERVER_REFUSED;
	}
	if (mysql_real_connect(s->connection, *t->host ? t->host : NULL, t->user, s->password,
			       t->database, t->port, t->socket, 0))
		return DBSERVER_DONE;
	failed(s);
	s->was_there |= mysql_errno(s->connection) == CR_SERVER_LOST;
	return DBSERVER_AWAY;
}

static enum dbserver_result connect(struct dbserver *s)
{
	static const char setup[] =
		"SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES', "
		"time_zone = '+00:00', innodb_lock_wait_timeout = 50";
	static const char level[] = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED";
	struct target t = { 0 };
	enum dbserver_result rc = DBSERVER_REFUSED;

	if (cut_target(s, &t))
		rc = start(s, &t);
	else
		dbquery_error(s, NULL,
			      "a database is named as in mysql://USER@HOST/DATABASE, with "
			      "?socket=FILE where it needs one");
	free(t.text);
	if (rc == DBSERVER_DONE)
		rc = run(s, setup, NULL, NULL, NULL);
	return rc == DBSERVER_DONE ? run(s, level, NULL, NULL, NULL) : rc;
}

#define OWN_KIND " ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"

static const struct dbserver_dialect mysql_dialect = {
	.kind = "mysql",
	.batch_bytes = 4u << 20, // for a statement: servers accept 16 MB
	.types = { [DATABASE_INT8] = "SMALLINT",
		   [DATABASE_INT16] = "SMALLINT",
		   [DATABASE_INT32] = "INT",
		   [DATABASE_INT64] = "BIGINT",
		   [DATABASE_NAME] = "LONGTEXT",
		   [DATABASE_TEXT] = "LONGTEXT",
		   [DATABASE_BYTES] = "LONGBLOB",
		   [DATABASE_INSTANT] = "DATETIME(6)" },
	.type_names = { [DATABASE_INT8] = "smallint",
			[DATABASE_INT16] = "smallint",
			[DATABASE_INT32] = "int",
			[DATABASE_INT64] = "bigint",
			[DATABASE_NAME] = "longtext",
			[DATABASE_TEXT] = "longtext",
			[DATABASE_BYTES] = "longblob",
			[DATABASE_INSTANT] = "datetime" },
	.schema = "schema()",
	.lock = "SELECT GET_LOCK('stap', 60)",
	.unlock = "SELECT RELEASE_LOCK('stap')",
	.runs = "CREATE TABLE IF NOT EXISTS stap_runs (run BIGINT AUTO_INCREMENT PRIMARY KEY, "
		"host VARCHAR(255) NOT NULL, module VARCHAR(255) NOT NULL, time BIGINT NOT NULL, "
		"realtime BIGINT NOT NULL, stored BIGINT NOT NULL DEFAULT 0, "
		"stored_check BIGINT NOT NULL DEFAULT 0, is_complete BOOLEAN NOT NULL DEFAULT "
		"false, "
		"UNIQUE (realtime, time, host, module))" OWN_KIND,
	.table_kind = OWN_KIND,
	.insert = "INSERT IGNORE",
	.or_ignore = "",
	.indexes_inside = true,
	.connect = connect,
	.disconnect = disconnect,
	.run = run,
	.encode = encode,
	.load = load,
	.remedy = remedy,
};

DBSERVER_DATABASE(mysql, "MySQL")

#else

DATABASE_ABSENT(mysql, "MySQL", "libmariadb",
		"Debian: libmariadb-dev, Fedora: mariadb-connector-c-devel", .is_shared = true);

#endif

TABULAR_SINK(mysql, true)

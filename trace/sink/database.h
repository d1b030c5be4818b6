/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database that rows are written to: --to sqlite:FILE and similar sinks, and lket-b2a
 * -m. The users of this interface define the tables and provide the rows. A dialect is a
 * row in database.def and a file with its operations. Strings may hold any bytes. Names
 * may hold any characters and are unique in their table, even if case is ignored.
 */
#ifndef TRACE_SINK_DATABASE_H
#define TRACE_SINK_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct raw_resume;
struct spool;
struct stored;

enum database_type {
	DATABASE_INT8,
	DATABASE_INT16,
	DATABASE_INT32,
	DATABASE_INT64,
	DATABASE_NAME, /* a short text */
	DATABASE_TEXT,
	DATABASE_BYTES,
	DATABASE_INSTANT, /* ns since 1970 */
	DATABASE_TYPES
};

struct database_column {
	const char *name;
	enum database_type type;
	bool is_indexed;
};

/* s and len are for texts and bytes. */
struct database_value {
	bool is_null;
	uint32_t len;
	int64_t number;
	const char *s;
};

/*
 * How a file is written. DATABASE_LIVE: if the process is killed, committed rows survive.
 * DATABASE_ONCE: nothing usable survives, but writing is faster.
 */
enum database_mode { DATABASE_LIVE, DATABASE_ONCE };

/*
 * How a database is closed: the trace is stored completely, or as far as it was read, or
 * rows that were not committed are dropped.
 */
enum database_end { DATABASE_WHOLE, DATABASE_PART, DATABASE_DROPPED };

/* The run that the rows belong to. */
struct database_run {
	const char *module, *host;
	uint64_t time, realtime; /* ns, of the same moment: they identify the run on its host */
	enum database_mode mode;
	struct spool *spool;   /* where the records are queued; NULL: they are in files */
	struct stored *stored; /* counts the committed records; or NULL */
};

/* A place in the stream of records, from which rows can be sent again later. */
struct database_place {
	uint64_t offset; /* of the hit's first record */
	uint64_t hits;	 /* hits before this one */
	unsigned ring;
};

/* All operations return false or NULL on failure, after reporting it. */
struct database_ops {
	const char *label;
	/* If open() is NULL: the kind, and the library and headers that it needs. */
	const char *kind, *library, *headers;
	/*
	 * Other runs share the database: each table begins with a column "run" and may
	 * already exist.
	 */
	bool is_shared;
	/* where: the text after "KIND:". */
	void *(*open)(const char *where, const struct database_run *run);
	/* Returns a table and creates it if it does not exist. */
	void *(*table)(void *db, const char *name, const struct database_column *columns,
		       unsigned ncolumns);
	/*
	 * Adds a row with a value for each column. It is committed soon, or at the end.
	 */
	bool (*row)(void *db, void *table, const struct database_value *values);
	/* Marks the rows so far as complete hits: this is the time to commit. */
	bool (*whole)(void *db);
	/* Gives the origin of the rows that follow. NULL: not needed. */
	void (*place)(void *db, const struct database_place *place);
	/* Continues where another process stopped. NULL: not supported. */
	void (*resume)(void *db, const struct raw_resume *r);
	bool (*close)(void *db, enum database_end end);
};

#define DATABASE(name) extern const struct database_ops database_##name;
#include "trace/sink/database.def"

struct database {
	const struct database_ops *ops;
	void *own;
};

/* Returns the dialect that "KIND:WHERE" names, or NULL. */
const struct database_ops *database_find(const char *to);
/* Opens a database, or reports that its dialect is not built in. */
void *database_begin(const struct database_ops *ops, const char *where,
		     const struct database_run *run);
/* Opens a database of a dialect that database_find() knows. */
bool database_open(struct database *d, const char *to, const struct database_run *run);
/* Returns the names of the built-in dialects, separated by commas. */
const char *database_list(void);

static inline void *database_table(struct database *d, const char *name,
				   const struct database_column *columns, unsigned ncolumns)
{
	return d->ops->table(d->own, name, columns, ncolumns);
}

static inline bool database_row(struct database *d, void *table, const struct database_value *v)
{
	return d->ops->row(d->own, table, v);
}

static inline bool database_whole(struct database *d)
{
	return d->ops->whole(d->own);
}

/* Closes a database, also if database_open() failed. */
static inline bool database_close(struct database *d, enum database_end end)
{
	return d->own && d->ops->close(d->own, end);
}

/* The operations of a database whose library the build did not have. */
#define DATABASE_ABSENT(name, shown, needed, packages, ...)                                        \
	const struct database_ops database_##name = {                                              \
		.label = shown, .kind = #name, .library = needed, .headers = packages, __VA_ARGS__ \
	}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database that rows are written to: --to sqlite:FILE and its like, and lket-b2a -m.
 * Its users say which tables there are, and give the rows; a dialect is a row in
 * database.def and a file with its operations. Strings may hold any bytes, names are of
 * any characters and unique in their table, also where case makes no difference.
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

/* Has s and len for a text, or bytes. */
struct database_value {
	bool is_null;
	uint32_t len;
	int64_t number;
	const char *s;
};

/*
 * How a file is written: DATABASE_LIVE, a process that is killed leaves what was
 * committed; DATABASE_ONCE, it leaves nothing of use, and it takes less time.
 */
enum database_mode { DATABASE_LIVE, DATABASE_ONCE };

/*
 * At the end: the trace is stored as a whole, or as far as there was one; or what was not
 * committed is thrown away.
 */
enum database_end { DATABASE_WHOLE, DATABASE_PART, DATABASE_DROPPED };

/* The run that the rows are of. */
struct database_run {
	const char *module, *host;
	uint64_t time, realtime; /* ns, of one moment: no other run of the host has them */
	enum database_mode mode;
	struct spool *spool;   /* where the records wait; NULL: they are in files */
	struct stored *stored; /* is told what is committed; or NULL */
};

/* A place in the stream of records, for what has to be sent later. */
struct database_place {
	uint64_t offset; /* of the hit's first record */
	uint64_t hits;	 /* before it */
	unsigned ring;
};

/* All return false, or NULL, when it cannot be done, which has been reported. */
struct database_ops {
	const char *label;
	/* Where there is no open(): the kind, and what it takes to build it in. */
	const char *kind, *library, *headers;
	/*
	 * Other runs are in the same database: a column "run" stands in front of each
	 * table, which may be there already.
	 */
	bool is_shared;
	/* where: what stands behind "KIND:". */
	void *(*open)(const char *where, const struct database_run *run);
	/* Returns a table, which is made where it is not there. */
	void *(*table)(void *db, const char *name, const struct database_column *columns,
		       unsigned ncolumns);
	/* Puts a row, a value for each column. It is committed soon, or at the end. */
	bool (*row)(void *db, void *table, const struct database_value *values);
	/* Says that the rows so far belong together: the time to commit. */
	bool (*whole)(void *db);
	/* Says where the rows that follow come from. NULL: nobody asks. */
	void (*place)(void *db, const struct database_place *place);
	/* Goes on where another process has stopped. NULL: it cannot. */
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
/* Opens a database, or says that its dialect is not built in. */
void *database_begin(const struct database_ops *ops, const char *where,
		     const struct database_run *run);
/* Opens what database_find() knows. */
bool database_open(struct database *d, const char *to, const struct database_run *run);
/* Writes the names of the dialects that are built in, with commas between them. */
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

/* Closes what database_open() has opened, or has not. */
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

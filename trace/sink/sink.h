/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sinks take a trace as data: stap-merge --to KIND:WHERE. A sink is a row in sink.def and
 * a file with its operations. It runs in stap-merge, with no more than the user's rights.
 * Its input may come from damaged files, but is well-formed: names consist of letters,
 * digits and '_' and are unique (fields.h), and values have the types of their fields.
 * Times may go backwards.
 */
#ifndef TRACE_SINK_SINK_H
#define TRACE_SINK_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "trace/fields.h"
#include "trace/form/form.h"
#include "uapi/record.h"

struct books;
struct join;
struct raw_resume;
struct records;
struct spool;
struct stored;
struct tables;

/* The part of a trace that is known before the first record. */
struct sink_trace {
	const char *module, *host;
	uint64_t monotonic, realtime; /* ns, of the same moment */
	unsigned nrings;	      /* the last one is "slow": of begin, end and error probes */
	const struct tables *tables;
	const struct fields *fields;
	struct spool *spool;   /* the queue of a stream's records, or NULL */
	struct stored *stored; /* counts the stored records (stored.h); or NULL */
	const uint64_t *at;    /* the offset of the current record in the stream */
};

/* The hit that an item belongs to. */
struct sink_hit {
	uint64_t time; /* CLOCK_MONOTONIC ns */
	uint64_t hit;  /* its ordinal number, from 1: the same for all items of a hit */
	unsigned ring;
	uint32_t probe; /* as in the tables; a larger number: a message of the runtime */
	bool has_task;
	uint32_t pid, tid;
	uint64_t at; /* its offset in the stream */
};

/* All operations return false or NULL on failure, after reporting it. */
struct sink_ops {
	void *(*open)(const char *where, const struct sink_trace *t);
	/* Takes an item of a site that has fields; see `constants`. */
	bool (*item)(void *sink, const struct sink_hit *h, const struct item *i);
	/* These five may be NULL, and are then not called. */
	/* Takes text: output without fields, warnings, errors, log lines, commands. */
	bool (*text)(void *sink, const struct sink_hit *h, enum stp_record_kind kind, const char *s,
		     size_t len);
	bool (*histogram)(void *sink, const struct sink_hit *h, const struct histogram *g);
	/*
	 * Called when the items and texts of a hit are complete, and counted as given
	 * (stored.h): the time to commit, and to report stored records. The caller
	 * reports the records that close() stores.
	 */
	bool (*whole)(void *sink, const struct sink_hit *h);
	/* Takes the books, if there are any, after all records. */
	bool (*books)(void *sink, const struct books *b);
	/* Called if the input is the rest of a stream: struct raw_resume. */
	void (*resume)(void *sink, const struct raw_resume *r);
	bool (*close)(void *sink);
	bool spools;	/* it needs streams to be queued in a spool */
	bool constants; /* it also takes items of sites without fields: constant texts */
};

#define SINK(kind, where, help) extern const struct sink_ops sink_##kind;
#include "trace/sink/sink.def"

/* Defines sink_KIND; without one of the three operations it does not compile. */
/* clang-format off */
#define SINK_OPS(kind, open_op, item_op, close_op, ...)                                      \
	SINK_NEEDS(kind, open_op, void *(const char *, const struct sink_trace *));          \
	SINK_NEEDS(kind, item_op,                                                            \
		   bool(void *, const struct sink_hit *, const struct item *));              \
	SINK_NEEDS(kind, close_op, bool(void *));                                            \
	const struct sink_ops sink_##kind = {                                                \
		.open = open_op, .item = item_op, .close = close_op, __VA_ARGS__             \
	}
#define SINK_NEEDS(kind, op, type)                                                           \
	_Static_assert(__builtin_types_compatible_p(__typeof__(op), type),                   \
		       "sink_" #kind ": open, item and close, then the others")
/* clang-format on */

/* An open sink. form.over: it has failed, and no more input is needed. */
struct sink {
	struct form form;
	struct fields *fields;
	const struct sink_ops *ops;
	void *own;
	struct sink_hit hit;
	uint64_t items;	       /* items and texts taken */
	const uint64_t *at;    /* as in the trace */
	struct stored *stored; /* as in the trace */
	bool failed;
	bool waits; /* records that it cannot take are kept in a spool */
	bool more;  /* the hit has not ended */
};

/* Returns CLOCK_REALTIME, ns, at a time of the trace. */
static inline uint64_t sink_realtime(const struct sink_trace *t, uint64_t time)
{
	return t->realtime + (time - t->monotonic);
}

/* Returns the seconds of the monotonic clock. */
time_t sink_now(void);
/*
 * Prints a message about a server to the user: a run has no other place for it, even if
 * it shows warnings.
 */
void sink_say(const char *server, const char *text);
/* Describes an open trace. */
struct sink_trace sink_trace_of(const struct join *j);
/* Sets up a sink that was opened by its own code. */
void sink_init(struct sink *s, const struct sink_ops *ops, void *own);
/* From now on, passes the records to the sink. */
void sink_start(struct sink *s, struct records *r);
/* Returns NULL if the text is KIND:WHERE of an existing sink, or an error text. */
const char *sink_check(const char *to);
/* True: the sink needs streams to be queued in a spool. */
bool sink_spools(const char *to);
/* Opens a sink that sink_check() accepted. False: it failed, which was reported. */
bool sink_open(struct sink *s, const char *to, const struct sink_trace *t);
bool sink_close(struct sink *s, const struct books *b);
/* Writes a line of help for each kind to stdout. */
void sink_list(void);

#endif

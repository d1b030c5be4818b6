/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sinks take a trace as data: stap-merge --to KIND:WHERE. A sink is a row in sink.def and
 * a file with its operations. It runs in stap-merge, with no more than the user's rights;
 * what it is given may come from damaged files, but fits: names are of letters, digits
 * and '_' and unique (fields.h), values are of their fields' types, times may go back.
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

/* A trace, as far as it is known before the first record. */
struct sink_trace {
	const char *module, *host;
	uint64_t monotonic, realtime; /* ns, of one moment */
	unsigned nrings;	      /* the last is "slow": of begin, end and error */
	const struct tables *tables;
	const struct fields *fields;
	struct spool *spool;   /* where a stream's records wait, or NULL */
	struct stored *stored; /* what is stored: stored.h; or NULL */
	const uint64_t *at;    /* where in the stream the present record begins */
};

/* The hit that an item is of. */
struct sink_hit {
	uint64_t time; /* CLOCK_MONOTONIC ns */
	uint64_t hit;  /* its ordinal number, from 1: items of one hit have the same */
	unsigned ring;
	uint32_t probe; /* as in the tables, or beyond: a message of the runtime */
	bool has_task;
	uint32_t pid, tid;
	uint64_t at; /* where in the stream it begins */
};

/* All return false, or NULL, when it cannot be done, which has been reported. */
struct sink_ops {
	void *(*open)(const char *where, const struct sink_trace *t);
	/* Takes an item of a site that has fields; see `constants`. */
	bool (*item)(void *sink, const struct sink_hit *h, const struct item *i);
	/* These five may be NULL: they are left out then. */
	/* Takes text: output without fields, warnings, errors, log lines, commands. */
	bool (*text)(void *sink, const struct sink_hit *h, enum stp_record_kind kind, const char *s,
		     size_t len);
	bool (*histogram)(void *sink, const struct sink_hit *h, const struct histogram *g);
	/*
	 * Takes note that the items and texts of a hit are complete, which is counted as
	 * given (stored.h): the time to commit, and to say what is stored. What close()
	 * has stored is said for it.
	 */
	bool (*whole)(void *sink, const struct sink_hit *h);
	/* Takes the books, when there are any, after all records. */
	bool (*books)(void *sink, const struct books *b);
	/* Says that what comes is the rest of a stream: struct raw_resume. */
	void (*resume)(void *sink, const struct raw_resume *r);
	bool (*close)(void *sink);
	bool spools;	/* it wants streams to wait in a spool */
	bool constants; /* it takes items of sites without fields, too: constant texts */
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

/* An open sink; form.over: it has failed, and nothing more need be read. */
struct sink {
	struct form form;
	struct fields *fields;
	const struct sink_ops *ops;
	void *own;
	struct sink_hit hit;
	uint64_t items;	       /* taken, and texts */
	const uint64_t *at;    /* as in the trace */
	struct stored *stored; /* as in the trace */
	bool failed;
	bool waits; /* what it cannot take is kept: a spool's */
	bool more;  /* the hit has not ended */
};

/* Returns CLOCK_REALTIME, ns, at a time of the trace. */
static inline uint64_t sink_realtime(const struct sink_trace *t, uint64_t time)
{
	return t->realtime + (time - t->monotonic);
}

/* Returns seconds of a clock that nobody sets. */
time_t sink_now(void);
/*
 * Says something of a server to the user: a run has no other place for it, also when it
 * has its warnings.
 */
void sink_say(const char *server, const char *text);
/* Says what is known of a trace that is open. */
struct sink_trace sink_trace_of(const struct join *j);
/* Sets up a sink that its own code has opened. */
void sink_init(struct sink *s, const struct sink_ops *ops, void *own);
/* Has records given to the sink. */
void sink_start(struct sink *s, struct records *r);
/* Returns NULL when the text is KIND:WHERE of a sink that there is, or what is wrong. */
const char *sink_check(const char *to);
/* True: the sink wants streams to wait in a spool. */
bool sink_spools(const char *to);
/* Opens what sink_check() has accepted. False: it has been reported. */
bool sink_open(struct sink *s, const char *to, const struct sink_trace *t);
bool sink_close(struct sink *s, const struct books *b);
/* Writes a line of help for each kind to stdout. */
void sink_list(void);

#endif

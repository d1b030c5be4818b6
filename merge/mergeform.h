/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form that stap-merge gives a trace: options.c chooses it, once. A form is a row in
 * mergeforms.def and MERGEFORM_OPS, which take all operations: one that lacks some does
 * not compile. This process reads one trace: a form keeps its state in its file.
 */
#ifndef MERGE_MERGEFORM_H
#define MERGE_MERGEFORM_H

#include <stdbool.h>

#include "lib/ops.h"
#include "trace/output.h"
#include "trace/sink/stored.h"
#include "trace/source/join.h"

struct options;
struct spool;

/* A trace that is read, and where it goes. */
struct trace {
	const struct options *options;
	struct join join;
	struct output output;
	struct spool *spool; /* where a stream's records wait, or NULL */
	struct stored stored;
};

enum mergeform {
#define MERGEFORM(name, what) MERGEFORM_##name,
#include "merge/mergeforms.def"
};

struct mergeform_ops {
	/* Returns the pattern of the output's name, or NULL: standard output. */
	const char *(*pattern)(const struct options *o);
	/* True: a stream is to wait in a spool, until its records are stored. */
	bool (*spools)(const struct options *o);
	/* Has records written so. False: it cannot be, which has been reported. */
	bool (*begin)(struct trace *t);
	/* Completes the output that begin() began, and closes it. False: it failed. */
	bool (*end)(struct trace *t);
	bool fills_stdout; /* unless there is -o */
};

/* Returns the operations. */
const struct mergeform_ops *mergeform_of(enum mergeform form);

#define MERGEFORM(name, what) extern const struct mergeform_ops mergeform_##name;
#include "merge/mergeforms.def"

/* clang-format off */
#define MERGEFORM_OPS(name, pattern_op, spools_op, begin_op, end_op, ...)                 \
	OPS_NEEDS(mergeform_ops, name, pattern_op, pattern);                             \
	OPS_NEEDS(mergeform_ops, name, spools_op, spools);                               \
	OPS_NEEDS(mergeform_ops, name, begin_op, begin);                                 \
	OPS_NEEDS(mergeform_ops, name, end_op, end);                                     \
	const struct mergeform_ops mergeform_##name = {                                   \
		pattern_op, spools_op, begin_op, end_op, __VA_ARGS__                      \
	}
/* clang-format on */

#endif

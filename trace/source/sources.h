/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources: where the records of a trace that is joined come from. A source is a row in
 * sources.def and a file with SOURCE_OPS, which take all operations: one that lacks some
 * does not compile. Its own function opens it, into a struct join.
 *
 * A module that runs is no row: stapio's loop reads it in rounds, up to a horizon, while
 * it waits for much else.
 */
#ifndef TRACE_SOURCE_SOURCES_H
#define TRACE_SOURCE_SOURCES_H

struct join;

struct source_ops {
	/* Passes all records on, by join_emit() or join_merge(), and adds the books. */
	void (*run)(struct join *j);
	/* Goes to the first record that is wanted: j->from. */
	void (*seek)(struct join *j);
	/* Takes the source's own lines out of the books; says what they find missing. */
	void (*check)(struct join *j);
	void (*close)(struct join *j);
};

/* For sources that are read from their beginning, and that have no books of their own. */
void source_no_seek(struct join *j);
void source_no_check(struct join *j);

#define SOURCE(name, what) extern const struct source_ops source_##name;
#include "trace/source/sources.def"

/* clang-format off */
#define SOURCE_OPS(name, run_op, seek_op, check_op, close_op)                             \
	SOURCE_NEEDS(name, run_op);                                                       \
	SOURCE_NEEDS(name, seek_op);                                                      \
	SOURCE_NEEDS(name, check_op);                                                     \
	SOURCE_NEEDS(name, close_op);                                                     \
	const struct source_ops source_##name = { run_op, seek_op, check_op, close_op }
#define SOURCE_NEEDS(name, op)                                                            \
	_Static_assert(__builtin_types_compatible_p(__typeof__(op), void(struct join *)), \
		       "source_" #name ": run, seek, check and close")
/* clang-format on */

#endif

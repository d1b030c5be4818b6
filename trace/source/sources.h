/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources provide the records of a joined trace. A source is a row in sources.def and a
 * file with SOURCE_OPS, which takes all operations: a source that lacks one does not
 * compile. Each source has its own function that opens it into a struct join.
 *
 * A running module is not a row: stapio's loop reads it in rounds, up to a horizon, and
 * waits for many other events.
 */
#ifndef TRACE_SOURCE_SOURCES_H
#define TRACE_SOURCE_SOURCES_H

struct join;

struct source_ops {
	/* Passes all records to join_emit() or join_merge(), and adds the books. */
	void (*run)(struct join *j);
	/* Moves to the first requested record: j->from. */
	void (*seek)(struct join *j);
	/*
	 * Removes the source's own lines from the books and reports missing records by
	 * them.
	 */
	void (*check)(struct join *j);
	void (*close)(struct join *j);
};

/*
 * For sources that are read from their beginning, and those without lines in the books.
 */
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

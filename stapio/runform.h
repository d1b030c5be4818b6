/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a run: what stapio does with the records while the script runs, and at the
 * end. options.c chooses it, once. A form is a row in runforms.def and RUNFORM_OPS in a
 * file, which take all operations: one that lacks some does not compile. This process
 * reads one run: a form keeps its state in its file.
 */
#ifndef STAPIO_RUNFORM_H
#define STAPIO_RUNFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/ops.h"

struct books;
struct options;
struct raw_header;
struct records;
struct run;
struct stp_record;

enum runform {
#define RUNFORM(name, what) RUNFORM_##name,
#include "stapio/runforms.def"
};

struct runform_ops {
	/* Opens what the output goes to, besides -o, while there are privileges. */
	int (*open)(struct run *r, const struct options *o);
	/*
	 * Has records written so. header: of the raw files they come from, or NULL: they
	 * come from the module. These two return 0, or -1 after reporting an error.
	 */
	int (*start)(struct run *r, const struct options *o, struct records *records,
		     const struct raw_header *header);
	/*
	 * Passes records on, as merge_round(). Returns how many, or -1 after reporting
	 * that no more can be.
	 */
	long (*round)(struct run *r, uint64_t horizon);
	/* Begins the files that are due by now. */
	void (*look_at_clock)(struct run *r);
	/* Begins new files. */
	void (*next_file)(struct run *r);
	/* Takes a child that has ended. False: it is another's. */
	bool (*reaped)(pid_t pid, int status);
	/* Adds to the books what is stored. */
	void (*stored)(struct run *r, struct books *b);
	/*
	 * Ends what has to be over before the books are read for the last time. False: it
	 * failed, which has been reported.
	 */
	bool (*end)(struct run *r, const struct options *o);
	/* Closes the output, after the books. False: see output_close(). */
	bool (*close)(struct run *r);
	const char *files; /* it makes files in the directory of the output, by this option */
	bool is_data;	   /* records are to say which task was hit: start_options.as_data */
	bool fills_stdout; /* what else is printed goes to stderr */
};

/* Returns the operations. */
const struct runform_ops *runform_of(enum runform form);

/* For forms whose only output is the run's own. */
int runform_no_open(struct run *r, const struct options *o);
long runform_merge(struct run *r, uint64_t horizon);
void runform_look_at_clock(struct run *r);
void runform_next_file(struct run *r);
bool runform_no_child(pid_t pid, int status);
void runform_no_stored(struct run *r, struct books *b);
bool runform_no_end(struct run *r, const struct options *o);
bool runform_close(struct run *r);
/* Handles a record. Returns NULL, or what is wrong with it. */
const char *runform_emit(struct run *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body);
/* Takes all memory that runform_merge() will need. 0, or -1 as start() returns it. */
int runform_reserve(struct run *r);

#define RUNFORM(name, what) extern const struct runform_ops runform_##name;
#include "stapio/runforms.def"

/* clang-format off */
#define RUNFORM_OPS(name, open_op, start_op, round_op, clock_op, next_op, reaped_op,      \
		    stored_op, end_op, close_op, ...)                                     \
	OPS_NEEDS(runform_ops, name, open_op, open);                                     \
	OPS_NEEDS(runform_ops, name, start_op, start);                                   \
	OPS_NEEDS(runform_ops, name, round_op, round);                                   \
	OPS_NEEDS(runform_ops, name, clock_op, look_at_clock);                           \
	OPS_NEEDS(runform_ops, name, next_op, next_file);                                \
	OPS_NEEDS(runform_ops, name, reaped_op, reaped);                                 \
	OPS_NEEDS(runform_ops, name, stored_op, stored);                                 \
	OPS_NEEDS(runform_ops, name, end_op, end);                                       \
	OPS_NEEDS(runform_ops, name, close_op, close);                                   \
	const struct runform_ops runform_##name = {                                       \
		open_op, start_op, round_op, clock_op, next_op,                           \
		reaped_op, stored_op, end_op, close_op, __VA_ARGS__                       \
	}
/* clang-format on */

#endif

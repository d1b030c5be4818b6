/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a run decides what stapio does with the records while the script runs, and
 * at the end. options.c chooses it, once. A form is a row in runforms.def and a file with
 * RUNFORM_OPS, which takes all operations: a form that lacks one does not compile. This
 * process reads one run, so a form keeps its state in static variables.
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
	/* Opens destinations of the output other than -o, while there are privileges. */
	int (*open)(struct run *r, const struct options *o);
	/*
	 * From now on, writes the records in this form. header: of the raw files that
	 * they come from; NULL: they come from the module. These two return 0, or -1
	 * after reporting an error.
	 */
	int (*start)(struct run *r, const struct options *o, struct records *records,
		     const struct raw_header *header);
	/*
	 * Passes records on, like merge_round(). Returns their number, or -1 after
	 * reporting that it cannot continue.
	 */
	long (*round)(struct run *r, uint64_t horizon);
	/* Begins new files if they are due. */
	void (*look_at_clock)(struct run *r);
	/* Begins new files. */
	void (*next_file)(struct run *r);
	/* Handles a child that has ended. False: it is not the form's child. */
	bool (*reaped)(pid_t pid, int status);
	/* Adds the numbers of stored records to the books. */
	void (*stored)(struct run *r, struct books *b);
	/*
	 * Ends everything that must end before the books are read for the last time.
	 * False: it failed, which was reported.
	 */
	bool (*end)(struct run *r, const struct options *o);
	/* Closes the output, after the books. False: see output_close(). */
	bool (*close)(struct run *r);
	const char *files; /* the option by which it creates files in the directory of the output */
	bool is_data;	   /* records must have the task of each hit: start_options.as_data */
	bool fills_stdout; /* all other output goes to stderr */
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
/* Handles a record. Returns NULL or an error text. */
const char *runform_emit(struct run *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body);
/* Allocates all memory that runform_merge() will need. Returns 0, or -1 like start(). */
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

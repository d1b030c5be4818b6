/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forms are the formats in which a trace is written. A form is a row in forms.def and a
 * file with FORM_OPS, which takes all operations: a form that lacks one does not compile.
 */
#ifndef TRACE_FORM_FORM_H
#define TRACE_FORM_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/ops.h"
#include "trace/form/textrun.h"
#include "uapi/record.h"

struct books;
struct form;
struct raw_resume;

struct form_ops {
	/* Takes a piece of RECORD_OUTPUT. Returns NULL or an error text. */
	const char *(*output)(struct form *f, unsigned ring, const struct stp_record *head,
			      const uint8_t *body);
	/* Takes a piece of text: a warning or an error, a line of the log, a command. */
	void (*text)(struct form *f, unsigned ring, const struct stp_record *head,
		     const uint8_t *body);
	/* Takes as many records at once as it can: moves `at` and counts them. */
	void (*run)(struct form *f, struct textrun *t);
	/* Tells the form that the records that follow are the rest of a stream. */
	void (*resume)(struct form *f, const struct raw_resume *r);
	/* Takes the books, which count `records` records. last: nothing follows. */
	void (*books)(struct form *f, const struct books *b, uint64_t records, bool last);
};

struct form {
	const struct form_ops *ops;
	bool over;   /* no more input is needed */
	bool failed; /* the failure was reported, or will be at the end */
};

/* For forms without runs of records, without resumed streams, and without books. */
void form_no_run(struct form *f, struct textrun *t);
void form_no_resume(struct form *f, const struct raw_resume *r);
void form_no_books(struct form *f, const struct books *b, uint64_t records, bool last);

#define FORM(name, what) extern const struct form_ops form_##name;
#include "trace/form/forms.def"

/* clang-format off */
#define FORM_OPS(name, output_op, text_op, run_op, resume_op, books_op)                   \
	OPS_NEEDS(form_ops, name, output_op, output);                                    \
	OPS_NEEDS(form_ops, name, text_op, text);                                        \
	OPS_NEEDS(form_ops, name, run_op, run);                                          \
	OPS_NEEDS(form_ops, name, resume_op, resume);                                    \
	OPS_NEEDS(form_ops, name, books_op, books);                                      \
	const struct form_ops form_##name = { output_op, text_op, run_op, resume_op, books_op }
/* clang-format on */

#endif

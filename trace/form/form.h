/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forms: what the records of a trace are written as. A form is a row in forms.def and a
 * file with FORM_OPS, which take all operations: one that lacks some does not compile.
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
	/* Takes a piece of RECORD_OUTPUT. NULL, or what is wrong with it. */
	const char *(*output)(struct form *f, unsigned ring, const struct stp_record *head,
			      const uint8_t *body);
	/* Takes a piece of text: a warning or an error, a line of the log, a command. */
	void (*text)(struct form *f, unsigned ring, const struct stp_record *head,
		     const uint8_t *body);
	/* Takes what it can of many records at once: moves `at`, and counts them. */
	void (*run)(struct form *f, struct textrun *t);
	/* Hears that what comes is the rest of a stream. */
	void (*resume)(struct form *f, const struct raw_resume *r);
	/* Takes the books of so many records; last: nothing comes after them. */
	void (*books)(struct form *f, const struct books *b, uint64_t records, bool last);
};

struct form {
	const struct form_ops *ops;
	bool over;   /* nothing more need be read */
	bool failed; /* it has been reported, or will be at the end */
};

/* For forms that write records one by one, know no rests, and have no place for books. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures of the environment (files, processes, libdw, BTF): NULL is success. Errors are
 * allocated in the arena and never freed. The first caller that knows a location in the
 * script turns an error into a diagnostic; main() prints the others. The kind of the
 * error decides the exit status, and whether a fallback may be tried.
 */
#ifndef LIB_ERROR_H
#define LIB_ERROR_H

struct arena;

enum error_kind {
	ERROR_ABSENT, /* does not exist: a fallback may be tried, `?` accepts it */
	ERROR_SCRIPT, /* exit 1 */
	ERROR_USAGE,  /* exit 2 */
	/* exit 3: something is missing on this machine; the text names the remedy */
	ERROR_ENVIRONMENT,
	ERROR_RUN, /* exit 4: the kernel refused the module, or the run failed */
};

struct error {
	enum error_kind kind;
	const char *text;
	unsigned page; /* 1 + enum diag_page of base/diag.h, or 0 */
};

struct error *error_create(struct arena *a, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Creates an error with the text of errno appended: "PATH: No such file or directory". If
 * errno is ENOENT, its kind is ERROR_ABSENT.
 */
struct error *error_errno(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns an error of the same kind with the text "context: text". */
struct error *error_context(struct arena *a, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif

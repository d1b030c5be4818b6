/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf for scripts: the one implementation, used by sprintf in handlers, by stapio for
 * records, and by the translator for checking. uapi/printf.def has one row per
 * conversion. To add a conversion, add a row there and a function in printf.c.
 */
#ifndef STP_PRINTF_H
#define STP_PRINTF_H

#include "core/env.h"

enum stp_directive_kind {
#define CONVERSION(kind, letter, arg, what, reach) STP_DIR_##kind,
#include "uapi/printf.def"
#undef CONVERSION
	STP_DIR_COUNT
};

/* One piece of a format: literal text, or a conversion. */
struct stp_directive {
	const char *text; /* its start in the format */
	uint32_t len;
	enum stp_directive_kind kind;
	bool minus, plus, space, hash, zero;
	bool width_star, precision_star;
	int32_t width, precision; /* -1: none */
	const char *name;	  /* %(name)d: what readers of data call the value */
	uint32_t name_len;	  /* 0: none */
};

/*
 * Reads the next piece at *pos, which is 0 at first. False: the end, or a bad piece, for
 * which *error gives the reason ("unknown conversion '%q'").
 */
bool stp_format_next(const char *format, uint32_t len, uint32_t *pos, struct stp_directive *ret,
		     const char **error);
/* Returns 'd' or 's' for the kind, 0 for literal text and %%. */
char stp_directive_arg(enum stp_directive_kind kind);

/*
 * A source of arguments: memory of the caller, or the bytes of a record. Both functions
 * return false at the end of the data.
 */
struct stp_format_args {
	bool (*number)(struct stp_format_args *a, int64_t *ret);
	bool (*bytes)(struct stp_format_args *a, const char **s, uint32_t *len);
	int32_t field_most; /* wider fields are cut to this; 0: to the general limit */
};

/* Formats one directive; otherwise like stp_format_run(). */
bool stp_directive_run(const struct stp_directive *d, struct stp_format_args *args,
		       void (*put)(void *ctx, const char *s, size_t len), void *ctx);
/*
 * Formats all directives and passes the output to `put` piece by piece. False: the
 * arguments ended early.
 */
bool stp_format_run(const char *format, uint32_t len, struct stp_format_args *args,
		    void (*put)(void *ctx, const char *s, size_t len), void *ctx);

#endif

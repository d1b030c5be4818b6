/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/error.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "lib/arena.h"

static struct error *error_new(struct arena *a, enum error_kind kind, const char *text)
{
	struct error *err = arena_new(a, struct error);

	err->kind = kind;
	err->text = text;
	return err;
}

struct error *error_create(struct arena *a, enum error_kind kind, const char *fmt, ...)
{
	struct error *err;
	va_list ap;

	va_start(ap, fmt);
	err = error_new(a, kind, arena_vprintf(a, fmt, ap));
	va_end(ap);
	return err;
}

struct error *error_errno(struct arena *a, const char *fmt, ...)
{
	int code = errno;
	const char *what;
	va_list ap;

	va_start(ap, fmt);
	what = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return error_new(a, code == ENOENT ? ERROR_ABSENT : ERROR_ENVIRONMENT,
			 arena_printf(a, "%s: %s", what, strerror(code)));
}

struct error *error_context(struct arena *a, struct error *err, const char *fmt, ...)
{
	const char *what;
	va_list ap;

	va_start(ap, fmt);
	what = arena_vprintf(a, fmt, ap);
	va_end(ap);

	struct error *ret = error_new(a, err->kind, arena_printf(a, "%s: %s", what, err->text));

	ret->page = err->page;
	return ret;
}

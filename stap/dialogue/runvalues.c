/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that a run leaves. They can be shown, and the next run can begin with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/word.h"
#include "parse/statement.h"
#include "stap/dialogue/dialogue.h"
#include "stap/run/lastvalues.h"
#include "stap/watch/runs.h"
#include "stap/watch/values.h"

#define BYTES_MOST (1u << 20)

void runvalues_begin(struct dialogue *d, struct options *o)
{
	if (!o->globals_readable)
		return;
	if (!d->values_fd)
		d->values_fd = memfd_create("values", MFD_CLOEXEC);
	if (d->values_fd < 0 || ftruncate(d->values_fd, 0) || lseek(d->values_fd, 0, SEEK_SET))
		d->values_fd = 0;
	o->values_fd = d->values_fd;
}

void runvalues_end(struct dialogue *d, const struct options *o)
{
	const char *text =
		o->values_fd ? lastvalues_read(d->s->arena, o->values_fd, BYTES_MOST) : NULL;

	if (text)
		d->left = text;
}

/* True: a run has left values. Otherwise prints what is missing. */
static bool has_left(const struct dialogue *d)
{
	if (d->left)
		return true;
	fprintf(stderr, "stap: no run has left values; after 'set globals' each does\n");
	return false;
}

int runvalues_show(struct dialogue *d, const char *rest)
{
	struct run run = { 0 };

	if (!has_left(d))
		return 2;
	values_read(d->s, &run, d->left, strlen(d->left));
	vec_each(&run.values, i) {
		const char *line = run.values.data[i];

		if (!*rest || values_is_of(line, rest))
			puts(line);
	}
	return 0;
}

/* ---- initial values ---- */

/* Converts \xHH to bytes. */
static const char *decoded(struct dialogue *d, const char *text, size_t len)
{
	char *ret = arena_strndup(d->s->arena, text, len), *to = ret;

	for (const char *from = ret; *from; from++) {
		unsigned byte;

		if (sscanf(from, "\\x%2x", &byte) == 1 && byte) {
			*to++ = (char)byte;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = 0;
	return ret;
}

/* True: the script still has a global of that name, and the options do not set it. */
static bool is_free(const struct dialogue *d, const struct options *o, const char *name)
{
	size_t len = strlen(name);

	vec_each(&o->globals, i)
		if (!strcmp(o->globals.data[i].name, name))
			return false;
	vec_each(&d->script, i) {
		const char *text = d->script.data[i];

		for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
			if (statement_declares(text, "global") && at > text && !word_char(at[-1]) &&
			    !word_char(at[len]))
				return true;
	}
	return false;
}

/*
 * Takes the lines of a global, up to the next global. A scalar has its value in one
 * field.
 */
static void take_global(struct dialogue *d, struct options *o, const char *text)
{
	const char *value = strstr(text, "\nvalue\t"), *key = strstr(text, "\nkey\t");
	const char *next = strstr(text, "\nglobal\t");
	size_t len = strcspn(text, "\t");
	const char *name = arena_strndup(d->s->arena, text, len);

	if (!value || (next && value > next) || (key && key < value) ||
	    !strncmp(text + len, "\tstats", 6) || !is_free(d, o, name))
		return;
	value += strlen("\nvalue\t");
	value = decoded(d, value, strcspn(value, "\n"));
	vec_push(d->s->arena, &o->globals, ((struct definition){ name, value }));
}

bool runvalues_begin_with(struct dialogue *d, struct options *o)
{
	definitions before = o->globals;

	if (!has_left(d))
		return false;
	o->globals = (definitions){ 0 };
	vec_each(&before, i)
		vec_push(d->s->arena, &o->globals, before.data[i]);
	for (const char *at = d->left; at; at = strstr(at, "\nglobal\t")) {
		at += *at == '\n';
		if (!strncmp(at, "global\t", 7))
			take_global(d, o, at + 7);
	}
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of a provider file: providers and their probes. Other things that D
 * allows there (types, #pragma) are skipped.
 *
 *   provider NAME { probe NAME(TYPE [NAME], …); … };
 */
#ifndef DTRACE_PROVIDER_H
#define DTRACE_PROVIDER_H

#include <stddef.h>

#include "lib/vec.h"

struct error;

#define PROBE_ARGUMENTS_MAX 12 /* sys/sdt.h has macros for this many */

struct probe {
	const char *name;
	const char *arguments; /* as written, between the parentheses, in one line */
	unsigned count;
	unsigned line;
};

struct provider {
	const char *name;
	VEC(struct probe) probes;
};
typedef VEC(struct provider) provider_list;

/*
 * Reads the text of the file; `preprocessed` says that cpp has seen it. Warnings go to
 * standard error. An error's text has place and cause: "test.d:3:8: …".
 */
struct error *provider_parse(struct arena *a, const char *file, const char *text, size_t len,
			     int preprocessed, provider_list *ret);

#endif

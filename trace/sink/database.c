/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See database.h. */
#include "trace/sink/database.h"

#include <stdio.h>
#include <string.h>

#include "trace/messages.h"

static const struct dialect {
	const char *name;
	const struct database_ops *ops;
} dialects[] = {
#define DATABASE(name) { #name, &database_##name },
#include "trace/sink/database.def"
};

#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

const struct database_ops *database_find(const char *to)
{
	for (size_t i = 0; i < DIALECTS; i++) {
		size_t len = strlen(dialects[i].name);

		if (!strncmp(to, dialects[i].name, len) && to[len] == ':' && to[len + 1])
			return dialects[i].ops;
	}
	return NULL;
}

void *database_begin(const struct database_ops *ops, const char *where,
		     const struct database_run *run)
{
	if (ops->open)
		return ops->open(where, run);
	message_error("%s: this stap was built without %s; with its headers (%s) make builds it in",
		      ops->kind, ops->library, ops->headers);
	return NULL;
}

bool database_open(struct database *d, const char *to, const struct database_run *run)
{
	*d = (struct database){ .ops = database_find(to) };
	d->own = database_begin(d->ops, strchr(to, ':') + 1, run);
	return d->own;
}

const char *database_list(void)
{
	static char text[128];
	size_t n = 0;

	for (size_t i = 0; i < DIALECTS; i++)
		if (dialects[i].ops->row)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? ", " : "",
					      dialects[i].ops->label);
	return n ? text : "no database";
}

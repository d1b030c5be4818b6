/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See absentruns.h. */
#include "stap/watch/absentruns.h"

#include <stdio.h>

#include "base/session.h"
#include "lib/printable.h"
#include "stap/watch/runs.h"

void absentruns_say(struct session *s, const char *pattern, const struct runs *r)
{
	const char *name = printable_line(arena_strdup(s->arena, pattern));

	if (r->others.count) {
		const struct run *other = &r->others.data[0];

		fprintf(stderr,
			"stap: %s (process %d) is a run of user %s; only that user and root may "
			"look at it and end it\n",
			name, (int)other->pid, runs_user(s, other->owner));
	} else if (r->hidden) {
		fprintf(stderr, "stap: %s is a module that this user may not look at\n", name);
		if (r->refusal)
			fprintf(stderr, "      staprun: %s\n", r->refusal);
	} else {
		fprintf(stderr, "stap: no run %s on this machine; stap --status lists them\n",
			name);
	}
}

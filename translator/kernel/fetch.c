/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/fetch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/options.h"
#include "base/session.h"
#include "kernel/tree.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/subprocess.h"

enum remedy fetch_part(struct session *s, const char *release)
{
	struct utsname u;
	bool runs_here = !uname(&u) && !strcmp(u.release, release);

	return s->options->remotes.count || runs_here ? REMEDY_HEADERS : REMEDY_IMAGE;
}

void fetch_headers(struct session *s, const char *release)
{
	static bool has_tried;
	struct process_result result;
	char *argv[5] = { 0 }, **to = argv;
	const char *manager = remedy_manager(s->arena);
	struct error *err;

	/* Kernels are opened more than once: a failed download would fail again. */
	if (!s->options->fetch_headers || s->options->vm || has_tried || tree_of(s, release))
		return;
	has_tried = true;
	*to++ = arena_printf(s->arena, "%s/stap-fetch-kernel", s->bin_dir);
	if (manager) {
		*to++ = arena_strdup(s->arena, "--manager");
		*to++ = arena_strdup(s->arena, manager);
	}
	*to = arena_strdup(s->arena, remedy_fetched(s->arena, fetch_part(s, release), release));
	err = subprocess_run(s->arena, NULL, argv, false, &result);
	if (err)
		fprintf(stderr, "stap: %s\n", err->text);
}

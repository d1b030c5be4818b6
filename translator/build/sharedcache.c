/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/sharedcache.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/path.h"
#include "lib/trust.h"
#include "lib/userdir.h"

/* True: the file is too large to be copied for each user. */
static bool is_large(const char *name)
{
	const char *ending = strrchr(name, '.');

	return ending && (!strcmp(ending, ".gch") || !strcmp(ending, ".pch"));
}

static void inherit_file(struct arena *a, const char *from, const char *entry, const char *name)
{
	const char *source = arena_printf(a, "%s/%s", from, name),
		   *place = arena_printf(a, "%s/%s", entry, name);
	char real[PATH_MAX];

	if (*name == '.' || !strcmp(name, "prefix.lock") ||
	    trust_check_path(source, trust_user(), real))
		return;
	if (is_large(name))
		(void)!symlink(real, place);
	else
		path_copy(a, real, place);
}

void sharedcache_inherit(struct session *s, const char *entry)
{
	const char *from = arena_printf(s->arena, "%s/cache/kernels/%s", userdir_shared(),
					strrchr(entry, '/') + 1);
	_cleanup_closedir_ DIR *dir = NULL;
	struct dirent *e;

	if (s->options->poison_cache || path_exists(arena_printf(s->arena, "%s/recipe", entry)) ||
	    path_is_same_file(from, entry))
		return;
	dir = opendir(from);
	while (dir && (e = readdir(dir)))
		inherit_file(s->arena, from, entry, e->d_name);
}

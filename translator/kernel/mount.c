/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mount.h. */
#include "kernel/mount.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/confined.h"
#include "lib/path.h"

/* Directories that are mounted as a whole; the first of them contains the path. */
static const struct place {
	const char *below, *options;
} places[] = {
	{ "/lib/modules/", "-v /lib/modules:/lib/modules:ro -v /usr/src:/usr/src:ro" },
	{ "/usr/lib/modules/", "-v /lib/modules:/lib/modules:ro -v /usr/src:/usr/src:ro" },
	{ "/usr/src/", "-v /usr/src:/usr/src:ro" },
	{ "/sys/", "-v /sys:/sys:ro" },
};

/* Returns a directory in /usr/lib, such as Debian's linux-kbuild-6.1, or the path. */
static const char *directory_of(struct arena *a, const char *path)
{
	static const char below[] = "/usr/lib/";
	size_t len = strlen(below);

	if (!strncmp(path, below, len))
		return arena_strndup(a, path, len + strcspn(path + len, "/"));
	return path;
}

static const char *options_for(struct arena *a, const char *path)
{
	const char *dir = directory_of(a, path);

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strncmp(path, places[i].below, strlen(places[i].below)))
			return places[i].options;
	return arena_printf(a, "-v %s:%s:ro", dir, dir);
}

const char *mount_lacking(struct session *s, const char *release, const char *path)
{
	struct utsname u;
	const char *place;

	if (!confined_by_engine() || uname(&u) || strcmp(u.release, release))
		return NULL;
	place = path_leads_to(s->arena, path);
	return arena_printf(s->arena,
			    "in a container, mount the host's: %s (man stap-in-containers)",
			    options_for(s->arena, place ? place : path));
}

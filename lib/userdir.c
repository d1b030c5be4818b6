/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/userdir.h"

#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"

/* Returns $HOME, unless it is another user's (sudo may leave it so). */
static const char *home_dir(struct arena *a)
{
	const char *home = getenv("HOME");
	struct passwd *user;
	struct stat st;

	if (home && *home == '/' && !stat(home, &st) && st.st_uid == geteuid())
		return home;
	user = getpwuid(geteuid());
	return user && user->pw_dir && *user->pw_dir == '/' ? arena_strdup(a, user->pw_dir) : NULL;
}

const char *userdir_find(struct arena *a)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home;

	if (dir && *dir)
		return dir;
	home = home_dir(a);
	return home ? arena_printf(a, "%s/.systemtap", home) : NULL;
}

const char *userdir_shared(void)
{
	const char *dir = getenv("SYSTEMTAP_SHARED_DIR");

	return dir && *dir ? dir : "/var/cache/stap-shared";
}

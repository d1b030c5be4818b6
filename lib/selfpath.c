/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/selfpath.h"

#include <string.h>
#include <unistd.h>

bool selfpath_dir(char dir[PATH_MAX])
{
	ssize_t n = readlink(SELFPATH_EXE, dir, PATH_MAX - NAME_MAX);

	if (n <= 0 || n == PATH_MAX - NAME_MAX || *dir != '/')
		return false;
	dir[n] = 0;
	strrchr(dir, '/')[1] = 0;
	return true;
}

bool selfpath_find(const char *const *places, size_t n, char path[PATH_MAX])
{
	size_t len;

	if (!selfpath_dir(path))
		return false;
	len = strlen(path);
	for (size_t i = 0; i < n; i++) {
		if (strlen(places[i]) >= PATH_MAX - len)
			continue;
		strcpy(path + len, places[i]);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

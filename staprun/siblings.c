/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See siblings.h. */
#include "staprun/siblings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/selfpath.h"
#include "staprun/image.h"
#include "staprun/report.h"

#define PROGRAM_MOST 32 /* limit of a program's name */

/*
 * True: only root can have put files into this directory. A hard link to a set-uid
 * staprun may be in any directory, next to any file.
 */
static bool is_trusted_place(const char *path)
{
	char dir[PATH_MAX];
	int fd;

	if (!getuid())
		return true;
	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = 0;
	fd = image_open_root_dir(*dir ? dir : "/");
	if (fd >= 0)
		close(fd);
	else
		report_error("%s: writable by users other than root, so nothing in it is run", dir);
	return fd >= 0;
}

bool siblings_find(const char *program, char path[PATH_MAX])
{
	static const char *const places[] = { "", "../libexec/stap/" };
	char *base;

	if (!selfpath_dir(path)) {
		report_error("%s cannot be read", SELFPATH_EXE);
		return false;
	}
	base = path + strlen(path);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		sprintf(base, "%s%.*s", places[i], PROGRAM_MOST, program);
		if (!access(path, X_OK))
			return is_trusted_place(path);
	}
	*base = 0;
	report_error("%s is neither in %s nor in %s../libexec/stap", program, path, path);
	return false;
}

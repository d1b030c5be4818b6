/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See newfile.h. */
#include "trace/sink/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"

static void report(const char *name, const char *kind)
{
	if (errno == EEXIST)
		message_error("%s: it exists already: remove it, or name another %s", name, kind);
	else
		message_error("%s: %s", name, strerror(errno));
}

int newfile_open(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		report(file, "file");
	return fd;
}

FILE *newfile_stream(const char *file)
{
	int fd = newfile_open(file);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f && fd >= 0) {
		report(file, "file");
		close(fd);
	}
	return f;
}

bool newfile_close(FILE *f, const char *file)
{
	bool wrong = ferror(f);

	wrong |= fclose(f) != 0;
	if (wrong)
		message_error("%s: it cannot be written: %s", file, strerror(errno));
	return !wrong;
}

bool newfile_directory(const char *dir)
{
	if (!mkdir(dir, 0777))
		return true;
	report(dir, "directory");
	return false;
}

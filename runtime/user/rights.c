/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/capsets.h"
#include "user/rights.h"

static bool has_any(const capset c)
{
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		if (c[i].permitted)
			return true;
	return false;
}

void rights_keep(void)
{
	static const struct rlimit none = { 0, 0 };
	capset c;

	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (capsets_get(c))
		return;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		c[i].inheritable = 0;
	capsets_set(c);
	if (!getuid() || !has_any(c))
		return;
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
}

/* Reads the whole file, and adds a 0. */
static char *read_texts(int fd, size_t *size)
{
	struct stat st;
	char *ret;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size < 0)
		return NULL;
	ret = calloc(1, (size_t)st.st_size + 1);
	n = ret ? pread(fd, ret, (size_t)st.st_size, 0) : -1;
	*size = (size_t)st.st_size;
	return n == st.st_size ? ret : NULL;
}

/*
 * True: the C library of this process would read a file that the variable names, for
 * local times.
 */
static bool names_file(const char *variable)
{
	const char *zone = strncmp(variable, "TZ=", 3) ? NULL : variable + 3;

	return !strncmp(variable, "TZDIR=", 6) ||
	       (zone && (*zone == '/' || *zone == ':' || strstr(zone, "..")));
}

bool rights_take_environment(int fd)
{
	size_t size, count = 0;
	char *texts = read_texts(fd, &size), **list;

	close(fd);
	if (!texts)
		return false;
	for (size_t i = 0; i < size; i++)
		count += !texts[i];
	list = calloc(count + 2, sizeof(*list));
	if (!list)
		return false;
	for (size_t i = 0, at = 0; at < size; at += strlen(texts + at) + 1)
		if (!names_file(texts + at))
			list[i++] = texts + at;
	environ = list;
	return true;
}

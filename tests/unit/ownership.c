/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun/ownership.c: a module that cannot be looked at is not taken for none, which
 * would let its owner load more.
 */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

static const char *place; /* stands for /proc */

static DIR *open_place(const char *path)
{
	(void)path;
	return opendir(place);
}

#define opendir(path) open_place(path)
#include "staprun/ownership.c"
#undef opendir

/* Modules are directories; those named "busy" or "gone" cannot be looked at. */
bool kmodule_find(struct kmodule *m, const char *name)
{
	*m = (struct kmodule){ .name = name, .dir = -1, .owner = getuid() };
	errno = strstr(name, "busy") ? ENOMEM : strstr(name, "gone") ? ENOENT : 0;
	return !errno;
}

void kmodule_close(struct kmodule *m)
{
	(void)m;
}

bool kmodule_look(const struct kmodule *m, struct kmodule_state *ret)
{
	(void)m;
	(void)ret;
	return true;
}

bool caller_may_all(const struct caller *c)
{
	(void)c;
	return false;
}

static unsigned errors;

void report_error(const char *fmt, ...)
{
	(void)fmt;
	errors++;
}

static bool count(const struct kmodule *m, void *ctx)
{
	(void)m;
	++*(unsigned *)ctx;
	return true;
}

static const char *const names[] = { STP_PROC_PREFIX "one", STP_PROC_PREFIX "gone",
				     STP_PROC_PREFIX "busy" };

static void found(void)
{
	unsigned n = 0;

	CHECK(!mkdir(names[0], 0700) && !mkdir(names[1], 0700));
	CHECK(ownership_each(NULL, NULL, count, &n));
	CHECK_LONG(n, 1);
	CHECK_LONG(errors, 0);
}

static void unknown(void)
{
	unsigned n = 0;

	CHECK(!mkdir(names[2], 0700));
	CHECK(!ownership_each(NULL, NULL, count, &n));
	CHECK_LONG(n, 1);
	CHECK_LONG(errors, 1);
	place = "absent";
	CHECK(!ownership_each(NULL, NULL, count, &n));
	CHECK_LONG(errors, 2);
}

int main(void)
{
	char dir[] = "/tmp/stap-own-XXXXXX";

	if (!unit_enter(dir))
		return 1;
	place = dir;
	RUN(found);
	RUN(unknown);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		rmdir(names[i]);
	unit_leave(dir);
	return unit_end();
}

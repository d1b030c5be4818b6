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

static unsigned looks; /* at a module that is "coming", and comes at the third one */

/* Modules are directories; those named "busy" or "gone" cannot be looked at. */
bool kmodule_find(struct kmodule *m, const char *name)
{
	bool has_come = !strstr(name, "coming") || ++looks == 3;

	*m = (struct kmodule){ .name = name, .dir = -1, .owner = getuid() };
	errno = strstr(name, "busy") ? ENOMEM : strstr(name, "gone") || !has_come ? ENOENT : 0;
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

bool kmodule_is_gone(int error)
{
	return error == ENOENT;
}

bool kmodule_is_passing(const char *name)
{
	return strstr(name, "coming");
}

void kmodule_pause(void)
{
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

/* A module that is being loaded is waited for, but not for ever. */
static void coming(void)
{
	struct kmodule m;

	errors = 0;
	CHECK(ownership_find(&m, "coming", NULL));
	CHECK_LONG(looks, 3);
	CHECK_LONG(errors, 0);
	CHECK(!ownership_find(&m, "gone", NULL));
	CHECK(!ownership_find(&m, "coming, and never there", NULL));
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
	RUN(coming);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		rmdir(names[i]);
	unit_leave(dir);
	return unit_end();
}

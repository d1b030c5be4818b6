/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ownership.h. */
#include "staprun/ownership.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "staprun/caller.h"
#include "staprun/kmodule.h"
#include "staprun/report.h"
#include "uapi/msg.h"

static bool is_loaded(const char *name)
{
	char path[320];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

static bool is_callers(const struct kmodule *m, const struct caller *c)
{
	return m->owner == getuid() || caller_may_all(c);
}

/* A module has no files before it is loaded, and none left while it is being removed. */
static bool find_patiently(struct kmodule *m, const char *name)
{
	for (int i = 0; !kmodule_find(m, name); i++) {
		if (i == KMODULE_TRIES || !kmodule_is_passing(name))
			return false;
		kmodule_pause();
	}
	return true;
}

bool ownership_find(struct kmodule *m, const char *name, const struct caller *c)
{
	if (!find_patiently(m, name)) {
		report_error(is_loaded(name) ? "module %s is not one of stap's: left alone"
					     : "no module %s is loaded",
			     name);
		return false;
	}
	if (is_callers(m, c))
		return true;
	report_error("module %s is another user's: left alone", name);
	kmodule_close(m);
	return false;
}

/*
 * Finds a module for ownership_each(). One that has gone is not an error; any other
 * failure is.
 */
static bool find_each(struct kmodule *m, const char *name, bool *ok)
{
	if (kmodule_find(m, name))
		return true;
	if (kmodule_is_gone(errno))
		return false;
	report_error("module %s cannot be looked at: %s", name, strerror(errno));
	*ok = false;
	return false;
}

bool ownership_each(const struct caller *c, bool (*is_meant)(const struct kmodule_state *s),
		    bool (*fn)(const struct kmodule *m, void *ctx), void *ctx)
{
	static const char prefix[] = STP_PROC_PREFIX;
	DIR *d = opendir("/proc");
	struct kmodule_state s;
	struct dirent *e;
	struct kmodule m;
	bool ok = true;

	while (d && (errno = 0, e = readdir(d))) {
		if (strncmp(e->d_name, prefix, sizeof(prefix) - 1) ||
		    !find_each(&m, e->d_name + sizeof(prefix) - 1, &ok))
			continue;
		if (is_callers(&m, c) && (!is_meant || (kmodule_look(&m, &s) && is_meant(&s))))
			ok &= fn(&m, ctx);
		kmodule_close(&m);
	}
	if (errno) {
		report_error("/proc: %s", strerror(errno));
		ok = false;
	}
	if (d)
		closedir(d);
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rlimits.h. */
#include "staprun/rlimits.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "staprun/report.h"

static struct limit {
	int resource;
	const char *name;
	rlim_t least;
	rlim_t enough; /* if it cannot be raised: small machines have low hard limits */
	rlim_t stapio; /* least for stapio: with less it would die, unable to report why */
	bool stays;    /* stapio needs it as well */
	bool raised;
	struct rlimit before;
} limits[] = {
	{ .resource = RLIMIT_NOFILE, .name = "open files", .stays = true },
	{ .resource = RLIMIT_FSIZE, .name = "file size", .least = 1 << 20 },
	{ .resource = RLIMIT_CPU, .name = "CPU time", .least = 3600 },
	{ .resource = RLIMIT_AS, .name = "address space", .least = 1 << 30, .stapio = 16 << 20 },
	{ .resource = RLIMIT_DATA, .name = "data", .least = 1 << 30, .stapio = 1 << 20 },
	{ .resource = RLIMIT_STACK, .name = "stack", .least = 1 << 20, .stapio = 128 << 10 },
	{ .resource = RLIMIT_NPROC, .name = "processes", .least = 4096, .enough = 256 },
	{ .resource = RLIMIT_SIGPENDING, .name = "pending signals", .least = 64 },
};

#define LIMITS (sizeof(limits) / sizeof(limits[0]))

/* Returns the least value: one descriptor for each ring and a few, or the limit's own. */
static rlim_t least_of(const struct limit *l)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return l->resource == RLIMIT_NOFILE ? (rlim_t)(cpus > 0 ? cpus : 1) + 64 : l->least;
}

/* Raises a limit. False: the hard limit is lower, and raising it is not permitted. */
static bool set_limit(const struct limit *l, rlim_t least)
{
	rlim_t most = l->before.rlim_max < least ? least : l->before.rlim_max;
	struct rlimit now = { least, most };

	return !setrlimit(l->resource, &now);
}

static bool raise_one(struct limit *l)
{
	rlim_t least = least_of(l);

	if (getrlimit(l->resource, &l->before))
		return false;
	// A limit that is high enough stays as it is, for the commands that inherit it.
	if (l->before.rlim_cur >= least)
		return true;
	l->raised = set_limit(l, least) || (l->enough && l->before.rlim_max >= l->enough &&
					    set_limit(l, l->before.rlim_max));
	return l->raised;
}

bool rlimits_raise(void)
{
	for (unsigned i = 0; i < LIMITS; i++) {
		if (raise_one(&limits[i]))
			continue;
		report_error("the limit of %s is too low, and raising it failed: %s",
			     limits[i].name, strerror(errno));
		return false;
	}
	return true;
}

bool rlimits_restore(void)
{
	for (unsigned i = 0; i < LIMITS; i++) {
		const struct limit *l = &limits[i];

		if (!l->raised || l->stays)
			continue;
		if (l->before.rlim_cur < l->stapio) {
			report_error("no memory for stapio: the limit of %s is %ju kB, and it "
				     "needs at least %ju (ulimit)",
				     l->name, (uintmax_t)l->before.rlim_cur >> 10,
				     (uintmax_t)l->stapio >> 10);
			return false;
		}
		setrlimit(l->resource, &l->before);
	}
	return true;
}

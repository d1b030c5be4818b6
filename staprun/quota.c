/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See quota.h. */
#include "staprun/quota.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun/caller.h"
#include "staprun/load.h"
#include "staprun/kmodule.h"
#include "staprun/ownership.h"
#include "staprun/report.h"
#include "staprun/run.h"
#include "staprun/smallfile.h"

/*
 * The lock is a byte of a file for each user, at the user's number. A user can stop a
 * staprun that holds the lock, but only that user then waits. No user can open this file,
 * so none can lock the bytes of others, and it exists wherever /proc does.
 */
#define LOCK_FILE "/proc/vmallocinfo"

/* The part of the machine's memory that users' modules cannot get. */
#define MACHINE_PART 16

static bool set_lock(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = getuid(), .l_len = 1 };

	return !fcntl(fd, F_OFD_SETLK, &l);
}

/*
 * Waits for the user's lock, until the other staprun has loaded its module or this one is
 * asked to end.
 */
static bool take_lock(struct quota *q, const struct run_signals *signals)
{
	q->lock = open(LOCK_FILE, O_RDWR | O_CLOEXEC);
	while (q->lock >= 0) {
		if (set_lock(q->lock, F_WRLCK))
			return true;
		if (errno != EAGAIN && errno != EACCES)
			break;
		if (run_is_interrupted(signals))
			return false;
		kmodule_pause();
	}
	report_error(LOCK_FILE ": %s", strerror(errno));
	return false;
}

static bool add(const struct kmodule *m, void *ctx)
{
	struct quota *q = ctx;
	uint64_t bytes;

	if (!kmodule_memory(m, &bytes)) {
		report_error("module %s cannot be looked at: %s", m->name, strerror(errno));
		return false;
	}
	q->runs++;
	q->bytes += bytes;
	return true;
}

static void say_who(void)
{
	report_hint("root can allow more in " QUOTAFILE_PATH " (staprun(8), \"Limits of a user\")");
}

static unsigned megabytes(uint64_t bytes)
{
	return (unsigned)(bytes >> 20);
}

static uint64_t memory_field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) << 10 : 0;
}

/*
 * Returns how much memory users' modules may still take before the machine has too
 * little. The kernel cannot swap out the memory of modules, nor free it by ending a
 * process.
 */
static uint64_t machine_left(void)
{
	char text[2048];
	uint64_t available, kept;

	smallfile_read("/proc/meminfo", text, sizeof(text));
	if (!strstr(text, "MemAvailable:"))
		return QUOTA_UNLIMITED;
	available = memory_field(text, "MemAvailable:");
	kept = memory_field(text, "MemTotal:") / MACHINE_PART;
	return available > kept ? available - kept : 0;
}

void quota_explain(const struct quota *q)
{
	if (q->is_machine_full)
		report_hint("the machine has not enough memory available: 1/%d of it stays free "
			    "of users' modules (staprun(8), \"Limits of a user\")",
			    MACHINE_PART);
	else
		report_hint("of the %u MB that a user may have, your loaded modules (%" PRIu64
			    ") have %u",
			    megabytes(q->limits.bytes), q->runs, megabytes(q->bytes));
	report_hint("smaller buffers (-s MB) may do; staprun -d NAME removes a module");
	if (!q->is_machine_full)
		say_who();
}

static bool refuse_runs(const struct quota *q)
{
	report_error("you have loaded %" PRIu64 " of the %" PRIu64
		     " modules that a user may have at a time",
		     q->runs, q->limits.runs);
	report_hint("staprun -d NAME removes one; staprun --status '*' lists them");
	say_who();
	return false;
}

/* Computes how much memory the module may use. */
static bool set_memory(struct quota *q, const struct load *l)
{
	uint64_t taken = q->bytes + l->image.size;
	uint64_t left = q->limits.bytes > taken ? q->limits.bytes - taken : 0;
	uint64_t machine = machine_left();

	if (q->limits.bytes == QUOTA_UNLIMITED)
		left = QUOTA_UNLIMITED;
	q->is_machine_full = machine < left;
	if (q->is_machine_full)
		left = machine;
	if (left == QUOTA_UNLIMITED)
		return true;
	if (!megabytes(left)) {
		report_error("%s: it needs more of the kernel's memory than is left to you",
			     l->path);
		quota_explain(q);
		return false;
	}
	q->megabytes = megabytes(left);
	return true;
}

static bool check(struct quota *q, const struct load *l, const struct caller *c)
{
	if (!ownership_each(c, NULL, add, q))
		return false;
	report_verbose("your modules: %" PRIu64 ", with %u MB", q->runs, megabytes(q->bytes));
	if (q->runs >= q->limits.runs)
		return refuse_runs(q);
	return set_memory(q, l);
}

bool quota_begin(struct quota *q, struct load *l, const struct caller *c,
		 const struct run_signals *signals)
{
	*q = (struct quota){ .lock = -1 };
	if (caller_may_all(c))
		return true;
	if (!quotafile_read(&q->limits))
		return false;
	if (take_lock(q, signals) && check(q, l, c)) {
		l->quota = q;
		return true;
	}
	quota_end(q);
	return false;
}

/*
 * Unlocks explicitly, because processes created in the meantime have the file open as
 * well.
 */
void quota_end(struct quota *q)
{
	if (q->lock < 0)
		return;
	set_lock(q->lock, F_UNLCK);
	close(q->lock);
	q->lock = -1;
}

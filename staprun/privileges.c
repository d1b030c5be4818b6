/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See privileges.h. */
#include "staprun/privileges.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/capsets.h"
#include "lib/streams.h"
#include "staprun/report.h"
#include "staprun/rlimits.h"

bool privileges_prepare(char ***environment)
{
	static char *empty[] = { NULL };

	*environment = environ;
	environ = empty;
	return rlimits_raise() && streams_open();
}

bool privileges_are_there(void)
{
	return capsets_have(CAP_SYS_MODULE);
}

bool privileges_are_for_programs(void)
{
	return capsets_have(CAP_BPF) && capsets_have(CAP_PERFMON);
}

bool privileges_are_callers(void)
{
	return !getauxval(AT_SECURE) && privileges_are_for_programs();
}

bool privileges_put_aside(struct privileges_aside *ret)
{
	*ret = (struct privileges_aside){ .euid = geteuid(), .egid = getegid() };
	if (!getuid())
		return true;
	return !capsets_get(ret->caps) && !setegid(getgid()) && !seteuid(getuid()) &&
	       capsets_suspend();
}

/*
 * Restores the suspended privileges. The kernel gives the permitted capabilities back to
 * a process that becomes user 0 again; a process of another user never was user 0.
 */
bool privileges_take_back(const struct privileges_aside *aside)
{
	return !getuid() ||
	       (!seteuid(aside->euid) && !capsets_set(aside->caps) && !setegid(aside->egid));
}

int privileges_open(const char *path, int flags)
{
	struct privileges_aside aside;
	int fd;

	if (!privileges_put_aside(&aside))
		return -EPERM;
	fd = open(path, flags);
	if (fd < 0)
		fd = -errno;
	if (privileges_take_back(&aside))
		return fd;
	if (fd >= 0)
		close(fd);
	return -EPERM;
}

/* Checks that privileges that were given up cannot come back. */
static bool is_user_for_good(void)
{
	uid_t uid = getuid(), real, effective, saved;

	return !getresuid(&real, &effective, &saved) && real == uid && effective == uid &&
	       saved == uid && (!uid || setuid(0));
}

static bool set_ids(void)
{
	gid_t gid = getgid();
	uid_t uid = getuid();

	return !setresgid(gid, gid, gid) && !setresuid(uid, uid, uid);
}

/*
 * Gives up all privileges. The bounding set stays: root's processes regain their
 * capabilities from it at exec, and the commands that stapio runs for root run as root.
 * stapio drops its own capabilities (stapio/capabilities.h). Any other user gets nothing
 * back.
 */
bool privileges_drop(void)
{
	if (!rlimits_restore())
		return false;
	if (!set_ids()) {
		report_error("becoming user %d: %s", (int)getuid(), strerror(errno));
		return false;
	}
	capng_clear(CAPNG_SELECT_CAPS);
	if (!capng_apply(CAPNG_SELECT_CAPS) && is_user_for_good())
		return true;
	report_error("dropping privileges: %s", strerror(errno));
	return false;
}

bool privileges_reduce(void)
{
	static const struct rlimit none = { 0, 0 };
	const unsigned kept[] = { CAP_SYS_MODULE, CAP_KILL, CAP_DAC_OVERRIDE };
	/* the third one is for reading the files, which belong to somebody else */
	const unsigned count = getuid() && geteuid() ? 3 : 2;
	bool had[3], updated = true;

	if (setrlimit(RLIMIT_CORE, &none)) {
		report_error("switching core dumps off: %s", strerror(errno));
		return false;
	}
	if (capng_get_caps_process()) {
		report_error("asking for capabilities: %s", strerror(errno));
		return false;
	}
	for (unsigned i = 0; i < count; i++)
		had[i] = capng_have_capability(CAPNG_PERMITTED, kept[i]);
	capng_clear(CAPNG_SELECT_CAPS);
	for (unsigned i = 0; i < count; i++)
		updated &= !had[i] ||
			   !capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, kept[i]);
	if (updated && !capng_apply(CAPNG_SELECT_CAPS))
		return true;
	report_error("reducing capabilities: %s", strerror(errno));
	return false;
}

/* Makes these all the capabilities that this process has, and its successor gets. */
static bool set_heritage(const unsigned *kept, unsigned count)
{
	capset c = { { 0 } };

	for (unsigned i = 0; i < count; i++) {
		struct __user_cap_data_struct *word = &c[CAP_TO_INDEX(kept[i])];

		word->permitted |= CAP_TO_MASK(kept[i]);
		word->effective = word->inheritable = word->permitted;
	}
	if (capsets_set(c) || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept[i], 0, 0))
			return false;
	return true;
}

bool privileges_become_program(bool is_root)
{
	static const unsigned kept[] = { CAP_BPF, CAP_PERFMON };
	static const struct rlimit none = { 0, 0 };

	if (!rlimits_restore())
		return false;
	if (is_root)
		return true;
	if (!setrlimit(RLIMIT_CORE, &none) && !prctl(PR_SET_KEEPCAPS, 1) && set_ids() &&
	    set_heritage(kept, sizeof(kept) / sizeof(kept[0])) && !prctl(PR_SET_KEEPCAPS, 0) &&
	    is_user_for_good())
		return true;
	report_error("leaving only CAP_BPF and CAP_PERFMON: %s", strerror(errno));
	return false;
}

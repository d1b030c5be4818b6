/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See remove.h. */
#include "staprun/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "staprun/attach.h"
#include "staprun/holder.h"
#include "staprun/kmodule.h"
#include "staprun/ownership.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "uapi/msg.h"

#define QUIET_TRIES 20

static bool is_busy(int error)
{
	return error == EAGAIN || error == EBUSY;
}

/* True: the module's reader has gone, and the kernel is removing its probes. */
static bool is_ending(const struct kmodule *m)
{
	struct kmodule_state s;

	return kmodule_look(m, &s) && !s.is_read && !s.is_kept && s.state != STP_LOADED &&
	       s.state != STP_STOPPED;
}

static int delete (const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
}

bool remove_module(const struct kmodule *m)
{
	int error = EAGAIN;

	STAP_PROBE1(staprun, remove__module, m->name);
	for (int i = 0; i < KMODULE_TRIES && (is_busy(error) || kmodule_may_pass(error)); i++) {
		if (i)
			kmodule_pause();
		// Removing ten thousand probes takes some time.
		if (is_ending(m))
			i = 0;
		error = kmodule_error(m);
		if (!error)
			error = delete (m->name);
	}
	// `staprun -d` may have removed it first.
	if (!error || error == ENOENT) {
		report_verbose("removed %s", m->name);
		return true;
	}
	report_error("removing module %s: %s", m->name,
		     is_busy(error) ? "it is still in use" : strerror(error));
	report_hint("it stays loaded and idle; later: staprun -d %s", m->name);
	return false;
}

bool remove_just_loaded(const char *name, uid_t owner)
{
	struct kmodule m;
	bool ok = true;
	int error;

	if (kmodule_find(&m, name)) {
		if (m.owner == owner)
			ok = remove_module(&m);
		kmodule_close(&m);
		return ok;
	}
	error = delete (name);
	if (error && error != ENOENT)
		report_error("removing module %s: %s", name, strerror(error));
	return !error || error == ENOENT;
}

/*
 * Asks a process to stop, with the user's rights, because the reader may be another
 * user. A pidfd keeps referring to the same process while it is checked: its number may
 * be reused by now.
 */
static bool ask_to_stop(pid_t pid, const struct kmodule *m)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct privileges_aside aside;
	bool ok = fd >= 0 && holder_has(pid, m);

	if (ok) {
		ok = privileges_put_aside(&aside) &&
		     !syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
		ok = privileges_take_back(&aside) && ok;
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Asks the process that runs the module to stop, and waits for it. */
static bool stop_run(const struct kmodule *m)
{
	pid_t pid = holder_find(m);
	struct kmodule_state s;

	if (pid <= 0 || !ask_to_stop(pid, m)) {
		report_error("module %s is in use by another process", m->name);
		return false;
	}
	report_verbose("asked process %d, which runs %s, to stop", (int)pid, m->name);
	for (int i = 0; i < KMODULE_TRIES; i++) {
		if (!kmodule_look(m, &s) || !s.is_read)
			return true;
		if (s.state == STP_EXITING)
			i = 0;
		kmodule_pause();
	}
	report_error("module %s: process %d does not stop (kill -9 %d ends it)", m->name, (int)pid,
		     (int)pid);
	return false;
}

/*
 * Lets one request after the other remove the module: a request that stops it has its
 * control file open, and is not to be taken for its reader by the next. Anybody may take
 * this lock, so that nobody waits for it without a bound.
 */
static void wait_for_turn(const struct kmodule *m)
{
	for (int i = 0; i < KMODULE_TRIES && flock(m->dir, LOCK_EX | LOCK_NB); i++)
		kmodule_pause();
}

/*
 * Ends and removes a module. It is not an error if the module has been removed in the
 * meantime.
 */
static bool end_and_remove(const struct kmodule *m)
{
	struct kmodule_state s;

	wait_for_turn(m);
	if (!kmodule_look(m, &s))
		return true;
	return (s.is_read ? stop_run(m) : attach_stop(m)) && remove_module(m);
}

bool remove_on_request(const char *name, const struct caller *c)
{
	struct kmodule m;
	bool ok;

	if (!ownership_find(&m, name, c))
		return false;
	ok = end_and_remove(&m);
	kmodule_close(&m);
	return ok;
}

bool remove_find_free(struct kmodule *m, const char *name, const struct caller *c)
{
	struct kmodule_state s;

	if (!ownership_find(m, name, c))
		return false;
	if (kmodule_look(m, &s) && !s.is_read)
		return true;
	report_error("module %s is read by process %d already", name, (int)holder_find(m));
	kmodule_close(m);
	return false;
}

static bool end_and_remove_each(const struct kmodule *m, void *unused)
{
	return end_and_remove(m);
}

static bool is_unread(const struct kmodule_state *s)
{
	return !s->is_read;
}

bool remove_all_left(const struct caller *c)
{
	return ownership_each(c, is_unread, end_and_remove_each, NULL);
}

static bool is_forsaken(const struct kmodule_state *s)
{
	return s->is_left;
}

/*
 * Removes a module without messages. Another process may be removing it as well: the
 * second one finds nothing, or finds it busy and leaves it to the first.
 */
static bool remove_quietly(const struct kmodule *m, void *unused)
{
	for (int i = 0; i < QUIET_TRIES && is_ending(m); i++)
		kmodule_pause();
	if (!kmodule_error(m) && !delete (m->name))
		report_verbose("removed %s, which a run that was killed had left", m->name);
	return true;
}

void remove_forsaken(const struct caller *c)
{
	ownership_each(c, is_forsaken, remove_quietly, NULL);
}

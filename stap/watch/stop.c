/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --stop: sends the request to the socket of a program of --runtime=user, so that a
 * reused process number does no harm; staprun ends modules.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/subprocess.h"
#include "stap/watch/absentruns.h"
#include "stap/watch/runs.h"
#include "stap/watch/sockets.h"

#define PATIENCE_MS 30000 /* time for a script's end probes */

static bool fails(const struct run *r, const char *what)
{
	fprintf(stderr, "stap: %s (process %d): %s\n", r->shown, (int)r->pid, what);
	return false;
}

/* Waits until the other side has gone: the other side sends nothing else. */
static bool wait_for_end(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	uint64_t end = clock_now() + PATIENCE_MS * UINT64_C(1000000), now;
	char byte;

	while ((now = clock_now()) < end) {
		if (poll(&p, 1, (int)((end - now) / 1000000 + 1)) <= 0)
			continue;
		if (recv(fd, &byte, 1, 0) <= 0 && errno != EAGAIN && errno != EINTR)
			return true;
		errno = 0;
	}
	return false;
}

static bool stop_program(const struct run *r)
{
	_cleanup_close_ int fd = sockets_connect(r);

	if (fd < 0 && errno == ESRCH)
		return true;
	if (fd < 0)
		return fails(r, errno == EAGAIN ? "it does not answer; kill -TERM ends it when it "
						  "continues, kill -KILL ends it without its end "
						  "probes"
						: strerror(errno));
	if (!sockets_ask(fd, "stop") || wait_for_end(fd))
		return true;
	return fails(r, "it was asked to stop, and has not ended after 30 seconds");
}

/*
 * A run without a reader gets one, staprun -A, which writes the unread output; other runs
 * are ended by their own readers.
 */
static int stop_module(struct session *s, const struct run *r)
{
	bool is_unread = r->is_kept && (r->address || !r->pid);
	bool attaches = is_unread && r->state != STP_LOADED && r->state != STP_STOPPED;
	const char *staprun = arena_printf(s->arena, "%s/staprun", s->bin_dir);
	const char *ending[] = { staprun, "-d", r->name, NULL };
	const char *output = s->options->output;
	const char *attaching[] = { staprun, "-A", "--timeout=0", r->name, output ? "-o" : NULL,
				    output,  NULL };
	struct process_result result;
	struct error *err;

	fflush(NULL);
	err = subprocess_run(s->arena, NULL, (char *const *)(attaches ? attaching : ending), false,
			     &result);
	if (err)
		fprintf(stderr, "stap: %s\n", err->text);
	return err ? 1 : result.status;
}

/*
 * Ends the named runs as ^C would, and waits for their end. Sets *status to 1 if there
 * are none, or if one could not be ended.
 */
struct error *watch_stop(struct session *s, int *status)
{
	const char *pattern = s->options->wanted_word;
	struct runs runs;
	struct error *err = runs_find(s, pattern, &runs);

	if (err)
		return err;
	if (!runs.list.count) {
		absentruns_say(s, pattern, &runs);
		*status = 1;
	}
	vec_each(&runs.list, i) {
		const struct run *r = &runs.list.data[i];
		int end = r->address && !r->is_kept ? !stop_program(r) : stop_module(s, r);

		if (end && !*status)
			*status = end;
		if (s->options->verbose)
			fprintf(stderr, "stap: %s %s\n", end ? "could not end" : "ended", r->shown);
	}
	return NULL;
}

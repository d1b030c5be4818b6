/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See loop.h. */
#include "stapio/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "stapio/background.h"
#include "stapio/gathering.h"
#include "stapio/places.h"
#include "trace/books.h"
#include "trace/messages.h"
#include "trace/source/module.h"

#define WAIT_HELD_MS   10 /* records wait for the horizon */
#define WAIT_FULL_MS   1  /* a buffer is full */
#define STATE_EVERY_NS 50000000u
#define TOLD_EVERY_NS  2000000000u

static void fail(struct run *r, const char *what, int rc)
{
	output_flush(&r->output);
	message_error("%s: %s", what, strerror(-rc));
	r->broken = true;
}

/* ---- events ---- */

static void on_children(struct run *r)
{
	int status;
	pid_t pid;

	r->signals.child = false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (target_reaped(&r->target, pid, status)) {
			message_verbose("the command has ended");
			r->stop_wanted = true;
		} else if (!r->form->reaped(pid, status)) {
			commands_reaped(&r->commands, pid);
		}
	}
}

static void on_signals(struct run *r)
{
	bool before = r->signals.stop;

	signals_read(&r->signals);
	if (r->signals.stop && !before)
		message_verbose("asked to stop");
	r->stop_wanted |= r->signals.stop;
	r->gave_up |= r->signals.interrupts > 1 || r->signals.hurry;
	if (r->gave_up)
		message_hurry();
	if (r->signals.child)
		on_children(r);
}

static void show_books(struct run *r)
{
	struct books books;
	const char *wrong = module_parse_books(r->module, &books);

	output_flush(&r->output);
	r->form->stored(r, &books);
	if (wrong)
		message_error("%s", wrong);
	else
		books_print(&books);
	if (!wrong)
		records_books(&r->records, &books, r->merge.records, false);
	books_deinit(&books);
}

static void serve_signals(struct run *r)
{
	r->form->look_at_clock(r);
	if (r->signals.books)
		show_books(r);
	r->signals.books = false;
	if (r->signals.next_file)
		r->form->next_file(r);
	r->signals.next_file = false;
}

static void on_target_end(struct run *r)
{
	message_verbose("process %d has ended", (int)r->target.pid);
	r->target.ended = true;
	r->stop_wanted = true;
}

/* Tells systemd that the run continues, and its state. */
static void tell_state(struct run *r, const struct stp_status *s)
{
	char text[160];

	notify_alive(&r->notify);
	if (r->notify.fd < 0 || r->checked - r->told < TOLD_EVERY_NS)
		return;
	r->told = r->checked;
	snprintf(text, sizeof(text),
		 "STATUS=%" PRIu64 " hits, %" PRIu64 " dropped, %" PRIu64 " skipped", s->hits,
		 s->dropped, s->skipped);
	notify_say(&r->notify, text);
}

/* Returns 0 or -errno. */
static int look_at_state(struct run *r)
{
	struct stp_status status;
	int rc = module_status(r->module, &status);

	r->checked = clock_now();
	if (!rc)
		tell_state(r, &status);
	if (!rc && status.state >= STP_EXITING && !r->stop_wanted) {
		message_verbose("the script asks to be stopped");
		r->stop_wanted = true;
	}
	return rc;
}

static void check_state(struct run *r)
{
	int rc = look_at_state(r);

	if (rc)
		fail(r, "asking the module for its state", rc);
}

/* Notifies the process that waits until the script runs, and gives the terminal back. */
static void go_to_background(struct run *r)
{
	if (write(r->ready, "", 1) != 1)
		message_verbose("nothing is waiting for the start");
	close(r->ready);
	r->ready = -1;
	message_to_log(true);
	background_streams();
	commands_go_to_background(&r->commands);
}

static void on_started(struct run *r, int rc)
{
	const char *error = r->control.error;

	output_flush(&r->output);
	if (rc) {
		message_error("%s", rc == -ECANCELED && error[0] ? error : strerror(-rc));
		return;
	}
	if (r->ready >= 0)
		go_to_background(r);
	notify_say(&r->notify, "READY=1");
	check_state(r);
	if (!r->leave)
		input_open(&r->input, r->name);
	places_confine(r);
	gathering_start(r->module);
	message_verbose("probes are in place");
}

/* Handles a change that the control thread reports. Several phases may have passed. */
static void on_control(struct run *r)
{
	enum control_phase before = r->control.phase;
	int rc = control_look(&r->control);
	enum control_phase phase = r->control.phase;

	r->stop_wanted |= phase == CONTROL_STOPPING || phase == CONTROL_STOPPED;
	if (before == CONTROL_STARTING && phase != CONTROL_STARTING)
		on_started(r, phase == CONTROL_FAILED ? rc : 0);
	if (phase != CONTROL_STOPPED)
		return;
	if (rc)
		fail(r, "stopping the module", rc);
	else
		message_verbose("probes are removed");
}

/*
 * Detaches from a running script; waits for one that is ending. Records that were read
 * are written, but no more are read.
 */
static void detach_when_wanted(struct run *r)
{
	int rc;

	if (!(r->signals.detach || r->leave) || r->stop_wanted ||
	    r->control.phase != CONTROL_RUNNING)
		return;
	r->stop_wanted = !control_leave(&r->control);
	if (r->stop_wanted)
		return;
	rc = module_detach(r->module);
	if (rc)
		fail(r, "detaching", rc);
	r->detached = !rc;
}

ssize_t loop_read(void *run, unsigned ring, void *buf, size_t size)
{
	const struct run *r = run;

	// From then on the module's output is for another reader.
	if (r->detached || (r->leave && r->control.phase == CONTROL_STARTING))
		return 0;
	return module_ring_read(r->module, ring, buf, size);
}

static bool is_over(const struct run *r)
{
	return r->gave_up || r->detached || r->broken || r->control.phase == CONTROL_STOPPED ||
	       r->control.phase == CONTROL_FAILED;
}

static void stop_when_wanted(struct run *r)
{
	if (!r->stop_wanted || r->control.asked || r->control.phase > CONTROL_RUNNING)
		return;
	message_verbose("stopping");
	notify_say(&r->notify, "STOPPING=1");
	control_stop(&r->control);
}

/* ---- waiting ---- */

static int timeout_ms(const struct run *r)
{
	if (r->merge.full)
		return WAIT_FULL_MS;
	if (r->muted || r->held || r->control.phase == CONTROL_STOPPING)
		return WAIT_HELD_MS;
	return r->wait_ms ? r->wait_ms : LOOP_WAIT_MS;
}

static void wait_events(struct run *r)
{
	enum { CTL, SIGNALS, CONTROL, TARGET, READER, INPUT, COUNT };
	struct pollfd p[COUNT] = {
		[CTL] = { .fd = r->muted ? -1 : module_poll_fd(r->module), .events = POLLIN },
		[SIGNALS] = { .fd = r->signals.fd, .events = POLLIN },
		[CONTROL] = { .fd = r->control.news, .events = POLLIN },
		[TARGET] = { .fd = r->target.ended ? -1 : r->target.pidfd, .events = POLLIN },
		[READER] = { .fd = r->output.is_pipe && !r->output.error ? r->output.fd : -1 },
		[INPUT] = { .fd = input_poll_fd(&r->input), .events = POLLIN },
	};

	if (poll(p, COUNT, timeout_ms(r)) < 0 && errno != EINTR)
		fail(r, "poll", -errno);
	r->muted = false;
	if (p[SIGNALS].revents)
		on_signals(r);
	if (p[CONTROL].revents)
		on_control(r);
	detach_when_wanted(r);
	if (p[TARGET].revents)
		on_target_end(r);
	if (p[READER].revents & POLLERR)
		output_hangup(&r->output);
	if (p[INPUT].revents)
		input_serve(&r->input);
	r->called = p[CTL].revents;
}

bool loop_wait(void *run, int fd)
{
	struct run *r = run;
	struct pollfd p[] = { { .fd = fd, .events = POLLOUT },
			      { .fd = r->signals.fd, .events = POLLIN } };

	if (poll(p, 2, LOOP_WAIT_MS) > 0 && p[1].revents)
		on_signals(r);
	// The script may have called exit(). The control thread watches the time and the
	// target.
	look_at_state(r);
	stop_when_wanted(r);
	// A disk may be full for days: a script that must end does not wait for it.
	return !r->gave_up && (fd >= 0 || !r->stop_wanted);
}

/* ---- reading ---- */

/* Returns the number of records passed on, or -1: the stream is broken. */
static long read_round(struct run *r, uint64_t horizon)
{
	long n = r->form->round(r, horizon);

	r->broken |= n < 0;
	return n;
}

static void read_some(struct run *r)
{
	uint64_t horizon = 0;
	int rc = module_horizon(r->module, &horizon);

	if (rc) {
		fail(r, "asking the module for its horizon", rc);
		return;
	}
	long n = read_round(r, horizon);
	// The module has an event that is not output, or output that cannot be passed on
	// yet: do not spin on it.
	r->muted = n == 0 && r->called;
	// While records keep coming, some are always too young: they are emitted in a
	// later round.
	r->held = n == 0 && r->merge.nheap;
	r->stop_wanted |= r->output.error != 0;
}

static void drain(struct run *r)
{
	while (!r->gave_up && !r->broken && read_round(r, MERGE_FINAL) > 0)
		;
}

static void finish_commands(struct run *r)
{
	unsigned before = r->signals.interrupts;

	while (!commands_idle(&r->commands) && !r->gave_up) {
		struct pollfd p = { .fd = r->signals.fd, .events = POLLIN };

		poll(&p, 1, -1);
		on_signals(r);
		// The user does not want to wait for the commands: leave them running.
		r->gave_up |= r->signals.interrupts > before;
	}
}

void loop_run(struct run *r)
{
	r->output.wait = loop_wait;
	r->output.wait_ctx = r;
	while (!is_over(r)) {
		wait_events(r);
		if (is_over(r))
			break;
		serve_signals(r);
		read_some(r);
		if (!r->broken && (clock_now() - r->checked > STATE_EVERY_NS || r->muted))
			check_state(r);
		detach_when_wanted(r);
		stop_when_wanted(r);
	}
	input_close(&r->input);
	drain(r);
	finish_commands(r);
}

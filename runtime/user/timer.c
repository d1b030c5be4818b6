/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.*: one timerfd per point, and the loop that waits for them. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/port.h"
#include "core/session.h"
#include "user/user.h"

#define OTHER_POLLS 4

static struct {
	/*
	 * Same order as probes; then the reader of the output, the process of -c or -x,
	 * the run's socket, and points in the kernel.
	 */
	struct pollfd *polls;
	const struct stp_probe **probes;
	unsigned n;
} timers;

static uint64_t timer_interval(const struct stp_point_timer *point)
{
	uint64_t unit = point->jiffies ? 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK) : 1;
	uint64_t interval = point->interval;

	if (point->random) {
		uint64_t shift = (uint64_t)stp_random(2 * point->random + 1);

		interval = interval + shift > point->random ? interval + shift - point->random : 1;
	}
	return interval ? interval * unit : unit;
}

/*
 * Arms the timer. Random intervals are drawn again after each hit; the others repeat by
 * themselves, without drifting.
 */
static int timer_arm(int fd, const struct stp_point_timer *point)
{
	uint64_t ns = timer_interval(point);
	struct itimerspec when = { .it_value = { (time_t)(ns / 1000000000u),
						 (long)(ns % 1000000000u) } };

	if (!point->random)
		when.it_interval = when.it_value;
	return timerfd_settime(fd, 0, &when, NULL);
}

static void timers_free(void)
{
	for (unsigned i = 0; i < timers.n; i++)
		close(timers.polls[i].fd);
	free(timers.polls);
	free(timers.probes);
	memset(&timers, 0, sizeof(timers));
}

static int timers_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	timers.polls = calloc(n + OTHER_POLLS, sizeof(timers.polls[0]));
	timers.probes = calloc(n, sizeof(timers.probes[0]));
	if (!timers.polls || !timers.probes)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		if (!user_timer_prepare(probes[i]))
			return -ECANCELED;
	for (unsigned i = 0; i < n; i++) {
		int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

		if (fd < 0 || timer_arm(fd, probes[i]->point)) {
			stp_setup_error("%s: %s", probes[i]->pp, strerror(errno));
			if (fd >= 0)
				close(fd);
			timers_free();
			return -ECANCELED;
		}
		timers.polls[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
		timers.probes[i] = probes[i];
		timers.n = i + 1;
	}
	return 0;
}

static void timers_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	timers_free();
}

static const char *timers_type(const struct stp_probe *p)
{
	return ((const struct stp_point_timer *)p->point)->jiffies ? "timer" : "hrtimer";
}

const struct stp_family stp_family_timer = {
	.name = "timer",
	.is_of_script = true,
	.add = timers_add,
	.remove = timers_remove,
	.type = timers_type,
};

void user_timers_run(int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	struct pollfd alone[OTHER_POLLS], *polls = timers.polls ? timers.polls : alone;
	sigset_t none;
	int due;

	/*
	 * Signals are delivered only here: handlers of the script are never interrupted.
	 */
	sigemptyset(&none);
	polls[timers.n] = (struct pollfd){ .fd = user_drain_reader() };
	polls[timers.n + 1] = (struct pollfd){ .fd = user_target_watch(), .events = POLLIN };
	polls[timers.n + 2] = (struct pollfd){ .fd = user_control_poll(), .events = POLLIN };
	polls[timers.n + 3] = (struct pollfd){ .fd = user_waker(), .events = POLLIN };
	due = ppoll(polls, timers.n + OTHER_POLLS, timeout_ms < 0 ? NULL : &timeout, &none);
	if (due > 0 && polls[timers.n].revents & POLLERR)
		user_drain_hangup();
	for (unsigned i = 0; due > 0 && i < timers.n && stp_session_state() == STP_RUNNING; i++) {
		uint64_t times;

		if (read(timers.polls[i].fd, &times, sizeof(times)) != sizeof(times))
			continue;
		user_hit(timers.probes[i]);
		if (((const struct stp_point_timer *)timers.probes[i]->point)->random)
			timer_arm(timers.polls[i].fd, timers.probes[i]->point);
	}
	if (due > 0 && polls[timers.n + 1].revents)
		user_target_ended();
	if (due > 0 && polls[timers.n + 2].revents)
		user_control_serve();
	if (due > 0 && polls[timers.n + 3].revents)
		user_woken();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See control.h. */
#include "stapio/control.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "trace/source/module.h"

#define STACK (128u << 10) /* the default may exceed the available memory */
#define NS    1000000000u

static void enter(struct control *c, enum control_phase phase)
{
	atomic_store(&c->now, phase);
	eventfd_write(c->news, 1);
}

static bool is_asked(const struct control *c)
{
	struct pollfd p = { .fd = c->ask, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* Waits for a request to end, the end of the target, or the end of the time limit. */
static void wait_end(const struct control *c)
{
	struct pollfd p[] = {
		{ .fd = c->ask, .events = POLLIN },
		{ .fd = c->target, .events = POLLIN },
	};
	uint64_t end = c->timeout_ns ? clock_now() + c->timeout_ns : 0;

	for (;;) {
		uint64_t now = end ? clock_now() : 0, left = end > now ? end - now : 0;
		struct timespec t = { .tv_sec = (time_t)(left / NS), .tv_nsec = (long)(left % NS) };

		if ((end && !left) || ppoll(p, 2, end ? &t : NULL, NULL) > 0)
			return;
	}
}

static void *run(void *arg)
{
	struct control *c = arg;

	if (atomic_load(&c->now) == CONTROL_STARTING) {
		c->result = module_start(c->module, &c->options, c->error, sizeof(c->error));
		enter(c, c->result ? CONTROL_FAILED : CONTROL_RUNNING);
		if (c->result)
			return NULL;
		if (!is_asked(c))
			c->started(c->ctx);
	}
	wait_end(c);
	if (atomic_exchange(&c->is_left, true))
		return NULL;
	enter(c, CONTROL_STOPPING);
	c->result = module_stop(c->module);
	enter(c, CONTROL_STOPPED);
	return NULL;
}

int control_start(struct control *c, struct module *m, bool runs)
{
	pthread_attr_t attr;
	int rc;

	c->module = m;
	c->phase = runs ? CONTROL_RUNNING : CONTROL_STARTING;
	atomic_init(&c->now, c->phase);
	c->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	c->ask = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->news < 0 || c->ask < 0)
		return -errno;
	rc = pthread_attr_init(&attr);
	if (rc)
		return -rc;
	rc = pthread_attr_setstacksize(&attr, STACK);
	if (!rc)
		rc = pthread_create(&c->thread, &attr, run, c);
	pthread_attr_destroy(&attr);
	return -rc;
}

void control_stop(struct control *c)
{
	if (!c->asked)
		eventfd_write(c->ask, 1);
	c->asked = true;
}

bool control_leave(struct control *c)
{
	if (atomic_exchange(&c->is_left, true))
		return false;
	eventfd_write(c->ask, 1);
	pthread_join(c->thread, NULL);
	return true;
}

int control_look(struct control *c)
{
	eventfd_t n;

	eventfd_read(c->news, &n);
	c->phase = atomic_load(&c->now);
	if (c->phase != CONTROL_STOPPED && c->phase != CONTROL_FAILED)
		return 0;
	pthread_join(c->thread, NULL);
	return c->result;
}

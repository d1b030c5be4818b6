/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See control.h. */
#include "stapio/control.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "stapio/module.h"

static void *start_thread(void *arg)
{
	struct control *c = arg;

	c->result = module_start(c->module, &c->options, c->error, sizeof(c->error));
	eventfd_write(c->done, 1);
	return NULL;
}

static void *stop_thread(void *arg)
{
	struct control *c = arg;

	c->result = module_stop(c->module);
	eventfd_write(c->done, 1);
	return NULL;
}

int control_attach(struct control *c, struct module *m)
{
	*c = (struct control){ .module = m, .phase = CONTROL_RUNNING };
	c->done = eventfd(0, EFD_CLOEXEC);
	return c->done < 0 ? -errno : 0;
}

int control_start(struct control *c, struct module *m, const struct start_options *o)
{
	*c = (struct control){ .module = m, .options = *o, .phase = CONTROL_STARTING };
	c->done = eventfd(0, EFD_CLOEXEC);
	if (c->done < 0)
		return -errno;
	return -pthread_create(&c->thread, NULL, start_thread, c);
}

int control_stop(struct control *c)
{
	int rc = -pthread_create(&c->thread, NULL, stop_thread, c);

	if (!rc)
		c->phase = CONTROL_STOPPING;
	return rc;
}

int control_finish(struct control *c)
{
	eventfd_t n;

	eventfd_read(c->done, &n);
	pthread_join(c->thread, NULL);
	if (c->phase == CONTROL_STOPPING)
		c->phase = CONTROL_STOPPED;
	else
		c->phase = c->result ? CONTROL_FAILED : CONTROL_RUNNING;
	return c->result;
}

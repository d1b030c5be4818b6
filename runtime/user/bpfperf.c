/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer.profile and perf.type(…) under --runtime=bpf: an event of each CPU that is online
 * when the script begins.
 */
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "probe/perfregisters.h"
#include "user/bpfpoint.h"

struct perf_state {
	struct bpfpoint point;
	int *events; /* descriptors; 0: none */
	long n;
};

static int event_open(const struct stp_point_perf *point, int cpu)
{
	struct perf_event_attr attr = {
		.type = point->type,
		.size = sizeof(attr),
		.config = point->config,
		.freq = point->is_rate,
		.sample_period = point->period, /* or sample_freq */
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Gives the CPU its event. Returns 0, or -errno. */
static int event_add(struct perf_state *s, const struct stp_probe *p, int cpu)
{
	int fd = event_open(p->point, cpu);

	if (fd < 0 && errno == ENODEV) /* the CPU is offline */
		return 0;
	if (fd < 0)
		return -errno;
	s->events[cpu] = fd;
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, s->point.program) ||
			       ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)
		       ? -errno
		       : 0;
}

static int perf_add(struct perf_state *s, const struct stp_probe *p)
{
	const struct bpfpoint_form form = { .kind.type = BPF_PROG_TYPE_PERF_EVENT,
					    .only = BPF_ALL_TASKS,
					    .has_regs = true,
					    .only_told = perf_lacks_registers(p->point) };
	int rc = bpfpoint_load(&s->point, p, &form);

	s->n = sysconf(_SC_NPROCESSORS_CONF);
	s->events = rc ? NULL : calloc((size_t)s->n, sizeof(*s->events));
	if (!s->events)
		return rc ? rc : -ENOMEM;
	for (int cpu = 0; cpu < s->n && !rc; cpu++)
		rc = event_add(s, p, cpu);
	/* Debian's kernels have a third level, at which CAP_PERFMON is not enough. */
	if (rc == -EACCES || rc == -EPERM)
		stp_setup_error("%s: the kernel allows no event: %s; on the host: "
				"sysctl kernel.perf_event_paranoid=2",
				p->pp, strerror(-rc));
	else if (rc)
		stp_setup_error("%s: the kernel has no such event: %s", p->pp, strerror(-rc));
	return rc;
}

static void perfs_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct perf_state *s = states[i];

		for (long cpu = 0; s->events && cpu < s->n; cpu++)
			if (s->events[cpu])
				close(s->events[cpu]);
		free(s->events);
		s->events = NULL;
	}
	bpfpoint_wait();
	for (unsigned i = 0; i < n; i++)
		bpfpoint_unload(&((struct perf_state *)states[i])->point);
}

static int perfs_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++)
		rc = perf_add(states[i], probes[i]);
	if (rc)
		perfs_remove(probes, states, n);
	return rc;
}

static const char *perf_probe_type(const struct stp_probe *p)
{
	return "perf_event";
}

const struct stp_family stp_family_perf = {
	.name = "perf",
	.state_size = sizeof(struct perf_state),
	.add = perfs_add,
	.remove = perfs_remove,
	.missed = bpfpoint_missed, /* the point is the state's first */
	.type = perf_probe_type,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of the kernel's perf counters, and memory watched by the processor's debug
 * registers, which are such events as well: one on each CPU, made after it has come up
 * and released after it has gone. This work is deferred: making or releasing an event
 * takes the lock that is held while CPUs come and go.
 *
 * Handlers run in the context that the event interrupts, for hardware counters in an NMI.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hw_breakpoint.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rwsem.h>
#include <linux/workqueue.h>

#include "api.h"
#include "core/session.h"
#include "kernel/symbol.h"
#include "kernel/target.h"
#include "probe/perf.h"
#include "probe/watchpoint.h"

struct perf {
	const struct stp_probe *probe;
	struct perf *next;     /* in `all` */
	unsigned long address; /* number of points that watch memory */
	bool counts_missed;    /* for all points that watch memory */
	struct perf_event *__percpu *events;
};

static void events_follow(struct work_struct *work);

/* For the callbacks of CPUs, which have no argument. */
static struct {
	struct perf *first;
	int cpuhp; /* > 0: state to remove */
	const struct stp_probe *refused;
	/* The events of all CPUs; handlers that read counters share it. */
	struct rw_semaphore lock;
	struct cpumask changed; /* CPUs that went or came since their events were made */
	struct work_struct follow;
	int error; /* of the last such work */
} all = {
	.lock = __RWSEM_INITIALIZER(all.lock),
	.follow = __WORK_INITIALIZER(all.follow, events_follow),
};

static const struct stp_point_perf *point_of(const struct stp_probe *p)
{
	return p->point;
}

static bool is_watch(const struct stp_point_perf *point)
{
	return point->type == PERF_TYPE_BREAKPOINT;
}

/*
 * True: the hit does not belong to the point. A watched address is watched in all
 * processes.
 */
static bool is_alien(const struct stp_point_perf *point)
{
	return point->is_user && (current->flags & PF_KTHREAD || !stp_is_meant(current, 0));
}

static void hit(struct perf *perf, struct pt_regs *regs)
{
	if (is_alien(point_of(perf->probe)))
		return;
	perf->probe->hit(perf->probe, regs, NULL, NULL);
}

static void fired(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	hit(event->overflow_handler_context, regs);
}

/* Interrupts are off: the event belongs to this CPU, or is not ours. */
static void accessed(struct perf_event *event, struct pt_regs *regs)
{
	for (struct perf *perf = all.first; perf; perf = perf->next)
		if (is_watch(point_of(perf->probe)) && *this_cpu_ptr(perf->events) == event)
			hit(perf, regs);
}

static perf_overflow_handler_t handler_of(const struct stp_point_perf *point)
{
	bool has_none = point->counter || (is_watch(point) && watchpoint_by_function());

	return has_none ? NULL : fired;
}

static struct perf_event *event_create(struct perf *perf, int cpu)
{
	const struct stp_point_perf *point = point_of(perf->probe);
	struct perf_event_attr attr = {
		.type = point->type,
		.size = sizeof(attr),
		.config = point->config,
		.freq = point->is_rate,
		.pinned = is_watch(point),
	};

	if (point->is_rate)
		attr.sample_freq = point->period;
	else if (!point->counter)
		attr.sample_period = point->period;
	if (is_watch(point)) {
		attr.bp_addr = perf->address;
		attr.bp_len = point->length;
		attr.bp_type = point->access;
	}
	return perf_event_create_kernel_counter(&attr, cpu, NULL, handler_of(point), perf);
}

static void events_release(unsigned int cpu)
{
	for (struct perf *perf = all.first; perf; perf = perf->next) {
		struct perf_event **event;

		if (!perf->events)
			continue; /* it could not be prepared */
		event = per_cpu_ptr(perf->events, cpu);
		if (*event)
			perf_event_release_kernel(*event);
		*event = NULL;
	}
}

/* Makes the missing events of a CPU. A CPU that has gone meanwhile has none. */
static int events_create(unsigned int cpu)
{
	for (struct perf *perf = all.first; perf; perf = perf->next) {
		struct perf_event **event = per_cpu_ptr(perf->events, cpu), *made;

		if (*event)
			continue;
		made = event_create(perf, cpu);
		if (PTR_ERR_OR_ZERO(made) == -ENODEV && !cpu_online(cpu))
			return 0;
		if (IS_ERR(made)) {
			all.refused = perf->probe;
			events_release(cpu);
			return PTR_ERR(made);
		}
		*event = made;
	}
	return 0;
}

/*
 * Follows CPUs that went and came: the kernel has taken a dead CPU's events out of use. A
 * CPU that comes up without room for the events stays without. The first events are also
 * made here: in a task with stapio's rights the kernel would refuse them.
 */
static void events_follow(struct work_struct *work)
{
	unsigned int cpu;

	down_write(&all.lock);
	all.error = 0;
	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, &all.changed))
			events_release(cpu);
	for_each_online_cpu(cpu) {
		int error = events_create(cpu);

		all.error = all.error ? all.error : error;
	}
	up_write(&all.lock);
}

/*
 * Also marks coming CPUs: between the mark of a going one and its end, its events may be
 * made once more.
 */
static int cpu_changed(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &all.changed);
	schedule_work(&all.follow);
	return 0;
}

/*
 * Reads the counter of this CPU; a task that moves to another CPU meanwhile still reads
 * the counter of this one.
 */
int64_t stp_cpu_counter(uint32_t number)
{
	struct perf *perf = all.first;
	struct perf_event *event;
	u64 enabled, running, value = 0;

	while (perf && point_of(perf->probe)->counter != number)
		perf = perf->next;
	down_read(&all.lock); /* prevents changes of the events */
	event = perf ? *raw_cpu_ptr(perf->events) : NULL;
	if (event)
		value = perf_event_read_value(event, &enabled, &running);
	up_read(&all.lock);
	return value;
}

static const char *refusal(const struct stp_point_perf *point, int error)
{
	if (is_watch(point) && error == -ENOSPC)
		return "the processor's debug registers are all in use";
	if (is_watch(point))
		return "this address cannot be watched";
	return perf_refusal(error);
}

/* Prepares the detection of accesses, if memory is watched. */
static int watch_begin(void)
{
	struct perf *first = NULL;
	int ret;

	for (struct perf *perf = all.first; perf; perf = perf->next) {
		const struct stp_point_perf *point = point_of(perf->probe);

		if (!is_watch(point))
			continue;
		first = perf;
		if (point->is_user || watchpoint_kernel_can())
			continue;
		stp_setup_error("%s: this processor has no atomic instructions: the kernel would "
				"try to take a lock forever where an access is watched",
				perf->probe->pp);
		return -EOPNOTSUPP;
	}
	if (!first || !watchpoint_by_function())
		return 0;
	first->counts_missed = true;
	ret = watchpoint_begin(accessed);
	if (ret)
		stp_setup_error("%s: the kernel does not allow watching this memory (error "
				"%d)",
				first->probe->pp, -ret);
	return ret;
}

static int perf_prepare(struct perf *perf, const struct stp_probe *p)
{
	const struct stp_point_perf *point = point_of(p);
	struct stp_symbol symbol = { .name = point->symbol };

	perf->probe = p;
	perf->next = all.first;
	all.first = perf;
	perf->address = point->address;
	if (point->is_user && perf->address >= TASK_SIZE_MAX)
		return -EINVAL;
	perf->events = alloc_percpu(struct perf_event *);
	if (!perf->events)
		return -ENOMEM;
	if (!point->symbol)
		return 0;
	if (stp_symbols_resolve(&symbol, 1))
		return -ENOMEM;
	perf->address = symbol.address ?: point->exported;
	if (perf->address)
		return 0;
	stp_setup_error("%s: the running kernel has no symbol '%s'", p->pp, point->symbol);
	return -ENOENT;
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	unsigned int cpu;

	if (all.cpuhp > 0)
		cpuhp_remove_state_nocalls(all.cpuhp);
	cancel_work_sync(&all.follow);
	for_each_possible_cpu(cpu)
		events_release(cpu);
	watchpoint_end();
	all.cpuhp = 0;
	all.first = NULL;
	for (unsigned int i = 0; i < n; i++) {
		struct perf *perf = states[i];

		free_percpu(perf->events);
		perf->events = NULL;
	}
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret = 0;

	all.first = NULL;
	all.refused = NULL;
	cpumask_clear(&all.changed);
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = perf_prepare(states[i], probes[i]);
	if (!ret)
		ret = watch_begin();
	if (!ret)
		all.cpuhp = ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "stap:perf",
							    cpu_changed, cpu_changed);
	if (ret >= 0) {
		schedule_work(&all.follow);
		flush_work(&all.follow);
		ret = all.error;
	}
	if (ret < 0 && all.refused)
		stp_setup_error("%s: %s (error %d)", all.refused->pp,
				refusal(point_of(all.refused), ret), -ret);
	if (ret < 0)
		remove(probes, states, n);
	return ret;
}

static uint64_t missed(const struct stp_probe *p, void *state)
{
	const struct perf *perf = state;

	return perf->counts_missed ? watchpoint_missed() : 0;
}

static bool lacks_registers(const struct stp_probe *p)
{
	return perf_lacks_registers(p->point);
}

static const char *type(const struct stp_probe *p)
{
	return "perf_event";
}

const struct stp_family stp_family_perf = {
	.name = "perf",
	.state_size = sizeof(struct perf),
	.add = add,
	.remove = remove,
	.missed = missed,
	.lacks_registers = lacks_registers,
	.type = type,
};

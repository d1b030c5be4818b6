/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's implementation of core/port.h. */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/math64.h>
#include <linux/random.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "arch_clock.h"
#include "core/port.h"
#include "core/session.h"
#include "kernel/throttle.h"

void *port_alloc(size_t bytes)
{
	if (!stp_session_take(PAGE_ALIGN(bytes)))
		return NULL;
	/*
	 * NORETRY: it is better not to run than to have a process killed for the buffers.
	 */
	return __vmalloc(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY | __GFP_NOWARN);
}

void port_free(void *mem)
{
	vfree(mem);
}

uint64_t port_total_memory(void)
{
	return (uint64_t)totalram_pages() << PAGE_SHIFT;
}

void port_random(void *to, size_t bytes)
{
	get_random_bytes(to, (int)bytes);
}

unsigned port_cpu_count(void)
{
	return nr_cpu_ids;
}

bool port_cpu_possible(unsigned cpu)
{
	return cpu < nr_cpu_ids && cpu_possible(cpu);
}

uint64_t port_monotonic_ns(void)
{
	return ktime_get_mono_fast_ns();
}

uint64_t port_realtime_ns(void)
{
	return ktime_get_real_fast_ns();
}

uint64_t port_cycles_ns(uint64_t cycles)
{
	uint32_t khz = arch_cycles_khz();

	return khz ? mul_u64_u32_div(cycles, 1000000, khz) : 0;
}

int64_t port_process(void)
{
	return current->tgid;
}

/*
 * The parent of staprun may be any process, such as a shell: it is stap if it has this
 * name.
 */
void port_starters(int64_t ret[STP_STARTERS])
{
	static const char *const names[STP_STARTERS] = { "staprun", "stap" };
	const struct task_struct *task = current;

	rcu_read_lock();
	for (unsigned int i = 0; i < STP_STARTERS; i++) {
		task = rcu_dereference(task->real_parent)->group_leader;
		ret[i] = strcmp(task->comm, names[i]) ? 0 : task->tgid;
	}
	rcu_read_unlock();
}

/*
 * The code that we wait for may run on a suspended virtual processor: the pause
 * instruction tells the hypervisor to resume it. udelay() does not pause if it counts
 * loops, or waits by an instruction that hypervisors do not intercept.
 */
void port_delay_us(unsigned us)
{
	cpu_relax();
	udelay(us);
}

/* Killable: do not wait for a reader that is being killed. */
void port_sleep_ms(unsigned ms)
{
	schedule_timeout_killable(DIV_ROUND_UP((unsigned long)ms * HZ, MSEC_PER_SEC));
}

/*
 * Scripts with probes other than begin, end and error get the function of throttle.c
 * instead.
 */
void __weak port_hold_task(void)
{
}

void __weak stp_throttle_end(void)
{
}

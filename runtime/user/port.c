/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user-space implementation of core/port.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "core/port.h"
#include "core/session.h"
#include "lib/clock.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/user.h"

#define LINE  64
#define LARGE (64u << 10)

#define OUTPUT_EVERY_MS 50 /* of points in the kernel */

unsigned user_cpu_count = 1;
_Thread_local unsigned user_cpu;

#ifndef STP_BPF /* otherwise they are in user/bpfload.c */
/*
 * Returns memory whose blocks share no cache line, as in the kernel, so that CPUs do not
 * slow down each other's accesses. Large blocks are zero without being touched.
 */
void *port_alloc(size_t bytes)
{
	void *mem;

	if (bytes >= LARGE)
		return calloc(1, bytes);
	if (posix_memalign(&mem, LINE, bytes ? bytes : 1))
		return NULL;
	return memset(mem, 0, bytes);
}

void port_free(void *mem)
{
	free(mem);
}

#endif

uint64_t port_total_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void port_random(void *to, size_t bytes)
{
	uint64_t now = port_monotonic_ns() ^ (uint64_t)getpid() << 32;

	/* The time is used only while the machine starts. */
	if (getrandom(to, bytes, GRND_NONBLOCK) != (ssize_t)bytes)
		for (size_t i = 0; i < bytes; i++, now = now * 6364136223846793005u + 1)
			((uint8_t *)to)[i] = (uint8_t)(now >> 56);
}

unsigned port_cpu_count(void)
{
	return user_cpu_count;
}

bool port_cpu_possible(unsigned cpu)
{
	return cpu < user_cpu_count;
}

uint64_t port_monotonic_ns(void)
{
	return clock_now();
}

uint64_t port_realtime_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

static uint64_t cycles_at_first, ns_at_first;

static __attribute__((constructor)) void note_first(void)
{
	cycles_at_first = port_cycles();
	ns_at_first = port_monotonic_ns();
}

/* The rate is computed over the process's time so far. */
uint64_t port_cycles_ns(uint64_t cycles)
{
	double passed = (double)(port_cycles() - cycles_at_first);

	return (uint64_t)((double)cycles * (double)(port_monotonic_ns() - ns_at_first) / passed);
}

/* Handlers in the kernel know the process by its number in the initial namespace. */
int64_t port_process(void)
{
#ifdef STP_BPF
	return bpf_shared.process;
#else
	return getpid();
#endif
}

void port_delay_us(unsigned us)
{
	for (uint64_t end = port_monotonic_ns() + us * 1000u; port_monotonic_ns() < end;)
		;
}

/*
 * The process is its own reader: while a begin probe waits for room in its ring, the ring
 * is emptied, unless the run has no reader.
 */
void port_sleep_ms(unsigned ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	user_drain(false);
	if (!stp_session_nrings() || !user_drain_is_read())
		nanosleep(&t, NULL);
}

void user_hit(const struct stp_probe *p)
{
#ifdef STP_BPF
	bpfload_hit(p, false);
#else
	p->hit(p, NULL, NULL, NULL);
#endif
}

bool user_timer_prepare(const struct stp_probe *p)
{
#ifdef STP_BPF
	return bpfpoint_prepare_timer(p);
#else
	return true;
#endif
}

int user_waker(void)
{
#ifdef STP_BPF
	return bpfload_waker();
#else
	return -1;
#endif
}

void user_woken(void)
{
#ifdef STP_BPF
	bpfload_woken();
#endif
}

int user_wait_ms(int ms)
{
#ifdef STP_BPF
	if (bpfpoint_any() && user_drain_is_read() && (ms < 0 || ms > OUTPUT_EVERY_MS))
		return OUTPUT_EVERY_MS;
#endif
	return ms;
}

/* Nothing to do: the loop drains after everything it does. */
void port_wake_reader(void)
{
}

/* Grows at once: handlers here may allocate. */
void port_wake_worker(unsigned worker)
{
	stp_store_grow();
}

void port_stop_workers(void)
{
}

bool port_reader_present(void)
{
	return user_drain_is_read();
}

/*
 * Nothing to do: only the program itself hits its probes, so no other task must be held.
 */
void port_hold_task(void)
{
}

bool stp_is_own_process(void)
{
	return true;
}

/* Nobody waits for the process in a way that a probe could see. */
void port_starters(int64_t ret[STP_STARTERS])
{
	memset(ret, 0, STP_STARTERS * sizeof(*ret));
}

bool stp_is_in_target(void)
{
	return !stp_target() || stp_target() == getpid();
}

int64_t stp_run_cgroup(void)
{
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of core/port.h that handlers call, in BPF programs; and their entry. */
#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "core/state.h"

/* Helpers of the kernel, by their numbers. */
static uint64_t (*const helper_ktime)(void) = (void *)5;
static uint64_t (*const helper_pid_tgid)(void) = (void *)14;

uint64_t port_monotonic_ns(void)
{
	return helper_ktime();
}

uint64_t port_realtime_ns(void)
{
	return helper_ktime() + bpf_shared.realtime;
}

uint64_t port_cycles_ns(uint64_t cycles)
{
	return cycles;
}

int64_t port_process(void)
{
	return bpf_shared.process;
}

void port_current_task(uint32_t *process, uint32_t *thread)
{
	uint64_t both = helper_pid_tgid();

	*process = (uint32_t)(both >> 32);
	*thread = (uint32_t)both;
}

void port_wake_reader(void)
{
}

/* Returns when the process has served the handler: the linker pauses the program here. */
extern uint64_t stp_bpf_wait(void);

static void wait_for(enum bpf_want want)
{
	WRITE_ONCE(bpf_shared.wants, want);
	stp_bpf_wait();
}

void port_wake_worker(unsigned worker)
{
	wait_for(BPF_WANTS_MEMORY);
}

bool port_reader_present(void)
{
	return true;
}

void port_sleep_ms(unsigned ms)
{
	wait_for(BPF_WANTS_ROOM);
}

void port_hold_task(void)
{
}

void port_delay_us(unsigned us)
{
}

bool stp_is_own_process(void)
{
	return true;
}

bool stp_is_in_target(void)
{
	return !stp_target() || stp_target() == bpf_shared.process;
}

int64_t stp_run_cgroup(void)
{
	return 0;
}

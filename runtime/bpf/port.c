/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of core/port.h that handlers call, in BPF programs; and their entry. */
#include "arch_bpf.h"
#include "bpf/arena.h"
#include "bpf/processhit.h"
#include "arch_syscall.h"
#include "core/port.h"
#include "core/session.h"
#include "core/state.h"

/* Helpers of the kernel, by their numbers. */
static uint64_t (*const helper_ktime)(void) = (void *)5;
static uint32_t (*const helper_cpu)(void) = (void *)8;
static uint64_t (*const helper_pid_tgid)(void) = (void *)14;
static uint64_t (*const helper_uid_gid)(void) = (void *)15;
static uint64_t (*const helper_task)(void) = (void *)35;

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

int64_t stp_bpf_pid(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? (int64_t)(helper_pid_tgid() >> 32)
					       : bpf_shared.process;
}

void port_current_task(uint32_t *process, uint32_t *thread)
{
	uint64_t both = helper_pid_tgid();

	*process = (uint32_t)(both >> 32);
	*thread = (uint32_t)both;
}

/*
 * Return the halves of the current task's name. The linker generates these functions,
 * because the kernel lets a program read a task only by its type.
 */
extern uint64_t stp_bpf_name_begins(void), stp_bpf_name_ends(void);

#define EACH_BYTE 0x0101010101010101u

/* Returns how many of the 8 bytes come before the first that is 0. */
static inline STP_BPF_INLINE uint64_t bytes_before_zero(uint64_t v)
{
	uint64_t zeros = (v - EACH_BYTE) & ~v & 0x80 * EACH_BYTE;

	return ((((zeros & -zeros) >> 7) - 1) & EACH_BYTE) * EACH_BYTE >> 56;
}

int64_t stp_bpf_execname(char *dst)
{
	uint64_t *name = (uint64_t *)dst, length;

	if (bpf_shared.hit != BPF_HIT_EVENT) {
		memcpy(dst, "stap", sizeof("stap"));
		return sizeof("stap") - 1;
	}
	name[0] = stp_bpf_name_begins();
	name[1] = stp_bpf_name_ends() << 8 >> 8;
	length = bytes_before_zero(name[0]);
	return (int64_t)(length < 8 ? length : 8 + bytes_before_zero(name[1]));
}

int64_t stp_bpf_cpu(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? (int64_t)helper_cpu() : 0;
}

int64_t stp_bpf_task(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? (int64_t)helper_task() : 0;
}

int64_t stp_bpf_any_task(void)
{
	return (int64_t)helper_task();
}

int64_t stp_bpf_thread(void)
{
	return (int64_t)(uint32_t)helper_pid_tgid();
}

uint64_t stp_bpf_owner(void)
{
	return helper_pid_tgid();
}

int64_t stp_bpf_user(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? (int64_t)(uint32_t)helper_uid_gid()
					       : bpf_shared.user;
}

int64_t stp_bpf_group(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? (int64_t)(helper_uid_gid() >> 32)
					       : bpf_shared.group;
}

void port_wake_reader(void)
{
	if (bpf_shared.hit != BPF_HIT_NONE)
		WRITE_ONCE(bpf_shared.wake, 1);
}

/* Returns when the process has served the handler: the linker pauses the program here. */
extern uint64_t stp_bpf_wait(void);

static void wait_for(enum bpf_want want)
{
	WRITE_ONCE(bpf_shared.wants, want);
	stp_bpf_wait();
}

/*
 * A hit of a point in the kernel does not wait: some memory is left when it asks for
 * more.
 */
void port_wake_worker(unsigned worker)
{
	if (bpf_shared.hit == BPF_HIT_NONE) {
		wait_for(BPF_WANTS_MEMORY);
		return;
	}
	WRITE_ONCE(bpf_shared.grow, 1);
	WRITE_ONCE(bpf_shared.wake, 1);
}

void *port_spare_take(void)
{
	for (unsigned i = 0; i < BPF_SPARES; i++) {
		uint64_t block = READ_ONCE(bpf_shared.spares[i]);

		if (block && try_cmpxchg64(&bpf_shared.spares[i], &block, 0))
			return (void *)block;
	}
	return NULL;
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

/* The process may be reading globals and holding their locks. */
void port_delay_us(unsigned us)
{
	for (uint64_t end = helper_ktime() + us * 1000u; helper_ktime() < end;)
		;
}

bool stp_is_own_process(void)
{
	return true;
}

#define ANCESTORS 64 /* generations */

/* Reads the kernel's memory, of at most 8 bytes; 0 if it cannot be read. */
static uint64_t kernel_word(uint64_t address, uint64_t size)
{
	uint64_t ret = stp_bpf_read(address, size);

	if (!bpf_shared.fault)
		return ret;
	bpf_shared.fault = 0;
	return 0;
}

/* True: the task has made its system call like a 32-bit program. */
bool stp_bpf_is_32(void)
{
	uint64_t mode = helper_task() + bpf_shared.layout.thread + bpf_shared.layout.mode;

	return kernel_word(mode, 4) & ARCH_BPF_MODE_32;
}

int64_t stp_bpf_execs(void)
{
	return (int64_t)kernel_word(helper_task() + bpf_shared.layout.execs, 4);
}

uint64_t stp_bpf_returns_kept(void)
{
	uint64_t points = kernel_word(helper_task() + bpf_shared.layout.points, 8);

	return points ? kernel_word(points + bpf_shared.layout.returns, 4) : 0;
}

static uint64_t parent_of(uint64_t task)
{
	return kernel_word(task + bpf_shared.layout.parent, 8);
}

static int64_t process_of(uint64_t task)
{
	return (int64_t)kernel_word(task + bpf_shared.layout.process, 4);
}

/* True: the current process is that one, or descends from it. */
static bool is_below(int64_t process)
{
	uint64_t task = helper_task();

	for (unsigned i = 0; i < ANCESTORS && task; i++) {
		uint64_t parent = parent_of(task);

		if (process_of(task) == process)
			return true;
		if (parent == task)
			break;
		task = parent;
	}
	return false;
}

bool stp_bpf_is_meant(void)
{
	return !stp_target() || stp_bpf_pid() == stp_target() || is_below(stp_target());
}

/* Also in interrupts, where the task is the one that was interrupted. */
bool stp_bpf_task_passes(void)
{
	const struct bpf_layout *of = &bpf_shared.layout;
	uint64_t group;

	if (!bpf_shared.cgroup)
		return true;
	group = kernel_word(kernel_word(helper_task() + of->groups, 8) + of->group_of, 8);
	return kernel_word(group + of->depth, 4) >= bpf_shared.cgroup_depth &&
	       kernel_word(group + of->groups_above + 8 * bpf_shared.cgroup_depth, 8) ==
		       bpf_shared.cgroup;
}

bool stp_is_in_target(void)
{
	if (!stp_bpf_task_passes())
		return false;
	if (bpf_shared.hit != BPF_HIT_EVENT)
		return !stp_target() || stp_target() == bpf_shared.process;
	return stp_target() ? is_below(stp_target()) : !stp_is_of_run(stp_bpf_pid());
}

int64_t stp_bpf_parent(void)
{
	if (bpf_shared.hit != BPF_HIT_EVENT)
		return bpf_shared.parent;
	return process_of(parent_of(helper_task()));
}

int64_t stp_bpf_parent_name(char *dst)
{
	uint64_t name = parent_of(helper_task()) + bpf_shared.layout.name;

	if (bpf_shared.hit != BPF_HIT_EVENT) {
		memcpy(dst, "sh", sizeof("sh"));
		return sizeof("sh") - 1;
	}
	for (unsigned i = 0; i < 16; i += 8)
		*(uint64_t *)(dst + i) = kernel_word(name + i, 8);
	dst[15] = 0;
	return (int64_t)strnlen(dst, 16);
}

static int64_t right_of_task(uint32_t place, uint32_t of_process)
{
	if (bpf_shared.hit != BPF_HIT_EVENT)
		return of_process;
	return (int64_t)kernel_word(
		kernel_word(helper_task() + bpf_shared.layout.rights, 8) + place, 4);
}

int64_t stp_bpf_user_now(void)
{
	return right_of_task(bpf_shared.layout.user, bpf_shared.user_now);
}

int64_t stp_bpf_group_now(void)
{
	return right_of_task(bpf_shared.layout.group, bpf_shared.group_now);
}

/* Kinds of numbers: enum pid_type, whose values are the same on all kernels. */
enum { PID_PROCESS_GROUP = 2, PID_SESSION };

/* Returns the task's number of a kind; 0: it is past its end. */
static int64_t number_of_task(unsigned kind)
{
	uint64_t process = kernel_word(helper_task() + bpf_shared.layout.signal, 8);
	uint64_t id = kernel_word(process + bpf_shared.layout.ids + 8 * kind, 8);

	return id ? (int64_t)kernel_word(id + bpf_shared.layout.numbers, 4) : 0;
}

int64_t stp_bpf_process_group(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? number_of_task(PID_PROCESS_GROUP)
					       : bpf_shared.process_group;
}

int64_t stp_bpf_session(void)
{
	return bpf_shared.hit == BPF_HIT_EVENT ? number_of_task(PID_SESSION) : bpf_shared.session;
}

const char *stp_bpf_probe_type(const struct stp_probe *p)
{
	return ((const char *const *)bpf_shared.types)[p->index];
}

int64_t stp_run_cgroup(void)
{
	return (int64_t)bpf_shared.cgroup;
}

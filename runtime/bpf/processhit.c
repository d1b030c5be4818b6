/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of processes, in BPF programs: which points they are hits of.
 * user/bpfprocess.c has the small programs.
 */
#include "arch_bpf.h"
#include "arch_arguments.h"
#include "bpf/arena.h"
#include "bpf/calls.h"
#include "bpf/processhit.h"
#include "core/hit.h"
#include "core/session.h"

static struct bpf_processes *processes(void)
{
	return (struct bpf_processes *)bpf_shared.processes;
}

static bool is_for(const struct bpf_process_point *p, uint64_t program)
{
	if (p->program && p->program != program)
		return false;
	if (READ_ONCE(processes()->target_waits) && stp_bpf_pid() == stp_target())
		return false;
	return p->pid ? p->pid == stp_bpf_pid() : stp_bpf_is_meant();
}

/* Reports the event to all points that match the current process. */
static void tell(enum stp_process_event event, uint64_t program, const int64_t *args)
{
	struct pt_regs *regs = args ? (struct pt_regs *)bpf_shared.args : NULL;
	struct bpf_process_point *p = (struct bpf_process_point *)processes()->points[event];

	for (; p; p = (struct bpf_process_point *)p->next)
		if (is_for(p, program))
			stp_hit((const struct stp_probe *)p->probe, regs, args, NULL);
}

static bool take(uint64_t array, int64_t number)
{
	uint8_t *byte = (uint8_t *)(array + (uint64_t)number);
	bool ret = *byte;

	*byte = 0;
	return ret;
}

static void begin_if_due(uint64_t program)
{
	int64_t process = stp_bpf_pid(), thread = stp_bpf_thread();

	if (take(processes()->due, process))
		tell(STP_PROCESS_BEGIN, program, NULL);
	if (thread != process && take(processes()->due, thread))
		tell(STP_THREAD_BEGIN, program, NULL);
}

/* The value 1 belongs to a helper of the kernel, which becomes a process by this exec. */
static bool was_process(void)
{
	return stp_bpf_execs() > 1;
}

static void on_exec(uint64_t before, uint64_t after)
{
	begin_if_due(before);
	if (!(after & BPF_EXEC_OF_TARGET) && was_process())
		tell(STP_PROCESS_END, before, NULL);
	tell(STP_PROCESS_BEGIN, after & BPF_PROGRAMS_MOST, NULL);
}

#define MEMBER(name) offsetof(struct pt_regs, name),

static void on_call(enum stp_process_event event, uint64_t program)
{
	static const uint16_t places[] = { ARCH_SYSCALL_ARGS(MEMBER) };
	const char *regs = (const char *)bpf_shared.args;
	int64_t *args = processes()->args;

	begin_if_due(program);
	args[0] = (int64_t)bpf_shared.place;
	for (unsigned i = 0; event == STP_SYSCALL && i < sizeof(places) / sizeof(places[0]); i++)
		args[1 + i] = *(const int64_t *)(regs + places[i]);
	if (event == STP_SYSCALL_RETURN) {
		args[1] = args[0];
		args[0] = (int32_t)((const struct pt_regs *)regs)->ARCH_BPF_NUMBER;
	}
	tell(event, program, args);
}

/* Several threads may find that they are the last: the first one reports the end. */
static void on_exit(uint64_t program, uint64_t live)
{
	int64_t process = stp_bpf_pid();
	uint8_t *ended = (uint8_t *)(processes()->ended + (uint64_t)process);

	begin_if_due(program);
	if (stp_bpf_thread() != process)
		tell(STP_THREAD_END, program, NULL);
	if (live || *ended)
		return;
	*ended = 1;
	tell(STP_PROCESS_END, program, NULL);
}

bool stp_bpf_process_event(void)
{
	uint64_t program = bpf_shared.calls, what = bpf_shared.place;

	if (bpf_shared.part == BPF_PART_EXEC)
		on_exec(program, what);
	else if (bpf_shared.part == BPF_PART_EXIT)
		on_exit(program, what);
	else
		on_call(bpf_shared.part == BPF_PART_ENTER ? STP_SYSCALL : STP_SYSCALL_RETURN,
			program);
	return true;
}

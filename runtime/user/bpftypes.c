/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "arch_bpf.h"
#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpftypes.h"
#include "user/kerneltypes.h"

struct wanted {
	const char *type, *member;
	uint32_t *place;
	bool is_optional; /* of a part that kernels may lack; what needs it is refused there */
};

static struct wanted wanted[] = {
	{ "task_struct", "real_parent", &bpf_shared.layout.parent },
	{ "task_struct", "tgid", &bpf_shared.layout.process },
	{ "task_struct", "comm", &bpf_shared.layout.name },
	{ "task_struct", "cred", &bpf_shared.layout.rights },
	{ "cred", "euid", &bpf_shared.layout.user },
	{ "cred", "egid", &bpf_shared.layout.group },
	{ "task_struct", "thread_info", &bpf_shared.layout.thread },
	{ "thread_info", ARCH_BPF_MODE, &bpf_shared.layout.mode },
	{ "task_struct", "pid", &bpf_shared.layout.number },
	{ "task_struct", "flags", &bpf_shared.layout.flags },
	{ "task_struct", "self_exec_id", &bpf_shared.layout.execs },
	{ "task_struct", "mm", &bpf_shared.layout.memory },
	{ "task_struct", "files", &bpf_shared.layout.files },
	{ "task_struct", "signal", &bpf_shared.layout.signal },
	{ "mm_struct", "exe_file", &bpf_shared.layout.program },
	{ "file", "f_inode", &bpf_shared.layout.inode },
	{ "files_struct", "fdt", &bpf_shared.layout.table },
	{ "fdtable", "fd", &bpf_shared.layout.place },
	{ "signal_struct", "live", &bpf_shared.layout.live },
	{ "signal_struct", "pids", &bpf_shared.layout.ids },
	{ "pid", "numbers", &bpf_shared.layout.numbers },
	{ "task_struct", "utask", &bpf_shared.layout.points, true },
	{ "uprobe_task", "depth", &bpf_shared.layout.returns, true },
	{ "task_struct", "thread_pid", &bpf_shared.layout.id },
	{ "pid", "level", &bpf_shared.layout.level },
	{ "upid", "ns", &bpf_shared.layout.space },
	{ "task_struct", "tasks", &bpf_shared.layout.all },
	{ "signal_struct", "thread_head", &bpf_shared.layout.threads },
	{ "task_struct", "thread_node", &bpf_shared.layout.thread_place },
	{ "task_struct", "cgroups", &bpf_shared.layout.groups, true },
	{ "css_set", "dfl_cgrp", &bpf_shared.layout.group_of, true },
	{ "cgroup", "level", &bpf_shared.layout.depth, true },
	{ "cgroup", "ancestors", &bpf_shared.layout.groups_above, true },
	{ "bpf_array", "ptrs", &bpf_shared.layout.map_values, true },
};

static bool find_wanted(const struct kerneltypes *t, const struct wanted *w)
{
	struct kerneltypes_member m;

	for (uint32_t id = 0; (id = kerneltypes_next(t, id, w->type, 1u << BTF_KIND_STRUCT));) {
		if (!kerneltypes_member(t, id, w->member, strlen(w->member), &m))
			continue;
		*w->place = (uint32_t)(m.bit_offset / 8);
		return true;
	}
	return false;
}

int bpftypes_read(void)
{
	static bool is_read;
	const struct kerneltypes *t = is_read ? NULL : kerneltypes_open(NULL);
	int rc = is_read || t ? 0 : -ENOENT;

	if (rc)
		stp_setup_error("the kernel's types, /sys/kernel/btf/vmlinux, are not there");
	for (size_t i = 0; t && !rc && i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (find_wanted(t, &wanted[i]) || wanted[i].is_optional)
			continue;
		rc = -ENOENT;
		stp_setup_error("this kernel's 'struct %s' has no member '%s', which this version "
				"of stap needs; a newer one may not",
				wanted[i].type, wanted[i].member);
	}
	is_read = !rc;
	kerneltypes_close();
	return rc;
}

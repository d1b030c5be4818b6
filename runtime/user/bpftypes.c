/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "arch_bpf.h"
#include "bpf/arena.h"
#include "core/port.h"
#include "user/bpftypes.h"
#include "user/kerneltypes.h"

struct wanted {
	const char *type, *member;
	uint32_t *place;
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
};

void bpftypes_read(void)
{
	static bool is_read;
	const struct kerneltypes *t = is_read ? NULL : kerneltypes_open(NULL);
	struct kerneltypes_member m;

	for (size_t i = 0; t && i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct wanted *w = &wanted[i];

		for (uint32_t id = 0;
		     !*w->place && (id = kerneltypes_next(t, id, w->type, 1u << BTF_KIND_STRUCT));)
			if (kerneltypes_member(t, id, w->member, strlen(w->member), &m))
				*w->place = (uint32_t)(m.bit_offset / 8);
	}
	is_read = true;
	kerneltypes_close();
}

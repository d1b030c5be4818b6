/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch_bpf.h"
#include "bpf/arena.h"
#include "core/port.h"
#include "user/bpftypes.h"

#define TYPES_OF_KERNEL BPFTYPES_FOLDER "vmlinux"

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
	{ "", "exe_file", &bpf_shared.layout.program }, /* at the beginning of mm_struct */
	{ "mm_struct", "exe_file", &bpf_shared.layout.program },
	{ "file", "f_inode", &bpf_shared.layout.inode },
	{ "files_struct", "fdt", &bpf_shared.layout.table },
	{ "fdtable", "fd", &bpf_shared.layout.place },
	{ "signal_struct", "live", &bpf_shared.layout.live },
};

size_t bpftypes_bytes(const struct btf_type *t)
{
	static const uint8_t fixed[32] = {
		[BTF_KIND_INT] = 4,
		[BTF_KIND_ARRAY] = 12,
		[BTF_KIND_VAR] = 4,
		[BTF_KIND_DECL_TAG] = 4,
	};
	static const uint8_t each[32] = {
		[BTF_KIND_STRUCT] = 12, [BTF_KIND_UNION] = 12,	 [BTF_KIND_ENUM] = 8,
		[BTF_KIND_ENUM64] = 12, [BTF_KIND_DATASEC] = 12, [BTF_KIND_FUNC_PROTO] = 8,
	};
	unsigned kind = BTF_INFO_KIND(t->info);

	return sizeof(*t) + fixed[kind] + (size_t)each[kind] * BTF_INFO_VLEN(t->info);
}

static void take_members(const struct btf_type *t, const char *names)
{
	const struct btf_member *m = (const void *)(t + 1);

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct wanted *w = &wanted[i];

		if (*w->place || strcmp(names + t->name_off, w->type))
			continue;
		for (unsigned k = 0; k < BTF_INFO_VLEN(t->info); k++)
			if (!strcmp(names + m[k].name_off, w->member))
				*w->place = BTF_MEMBER_BIT_OFFSET(m[k].offset) / 8;
	}
}

static void take_types(const char *bytes)
{
	const struct btf_header *head = (const void *)bytes;
	const char *at = bytes + head->hdr_len + head->type_off, *end = at + head->type_len;
	const char *names = bytes + head->hdr_len + head->str_off;

	while (at < end) {
		const struct btf_type *t = (const void *)at;

		if (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT)
			take_members(t, names);
		at += bpftypes_bytes(t);
	}
}

void bpftypes_read(void)
{
	static bool is_read;
	int fd = is_read ? -1 : open(TYPES_OF_KERNEL, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *bytes;
	ssize_t n = -1;

	is_read = true;
	if (fd < 0 || fstat(fd, &st))
		return;
	bytes = malloc((size_t)st.st_size);
	if (bytes)
		for (n = 0; n < st.st_size;) {
			ssize_t more = read(fd, bytes + n, (size_t)(st.st_size - n));

			if (more <= 0)
				break;
			n += more;
		}
	close(fd);
	if (n == st.st_size && n > 0)
		take_types(bytes);
	free(bytes);
}

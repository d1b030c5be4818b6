/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/bpfclang.h"

#include <linux/bpf.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/subprocess.h"

#define NEWEST 30

/* Defined here because the headers of some distributions are too old. */
#define MAP_TYPE_ARENA 33
#define F_MMAPABLE     (1u << 10)

const char *bpfclang_find(struct arena *a)
{
	for (int n = BPFCLANG_OLDEST; n <= NEWEST; n++) {
		const char *name = arena_printf(a, "clang-%d", n);

		if (subprocess_find(a, name))
			return name;
	}
	return subprocess_find(a, "clang") ? "clang" : NULL;
}

bool bpfclang_serves(struct arena *a)
{
	union bpf_attr attr = { .map_type = MAP_TYPE_ARENA,
				.max_entries = 1,
				.map_flags = F_MMAPABLE };
	int fd = bpfclang_find(a) ? (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)) : -1;

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

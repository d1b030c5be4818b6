/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "core/state.h"
#include "trace/messages.h"
#include "user/bpfcgroup.h"
#include "user/bpfcode.h"
#include "user/bpfload.h"
#include "user/bpftasks.h"
#include "user/bpftypes.h"

static int cgroup_map; /* a map with the group alone; 0: there is none */

/*
 * Finds the address of the group, a struct cgroup, and how many groups are above it. The
 * map, whose address becomes a number when it is stored, begins its values with that
 * address.
 */
static int find_group(void)
{
	static uint64_t map;
	struct bpfcode c = { .n = 0 };
	const struct bpf_layout *of = &bpf_shared.layout;

	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpfcode_number(&c, 3, (uint32_t)cgroup_map, BPF_PSEUDO_MAP_FD);
	bpftasks_store(&c, &map);
	bpfcode_put(&c, LOAD(3, 1, 0));
	bpftasks_follow(&c, (int)of->map_values);
	bpftasks_store(&c, &bpf_shared.cgroup);
	bpftasks_copy(&c, 4, (int)of->depth);
	bpftasks_store(&c, &bpf_shared.cgroup_depth);
	bpfcode_end(&c);
	return bpftasks_run(&c, "--cgroup");
}

/* True: a probe of the script sees the hits of all tasks. */
static bool has_unfiltered(void)
{
	for (uint32_t i = 0; i < stp_script.nprobes; i++)
		if (stp_script.probes[i].unfiltered)
			return true;
	return false;
}

bool bpfcgroup_begin(int fd)
{
	int rc = fd ? bpftypes_read() : 0;

	if (!fd)
		return true;
	if (!rc) {
		cgroup_map = bpfload_array_of(BPF_MAP_TYPE_CGROUP_ARRAY, fd);
		close(fd);
		if (cgroup_map < 0) {
			rc = cgroup_map;
			stp_setup_error("%s", strerror(-rc));
		}
	}
	if (!rc)
		rc = find_group();
	if (!rc && !bpf_shared.cgroup) {
		rc = -ENOENT;
		stp_setup_error("this kernel does not show which group it is");
	}
	if (rc) {
		message_error("--cgroup: %s", stp_runtime.setup_error);
		return false;
	}
	if (has_unfiltered())
		stp_session_set_filtered();
	return true;
}

bool bpfcgroup_is_asked(const struct stp_probe *p, bool is_shared)
{
	bool sees_all = is_shared ? has_unfiltered() : p->unfiltered;

	return cgroup_map > 0 && !sees_all && !p->family->is_of_script;
}

unsigned bpfcgroup_passes(struct bpfcode *c)
{
	bpfcode_number(c, 1, (uint32_t)cgroup_map, BPF_PSEUDO_MAP_FD);
	bpfcode_put(c, SET(2, 0));
	bpfcode_put(c, CALL(HELPER_UNDER_CGROUP));
	return bpfcode_put(c, JUMP_K(BPF_JEQ, 0, 1));
}

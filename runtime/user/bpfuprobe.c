/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process("p").function and the like under --runtime=bpf: breakpoints of the
 * kernel, of the kind uprobe.multi (kernels from 6.6).
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "bpf/calls.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"

/* Defined here because the headers of some distributions are too old. */
#define TRACE_UPROBE_MULTI 48
#define MULTI_RETURN	   1u

struct uprobe_state {
	struct bpfpoint hit, entry; /* entry: of a return that saves values */
	struct bpf_calls *calls;
};

/* The part of union bpf_attr that the kernel reads for such a link. */
struct multi {
	uint32_t program, target, attach_type, flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t count, multi_flags, pid, unused;
};

/* ---- the file ---- */

/* The point is an offset in that file: another build is refused. */
static bool is_same_file(const struct stp_probe *p, const struct stp_point_uprobe *point)
{
	int fd = open(point->path, O_RDONLY | O_CLOEXEC);
	uint8_t id[64];
	struct stat st;
	bool same;

	if (fd < 0 || fstat(fd, &st)) {
		stp_setup_error("%s: %s: %s", p->pp, point->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	same = (uint64_t)st.st_size == point->size && point->id_size <= sizeof(id) &&
	       pread(fd, id, point->id_size, (off_t)point->id_offset) == (ssize_t)point->id_size &&
	       !memcmp(id, point->id, point->id_size);
	close(fd);
	if (!same)
		stp_setup_error("%s: %s is not the file that the script was translated for", p->pp,
				point->path);
	return same;
}

/* ---- attaching ---- */

static int attach_multi(int program, const struct stp_point_uprobe *point, bool is_return)
{
	union bpf_attr attr = { 0 };
	struct multi m = {
		.program = (uint32_t)program,
		.attach_type = TRACE_UPROBE_MULTI,
		.path = (uintptr_t)point->path,
		.offsets = (uintptr_t)&point->offset,
		.semaphores = point->semaphore ? (uintptr_t)&point->semaphore : 0,
		.count = 1,
		.multi_flags = is_return ? MULTI_RETURN : 0,
	};

	memcpy(&attr, &m, sizeof(m));
	return (int)bpfload_call(BPF_LINK_CREATE, &attr);
}

static int uprobe_attach(struct bpfpoint *b, const struct stp_probe *p,
			 const struct bpfpoint_form *form, bool is_return)
{
	int rc = bpfpoint_load(b, p, form);

	if (rc)
		return rc;
	b->link = attach_multi(b->program, p->point, is_return);
	if (b->link >= 0)
		return 0;
	rc = -errno;
	stp_setup_error("%s: the kernel sets no breakpoint: %s", p->pp, strerror(errno));
	return rc;
}

static int uprobe_add(const struct stp_probe *p, struct uprobe_state *u)
{
	const struct stp_point_uprobe *point = p->point;
	struct bpfpoint_form form = {
		.kind.type = BPF_PROG_TYPE_KPROBE,
		.kind.attach_type = TRACE_UPROBE_MULTI,
		.only = (uint64_t)point->pid,
		.has_regs = true,
		.can_wait = true,
	};
	int rc;

	if (!is_same_file(p, point))
		return -ESTALE;
	if (!p->enter)
		return uprobe_attach(&u->hit, p, &form, point->is_return);
	u->calls = bpfpoint_calls(point->maxactive, point->nsaved);
	if (!u->calls)
		return -ENOMEM;
	form.calls = u->calls;
	form.part = BPF_PART_RETURN;
	rc = uprobe_attach(&u->hit, p, &form, true);
	form.part = BPF_PART_ENTRY;
	return rc ? rc : uprobe_attach(&u->entry, p, &form, false);
}

static void uprobes_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct uprobe_state *u = states[i];

		bpfpoint_detach(&u->entry);
		bpfpoint_detach(&u->hit);
	}
	bpfpoint_wait();
	for (unsigned i = 0; i < n; i++) {
		struct uprobe_state *u = states[i];

		bpfpoint_unload(&u->entry);
		bpfpoint_unload(&u->hit);
		if (u->calls)
			u->hit.missed += u->calls->missed;
		port_free(u->calls);
		u->calls = NULL;
	}
}

static int uprobes_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++) {
		rc = uprobe_add(probes[i], states[i]);
		if (rc && ((const struct stp_point_uprobe *)probes[i]->point)->optional)
			rc = 0; /* the set-up's error becomes a warning */
	}
	if (rc)
		uprobes_remove(probes, states, n);
	return rc;
}

static uint64_t uprobe_missed(const struct stp_probe *p, void *state)
{
	struct uprobe_state *u = state;

	return bpfpoint_missed(p, &u->hit) + bpfpoint_missed(p, &u->entry) +
	       (u->calls ? READ_ONCE(u->calls->missed) : 0);
}

static const char *uprobe_type(const struct stp_probe *p)
{
	return p->is_return ? "uretprobe" : "uprobe";
}

const struct stp_family stp_family_uprobe = {
	.name = "uprobe",
	.state_size = sizeof(struct uprobe_state),
	.add = uprobes_add,
	.remove = uprobes_remove,
	.missed = uprobe_missed,
	.type = uprobe_type,
};

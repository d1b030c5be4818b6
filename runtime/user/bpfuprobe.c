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
	struct bpf_calls *own; /* the same, unless another return instruction's point made it */
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

static int attach_multi(int program, const struct stp_point_uprobe *point, bool is_return,
			const uint64_t *offset)
{
	union bpf_attr attr = { 0 };
	struct multi m = {
		.program = (uint32_t)program,
		.attach_type = TRACE_UPROBE_MULTI,
		.path = (uintptr_t)point->path,
		.offsets = (uintptr_t)offset,
		.semaphores = point->semaphore ? (uintptr_t)&point->semaphore : 0,
		.count = 1,
		.multi_flags = is_return ? MULTI_RETURN : 0,
	};

	memcpy(&attr, &m, sizeof(m));
	return (int)bpfload_call(BPF_LINK_CREATE, &attr);
}

static int uprobe_attach(struct bpfpoint *b, const struct stp_probe *p,
			 const struct bpfpoint_form *form)
{
	const struct stp_point_uprobe *point = p->point;
	bool is_entry = form->part == BPF_PART_ENTRY;
	int rc = bpfpoint_load(b, p, form);

	if (rc)
		return rc;
	b->link = attach_multi(b->program, point, point->is_return && !is_entry,
			       is_entry && point->entry ? &point->entry : &point->offset);
	if (b->link >= 0)
		return 0;
	rc = -errno;
	stp_setup_error("%s: the kernel sets no breakpoint: %s", p->pp, strerror(errno));
	return rc;
}

/* True: both are at return instructions of one function, and share what it saves. */
static bool is_same_function(const struct stp_probe *p, const struct stp_probe *before)
{
	const struct stp_point_uprobe *a = p->point, *b = before ? before->point : NULL;

	return b && a->at_site && b->at_site && b->entry && a->function == b->function;
}

/* Makes the table of a return that saves values; false: there is no memory. */
static bool calls_make(struct uprobe_state *u, const struct stp_probe *p,
		       const struct uprobe_state *same)
{
	const struct stp_point_uprobe *point = p->point;

	u->own = same ? NULL : bpfpoint_calls(point->maxactive, point->nsaved);
	u->calls = same ? same->calls : u->own;
	return u->calls;
}

/* same: another return instruction's point of the same function, or NULL. */
static int uprobe_add(const struct stp_probe *p, struct uprobe_state *u,
		      const struct uprobe_state *same)
{
	const struct stp_point_uprobe *point = p->point;
	struct bpfpoint_form form = {
		.kind.type = BPF_PROG_TYPE_KPROBE,
		.kind.attach_type = TRACE_UPROBE_MULTI,
		.only = (uint64_t)point->pid,
		.has_regs = true,
		.at_site = point->at_site,
		.can_wait = true,
	};
	int rc;

	if (!is_same_file(p, point))
		return -ESTALE;
	if (!p->enter)
		return uprobe_attach(&u->hit, p, &form);
	if (!calls_make(u, p, same))
		return -ENOMEM;
	form.calls = u->calls;
	form.part = BPF_PART_RETURN;
	rc = uprobe_attach(&u->hit, p, &form);
	if (rc || same)
		return rc;
	form.part = BPF_PART_ENTRY;
	form.at_site = false;
	return uprobe_attach(&u->entry, p, &form);
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
		if (u->own)
			u->hit.missed += u->own->missed;
		port_free(u->own);
		u->own = u->calls = NULL;
	}
}

/* The last one first: the kernel calls the newest program of a place first. */
static int uprobes_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = 0;

	for (unsigned i = n; i-- > 0 && !rc;) {
		bool is_same = i + 1 < n && is_same_function(probes[i], probes[i + 1]);

		rc = uprobe_add(probes[i], states[i], is_same ? states[i + 1] : NULL);
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
	       (u->own ? READ_ONCE(u->own->missed) : 0);
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

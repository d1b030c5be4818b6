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
#include "user/bpfnesting.h"
#include "user/bpfpoint.h"
#include "user/bpftasks.h"
#include "user/bpfuprobe.h"

#define NO_PROCESS INT64_MAX /* no process has that number */

struct uprobe_state {
	struct bpfpoint hit, entry; /* entry: of a return that saves values */
	struct bpf_calls *calls;
	struct bpf_calls *own; /* the same, unless another return instruction's point made it */
	uint64_t unreturned;   /* calls, once the table is gone */
	uint64_t missed;       /* returns without a table that the kernel missed */
	int nesting;	       /* link that counts these, for this point and others; 0: none */
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

int bpfuprobe_link(const struct bpfuprobe_multi *m)
{
	union bpf_attr attr = { 0 };
	int ret;

	memcpy(&attr, m, sizeof(*m));
	ret = (int)bpfload_call(BPF_LINK_CREATE, &attr);
	return ret < 0 ? -errno : ret;
}

static int attach_multi(int program, const struct stp_point_uprobe *point, bool is_return,
			const uint64_t *offset)
{
	const struct bpfuprobe_multi m = {
		.program = (uint32_t)program,
		.attach_type = BPFUPROBE_MULTI,
		.path = (uintptr_t)point->path,
		.offsets = (uintptr_t)offset,
		.semaphores = point->semaphore ? (uintptr_t)&point->semaphore : 0,
		.count = 1,
		.multi_flags = is_return ? BPFUPROBE_RETURN : 0,
	};

	return bpfuprobe_link(&m);
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
	rc = b->link;
	stp_setup_error("%s: the kernel sets no breakpoint: %s", p->pp, strerror(-rc));
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
	if (u->own)
		u->own->replaces = !point->at_site;
	return u->calls;
}

/* Counts the calls that have not returned; at the end of the run they never will. */
static uint64_t calls_unreturned(const struct bpf_calls *t)
{
	uint64_t unseen = READ_ONCE(t->unseen);
	uint64_t n = READ_ONCE(t->ended) + READ_ONCE(t->lost) + READ_ONCE(t->skipped);

	for (uint64_t i = 0; i < t->count; i++)
		n += READ_ONCE(((const struct bpf_call *)(t->places + i * t->size))->owner) != 0;
	return n > unseen ? n - unseen : 0;
}

/* same: another return instruction's point of the same function, or NULL. */
static int uprobe_add(const struct stp_probe *p, struct uprobe_state *u,
		      const struct uprobe_state *same)
{
	const struct stp_point_uprobe *point = p->point;
	int64_t pid = bpftasks_number(point->pid);
	struct bpfpoint_form form = {
		.kind.type = BPF_PROG_TYPE_KPROBE,
		.kind.attach_type = BPFUPROBE_MULTI,
		.only = pid < 0 ? NO_PROCESS : (uint64_t)pid,
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

		if (u->nesting > 0)
			close(u->nesting);
		u->nesting = 0;
		bpfpoint_detach(&u->entry);
		bpfpoint_detach(&u->hit);
	}
	bpfpoint_wait();
	for (unsigned i = 0; i < n; i++) {
		struct uprobe_state *u = states[i];

		bpfpoint_unload(&u->entry);
		bpfpoint_unload(&u->hit);
		if (u->own) {
			u->hit.missed += u->own->missed;
			u->unreturned = calls_unreturned(u->own);
		}
		port_free(u->own);
		u->own = u->calls = NULL;
	}
}

/* ---- calls that are nested too deeply ---- */

static const struct stp_point_uprobe *plain_return(const struct stp_probe *p,
						   const struct uprobe_state *u)
{
	const struct stp_point_uprobe *point = p->point;

	return point->is_return && !p->enter && u->hit.link > 0 ? point : NULL;
}

/*
 * Counts calls that are nested too deeply, of the first point's function and of those
 * behind it in the same file. Returns how many points that were. Without memory, or if
 * the kernel refuses the program, such calls are not in the books.
 */
static unsigned nesting_watch(const struct stp_probe *const *probes, void *const *states,
			      unsigned n)
{
	const struct stp_point_uprobe *first = probes[0]->point, *point;
	uint64_t *offsets = malloc(n * sizeof(*offsets)), *counts = malloc(n * sizeof(*counts));
	struct uprobe_state *u = states[0];
	unsigned i = 0;

	for (; i < n && offsets && counts; i++) {
		point = plain_return(probes[i], states[i]);
		if (!point || strcmp(point->path, first->path) || point->pid != first->pid)
			break;
		offsets[i] = point->offset;
		counts[i] = (uintptr_t) & ((struct uprobe_state *)states[i])->missed;
	}
	if (i)
		u->nesting = bpfnesting_watch(first->path, first->pid, i, offsets, counts);
	free(offsets);
	free(counts);
	return i ? i : 1;
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
	for (unsigned i = 0; i < n && !rc;)
		i += plain_return(probes[i], states[i])
			     ? nesting_watch(probes + i, states + i, n - i)
			     : 1;
	if (rc)
		uprobes_remove(probes, states, n);
	return rc;
}

static uint64_t uprobe_missed(const struct stp_probe *p, void *state)
{
	struct uprobe_state *u = state;

	return bpfpoint_missed(p, &u->hit) + bpfpoint_missed(p, &u->entry) + READ_ONCE(u->missed) +
	       (u->own ? READ_ONCE(u->own->missed) : 0);
}

static uint64_t uprobe_unreturned(const struct stp_probe *p, void *state)
{
	struct uprobe_state *u = state;

	return u->own ? calls_unreturned(u->own) : u->unreturned;
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
	.unreturned = uprobe_unreturned,
	.type = uprobe_type,
};

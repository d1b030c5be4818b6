/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.trace under --runtime=bpf: raw tracepoints. */
#include <linux/bpf.h>

#include "core/port.h"
#include "core/session.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"

static int tracepoint_attach(struct bpfpoint *b, const struct stp_probe *p)
{
	const struct stp_point_tracepoint *point = p->point;
	struct bpfpoint_word words[STP_TRACE_ARGS];
	union bpf_attr attr = { .raw_tracepoint = { .name = (uintptr_t)point->name } };
	int rc;

	for (unsigned i = 0; i < point->nargs; i++)
		words[i] = (struct bpfpoint_word){
			(uint16_t)(8 * i),
			(uint8_t)(point->widths[i] < 0 ? -point->widths[i] : point->widths[i]),
			point->widths[i] < 0
		};
	rc = bpfpoint_load(b, p,
			   &(struct bpfpoint_form){ .kind.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
						    .only = BPF_ALL_TASKS,
						    .words = words,
						    .nwords = point->nargs });
	if (rc)
		return rc;
	attr.raw_tracepoint.prog_fd = (uint32_t)b->program;
	b->link = (int)bpfload_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (b->link >= 0)
		return 0;
	rc = -errno;
	stp_setup_error("%s: the tracepoint cannot be used: %s", p->pp, strerror(errno));
	return rc;
}

static void tracepoints_remove(const struct stp_probe *const *probes, void *const *states,
			       unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		bpfpoint_detach(states[i]);
	bpfpoint_wait();
	for (unsigned i = 0; i < n; i++)
		bpfpoint_unload(states[i]);
}

static int tracepoints_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++)
		rc = tracepoint_attach(states[i], probes[i]);
	if (rc)
		tracepoints_remove(probes, states, n);
	return rc;
}

static const char *tracepoint_type(const struct stp_probe *p)
{
	return "kernel_tracepoint";
}

const struct stp_family stp_family_tracepoint = {
	.name = "tracepoint",
	.state_size = sizeof(struct bpfpoint),
	.add = tracepoints_add,
	.remove = tracepoints_remove,
	.missed = bpfpoint_missed,
	.type = tracepoint_type,
};

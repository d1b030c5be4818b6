/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function and module.function under --runtime=bpf, entries and returns. A few
 * points are attached by fentry and fexit (bpftrampoline.c), if the kernel has them. All
 * others share a program for each part that a hit may be, and are attached together
 * (kprobe.multi); on kernels without that, one after the other (kprobes as counters).
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "bpf/calls.h"
#include "core/port.h"
#include "core/session.h"
#include "lib/functiontracer.h"
#include "user/bpfcode.h"
#include "user/bpfkernel.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpftargets.h"
#include "user/bpftraced.h"
#include "user/bpftrampoline.h"

/* Defined here because the headers of some distributions are too old. */
#define TRACE_KPROBE_MULTI  42
#define KPROBE_MULTI_RETURN 1u
#define PERF_EVENT_LINK	    41	/* enum bpf_attach_type */
#define NOT_SUPPORTED	    524 /* ENOTSUPP, which only kernels know */
#define LINK_PERF_EVENT	    7	/* enum bpf_link_type */
#define LINK_KPROBE_MULTI   8

#define KPROBE_KIND   "/sys/bus/event_source/devices/kprobe/type"
#define KPROBE_RETURN 1u /* bit 0 of config */

#define PARTS (BPF_PART_RETURN + 1)

/* The part of union bpf_attr that the kernel reads for such a link. */
struct multi_link {
	uint32_t program, target, attach_type, flags;
	uint32_t multi_flags, count;
	uint64_t symbols, addresses, cookies;
};

struct event_link {
	uint32_t program, event, attach_type, flags;
	uint64_t cookie;
};

/* The part of struct bpf_link_info that tells what a link has missed. */
struct link_info {
	uint32_t type, number, program, unused;
	union {
		struct {
			uint64_t addresses;
			uint32_t count, flags;
			uint64_t missed;
		} multi;
		struct {
			uint32_t type, unused;
			uint64_t name;
			uint32_t name_size, offset;
			uint64_t address, missed;
		} event;
		uint64_t all[16];
	};
};

struct function_state {
	struct bpf_calls *calls;
	struct bpftrampoline trampoline;
	bool is_direct; /* attached by that */
	bool is_alone;	/* by a kprobe, because kprobe.multi cannot have the function */
	bool lost;	/* it could not be attached */
};

static struct {
	struct bpfpoint programs[PARTS]; /* by enum bpf_part */
	struct bpfpoint alone[PARTS];	 /* of points whose functions kprobe.multi cannot have */
	struct bpf_point *points;	 /* by the place in the list of probes */
	bool is_multi;
	bool reads_registers; /* a handler does, besides parameters and results */
	bool saves;	      /* some return saves values at entry */
	int *links;
	unsigned nlinks;
	uint64_t missed; /* by links that are closed */
	uint64_t began;	 /* when they were being attached */
} attached = { .is_multi = true };

static const struct stp_point_function *function_of(const struct stp_probe *p)
{
	return p->point;
}

/* ---- the programs ---- */

static void function_find(struct bpfcode *c, const struct bpfpoint_form *f)
{
	bpfcode_put(c, MOVE(1, 6));
	bpfcode_put(c, CALL(HELPER_COOKIE));
	bpfcode_put(c, STORE(10, BPFPOINT_SUBJECT, 0));
}

static void function_skip(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason)
{
	bool is_undecided = bpfpoint_is_undecided(f, reason);

	bpfcode_put(c, LOAD(2, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, TO_ARENA(2));
	bpfcode_put(c, LOAD(1, 2,
			    is_undecided ? offsetof(struct bpf_point, calls)
					 : offsetof(struct bpf_point, skipped)));
	bpfcode_put(c, TO_ARENA(1));
	bpfcode_put(c, SET(2, 1));
	bpfcode_put(c, ATOMIC(1, is_undecided ? offsetof(struct bpf_calls, skipped) : 8 * reason, 2,
			      BPF_ADD));
}

static void function_fill(struct bpfcode *c, const struct bpfpoint_form *f)
{
	bpfcode_put(c, LOAD(1, 10, BPFPOINT_SUBJECT));
	bpfcode_put(c, TO_ARENA(1));
	bpfcode_put(c, LOAD(0, 1, offsetof(struct bpf_point, probe)));
	bpfcode_put(c, STORE(8, offsetof(struct bpf_shared, probe), 0));
	bpfcode_put(c, LOAD(0, 1, offsetof(struct bpf_point, calls)));
	bpfcode_put(c, STORE(8, offsetof(struct bpf_shared, calls), 0));
	if (f->only_values)
		bpfpoint_values(c);
	else
		bpfpoint_registers(c);
}

static const struct bpfpoint_common function_ops = { function_find, function_skip, function_fill };

/*
 * Loads the program of a part, unless it is there. The kernel calls the programs of
 * entries with preemption disabled.
 */
static int function_program(enum bpf_part part, const struct stp_probe *p, bool is_multi)
{
	struct bpfpoint *b =
		is_multi || !attached.is_multi ? &attached.programs[part] : &attached.alone[part];
	bool is_return = function_of(p)->is_return;
	const struct bpfpoint_form form = {
		.kind.type = BPF_PROG_TYPE_KPROBE,
		.kind.attach_type = is_multi ? TRACE_KPROBE_MULTI : 0,
		.part = part,
		.only = BPF_ALL_TASKS,
		.has_regs = true,
		.only_values = !attached.reads_registers,
		.keeps_cpu = part == BPF_PART_ENTRY || (part == BPF_PART_HIT && !is_return),
		.common = &function_ops,
	};

	return b->program ? 0 : bpfpoint_load(b, p, &form);
}

/* ---- attaching ---- */

/* Points that are attached in the same way. */
struct batch {
	const struct stp_probe *const *probes;
	struct function_state *const *states;
	unsigned n;
	enum bpf_part part;
	bool is_return;
};

/*
 * Returns with and without saved values are one batch, as handlers of one function run in
 * the order of their batch.
 */
static bool is_of(const struct batch *b, const struct stp_probe *p)
{
	bool is_return = function_of(p)->is_return, saves = is_return && attached.saves;

	switch (b->part) {
	case BPF_PART_HIT:
		return is_return == b->is_return && !saves;
	case BPF_PART_RETURN:
		return saves;
	default:
		return p->enter != NULL;
	}
}

static int add_link(int link)
{
	int *more;

	if (link < 0)
		return -errno;
	more = realloc(attached.links, (attached.nlinks + 1) * sizeof(*more));
	if (!more) {
		close(link);
		return -ENOMEM;
	}
	attached.links = more;
	more[attached.nlinks++] = link;
	return 0;
}

static int link_multi(const struct batch *b, const uint64_t *symbols, const uint64_t *cookies,
		      unsigned n)
{
	union bpf_attr attr = { 0 };
	struct multi_link m = {
		.program = (uint32_t)attached.programs[b->part].program,
		.attach_type = TRACE_KPROBE_MULTI,
		.multi_flags = b->is_return ? KPROBE_MULTI_RETURN : 0,
		.count = n,
		.symbols = (uintptr_t)symbols,
		.cookies = (uintptr_t)cookies,
	};

	memcpy(&attr, &m, sizeof(m));
	return add_link((int)bpfload_call(BPF_LINK_CREATE, &attr));
}

/* Returns the kernel's number for counters that are kprobes; -1: it has none. */
static int kprobe_kind(void)
{
	char text[16] = "";
	int fd = open(KPROBE_KIND, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 ? atoi(text) : -1;
}

/* The link holds the counter, whose descriptor is closed. */
static int link_kprobe(const struct batch *b, const char *symbol, uint64_t cookie)
{
	const struct bpfpoint *program =
		attached.is_multi ? &attached.alone[b->part] : &attached.programs[b->part];
	struct perf_event_attr event = {
		.type = (uint32_t)kprobe_kind(),
		.size = sizeof(event),
		.config = b->is_return ? KPROBE_RETURN : 0,
		.kprobe_func = (uintptr_t)symbol,
	};
	int fd = (int)syscall(SYS_perf_event_open, &event, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	union bpf_attr attr = { 0 };
	struct event_link l = {
		.program = (uint32_t)program->program,
		.event = (uint32_t)fd,
		.attach_type = PERF_EVENT_LINK,
		.cookie = cookie,
	};
	int rc;

	if (fd < 0)
		return -errno;
	memcpy(&attr, &l, sizeof(l));
	rc = add_link((int)bpfload_call(BPF_LINK_CREATE, &attr));
	if (!rc && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		rc = -errno;
	close(fd);
	return rc;
}

static int link_one(const struct batch *b, const char *symbol, uint64_t cookie)
{
	uint64_t name = (uintptr_t)symbol;

	return attached.is_multi ? link_multi(b, &name, &cookie, 1)
				 : link_kprobe(b, symbol, cookie);
}

/* Points of a batch: names of functions, and their struct bpf_point. */
struct names {
	uint64_t *symbols, *cookies;
	unsigned n;
};

/* Attaches a point whose function ftrace does not know. */
static int link_alone(const struct batch *b, const struct stp_probe *p, uint64_t cookie)
{
	int rc = kprobe_kind() < 0 ? -ENOENT : function_program(b->part, p, false);

	return rc ? rc : link_kprobe(b, function_of(p)->symbol, cookie);
}

/*
 * Leaves out a point that a pattern has found. One that was named gets a kprobe; if the
 * kernel allows none there, it is left out with a warning. Returns 0, or -errno if the
 * kernel has no such function: then the run cannot begin.
 */
static int name_refused(const struct batch *b, uint64_t cookie, int rc)
{
	const struct bpf_point *point = (const struct bpf_point *)(uintptr_t)cookie;
	const struct stp_probe *p = (const struct stp_probe *)(uintptr_t)point->probe;
	struct function_state *s = b->states[point - attached.points];

	s->lost = function_of(p)->is_matched;
	if (s->lost)
		return 0;
	s->is_alone = attached.is_multi;
	if (s->is_alone)
		rc = link_alone(b, p, cookie);
	if (rc == -EINVAL) {
		s->lost = true;
		stp_setup_warning("%s: %s: the kernel allows no probe there; skipped", p->pp,
				  function_of(p)->symbol);
		return 0;
	}
	if (rc)
		stp_setup_error("%s: the kernel sets no probe: %s", p->pp, strerror(-rc));
	return rc;
}

/* Attaches the points one by one. */
static int link_each(const struct batch *b, const struct names *names)
{
	int rc = 0;

	for (unsigned i = 0; i < names->n && !rc; i++) {
		rc = link_one(b, (const char *)(uintptr_t)names->symbols[i], names->cookies[i]);
		if (rc)
			rc = name_refused(b, names->cookies[i], rc);
	}
	return rc;
}

static bool is_unknown(int rc)
{
	return rc == -EOPNOTSUPP || rc == -NOT_SUPPORTED;
}

/* Leaves out the points whose functions this kernel does not have. */
static int names_filter(const struct batch *b, struct names *names)
{
	const char **texts = calloc(names->n, sizeof(*texts));
	bool *is_known = calloc(names->n, sizeof(*is_known));
	unsigned n = 0;
	int rc = texts && is_known ? 0 : -ENOMEM;

	for (unsigned i = 0; i < names->n && !rc; i++)
		texts[i] = (const char *)(uintptr_t)names->symbols[i];
	if (!rc && bpftraced_find(texts, names->n, is_known)) {
		for (unsigned i = 0; i < names->n && !rc; i++) {
			if (!is_known[i]) {
				rc = name_refused(b, names->cookies[i], -ENOENT);
				continue;
			}
			names->symbols[n] = names->symbols[i];
			names->cookies[n++] = names->cookies[i];
		}
		names->n = n;
	}
	free(texts);
	free(is_known);
	return rc;
}

/*
 * Attaches points of which the kernel refuses some, which it does not name: by halves, so
 * that there are few links.
 */
static int link_halves(const struct batch *b, const struct names *names)
{
	const unsigned half = names->n / 2;
	const struct names first = { names->symbols, names->cookies, half },
			   second = { names->symbols + half, names->cookies + half,
				      names->n - half };
	int rc = names->n ? link_multi(b, names->symbols, names->cookies, names->n) : 0;

	if (!rc || is_unknown(rc))
		return rc;
	if (names->n == 1)
		return name_refused(b, names->cookies[0], rc);
	rc = link_halves(b, &first);
	return rc ? rc : link_halves(b, &second);
}

/* Attaches all points, by one link if the kernel has all functions. */
static int link_names(const struct batch *b, struct names *names)
{
	int rc;

	if (!attached.is_multi)
		return link_each(b, names);
	rc = link_multi(b, names->symbols, names->cookies, names->n);
	if (!rc || is_unknown(rc))
		return rc;
	rc = names_filter(b, names);
	return rc ? rc : link_halves(b, names);
}

/* True: of several programs of a function the kernel calls the newest first. */
static bool is_newest_first(const struct batch *b)
{
	return !b->is_return || (attached.is_multi && bpfkernel_returns_newest_first());
}

static int batch_link(const struct batch *b)
{
	struct names names = { .symbols = calloc(2 * (size_t)b->n, sizeof(uint64_t)) };
	uint64_t *all = names.symbols;
	int rc = all ? 0 : -ENOMEM;

	names.cookies = names.symbols + b->n;
	for (unsigned k = 0; k < b->n && !rc; k++) {
		unsigned i = is_newest_first(b) ? b->n - 1 - k : k;

		if (b->states[i]->lost || b->states[i]->is_direct || !is_of(b, b->probes[i]))
			continue;
		names.symbols[names.n] = (uintptr_t)function_of(b->probes[i])->symbol;
		names.cookies[names.n++] = (uintptr_t)&attached.points[i];
		if (names.n == 1)
			rc = function_program(b->part, b->probes[i], attached.is_multi);
	}
	if (!rc && names.n)
		rc = link_names(b, &names);
	free(all);
	return rc;
}

/* Returns are attached first: a call that is seen to begin must be seen to return. */
static int link_all(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	static const struct {
		enum bpf_part part;
		bool is_return;
	} parts[] = {
		{ BPF_PART_RETURN, true },
		{ BPF_PART_ENTRY, false },
		{ BPF_PART_HIT, true },
		{ BPF_PART_HIT, false },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++) {
		const struct batch b = { probes, (struct function_state *const *)states, n,
					 parts[i].part, parts[i].is_return };

		rc = batch_link(&b);
	}
	return rc;
}

/* Kernels before 6.7 do not tell. */
static uint64_t link_missed(int link)
{
	struct link_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)link,
					  .info_len = sizeof(info),
					  .info = (uintptr_t)&info } };

	if (bpfload_call(BPF_OBJ_GET_INFO_BY_FD, &attr))
		return 0;
	switch (info.type) {
	case LINK_KPROBE_MULTI:
		return info.multi.missed;
	case LINK_PERF_EVENT:
		return info.event.missed;
	default:
		return 0;
	}
}

static void unlink_all(void)
{
	for (unsigned i = 0; i < attached.nlinks; i++) {
		attached.missed += link_missed(attached.links[i]);
		close(attached.links[i]);
	}
	free(attached.links);
	attached.links = NULL;
	attached.nlinks = 0;
	bpfpoint_wait();
	for (unsigned i = 0; i < PARTS; i++) {
		bpfpoint_unload(&attached.programs[i]);
		bpfpoint_unload(&attached.alone[i]);
	}
}

/* ---- fentry and fexit ---- */

/* Returns the number of functions to attach in this way; targets: of each point. */
static unsigned targets_choose(const struct stp_probe *const *probes, unsigned n,
			       struct bpftarget *targets)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct stp_point_function *f = function_of(probes[i]);

		if (bpftrampoline_suits(probes[i]))
			targets[found++] = (struct bpftarget){ .name = f->symbol,
							       .module = f->module,
							       .point = i };
	}
	return found;
}

/* The last one first: the kernel calls the newest program of a function first. */
static void link_trampolines(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	bool is_wanted = n <= BPFTRAMPOLINE_MOST && bpftrampoline_is_wanted();
	struct bpftarget *targets = is_wanted ? calloc(n, sizeof(*targets)) : NULL;
	unsigned found = targets ? targets_choose(probes, n, targets) : 0;

	if (found)
		bpftargets_find(targets, found);
	for (unsigned i = found; i-- > 0;) {
		struct function_state *s = states[targets[i].point];

		s->is_direct = bpftrampoline_attach(&s->trampoline, probes[targets[i].point],
						    &targets[i], s->calls);
	}
	free(targets);
}

/*
 * With -v, prints in which way each point was attached: with one write, as each write may
 * be thousands of hits by now.
 */
static void tell_ways(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	char *text = NULL;
	size_t len;
	FILE *to = bpfload_is_verbose() ? open_memstream(&text, &len) : NULL;

	if (!to)
		return;
	fprintf(to, "--runtime=bpf: %u points in functions, %u links in %lld ms\n", n,
		attached.nlinks, (long long)(port_monotonic_ns() - attached.began) / 1000000);
	for (unsigned i = 0; i < n; i++) {
		const struct function_state *s = states[i];
		const char *way = attached.is_multi && !s->is_alone ? "kprobe.multi" : "kprobe";

		if (s->is_direct)
			way = function_of(probes[i])->is_return ? "fexit" : "fentry";
		fprintf(to, "--runtime=bpf: %s: %s\n", probes[i]->pp,
			s->lost ? "not attached" : way);
	}
	if (!fclose(to))
		fwrite(text, 1, len, stderr);
	free(text);
}

/* ---- the family ---- */

static int points_make(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	attached.points = port_alloc(n * sizeof(*attached.points));
	if (!attached.points)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		struct function_state *s = states[i];
		const struct stp_point_function *f = function_of(probes[i]);

		attached.reads_registers |= f->reads_registers;
		attached.saves |= probes[i]->enter != NULL;
		if (probes[i]->enter)
			s->calls = bpfpoint_calls(f->maxactive, f->nsaved);
		if (probes[i]->enter && !s->calls)
			return -ENOMEM;
		attached.points[i] = (struct bpf_point){ (uintptr_t)probes[i],
							 (uintptr_t)bpfpoint_skips(probes[i]),
							 (uintptr_t)s->calls };
	}
	return 0;
}

static void functions_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		bpftrampoline_detach(&((struct function_state *)states[i])->trampoline);
	unlink_all();
	for (unsigned i = 0; i < n; i++)
		bpftrampoline_unload(&((struct function_state *)states[i])->trampoline);
}

static int functions_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int rc = points_make(probes, states, n);

	attached.began = port_monotonic_ns();
	if (functiontracer_is_off())
		stp_setup_warning("%s", FUNCTIONTRACER_HINT);
	if (!rc) {
		link_trampolines(probes, states, n);
		rc = link_all(probes, states, n);
	}
	if (is_unknown(rc) && kprobe_kind() >= 0) {
		unlink_all();
		attached.is_multi = false;
		rc = link_all(probes, states, n);
	}
	if (is_unknown(rc))
		stp_setup_error("%s: this kernel has neither kprobe.multi (CONFIG_FPROBE) nor "
				"kprobes for BPF programs (CONFIG_KPROBES)",
				probes[0]->pp);
	if (rc)
		functions_remove(probes, states, n);
	else
		tell_ways(probes, states, n);
	return rc;
}

/*
 * The kernel counts what it misses for each program and each link: all of that is in the
 * books of the first point.
 */
static uint64_t function_missed(const struct stp_probe *p, void *state)
{
	struct function_state *s = state;
	uint64_t ret = s->calls ? READ_ONCE(s->calls->missed) : 0;

	ret += bpftrampoline_missed(p, &s->trampoline);
	if (!attached.points || attached.points[0].probe != (uintptr_t)p)
		return ret;
	for (unsigned i = 0; i < PARTS; i++)
		ret += bpfpoint_missed(p, &attached.programs[i]) +
		       bpfpoint_missed(p, &attached.alone[i]);
	for (unsigned i = 0; i < attached.nlinks; i++)
		ret += link_missed(attached.links[i]);
	return ret + attached.missed;
}

static const char *function_type(const struct stp_probe *p)
{
	return function_of(p)->is_return ? "kretprobe" : "kprobe";
}

const struct stp_family stp_family_function = {
	.name = "function",
	.state_size = sizeof(struct function_state),
	.add = functions_add,
	.remove = functions_remove,
	.missed = function_missed,
	.type = function_type,
};

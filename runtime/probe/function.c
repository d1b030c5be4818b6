/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel and its modules.
 *
 *   entry      one ftrace_ops for all entries of the script; a table leads from the address to the probes
 *   return     kretprobe; its instance holds what the entry handler saved. It is registered disabled, and what its kprobe would do at the entry is done
 *              from the same ftrace callback: that costs less than the way through a kprobe, and nothing for arming each
 *   an entry that ftrace does not know, or a place in between: kprobe, or a kretprobe that is enabled
 *
 * Handlers change nothing here: the table and the states are made before registration and freed after removal, which waits for
 * handlers that still run. When a probed module is unloaded, kprobes drop its functions by themselves; ftrace does not, and what comes to lie at
 * its addresses would be taken for it: its entries are marked.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "api.h"
#include "compat/ftrace.h"
#include "compat/kretprobe.h"
#include "core/port.h"
#include "core/state.h"
#include "kernel/symbol.h"
#include "probe/build_id.h"

#define MAXACTIVE_LEAST 64

/* With ENDBR in front, ftrace's call site lies behind it: an entry stands in the table with both addresses. */
#ifdef CONFIG_X86_KERNEL_IBT
#define ENDBR_BYTES 4
#else
#define ENDBR_BYTES 0
#endif

/* BOTH: a disabled kretprobe, and ftrace at its entry. */
enum attachment { DETACHED, BY_FTRACE, BY_KPROBE, BY_KRETPROBE, BY_BOTH };

struct function {
	const struct stp_probe *probe;
	struct function *next; /* another probe of this entry, later in the script */
	unsigned long address; /* 0: skipped */
	enum attachment by;
	bool is_special;       /* at its entry there is more to do than to run the handler */
	union {
		struct kprobe kp;
		struct kretprobe rp;
	};
};

struct entry {
	unsigned long ip; /* 0: free; GONE: its module is */
	struct function *first;
};

#define GONE 1ul

static notrace void entry_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, compat_ftrace_regs *fregs);

static struct entries {
	struct ftrace_ops ops;
	struct entry *table;
	unsigned long mask; /* of offsets */
	unsigned long *ips; /* of the filter, until it is armed */
	unsigned int nips;
	bool registered, watching;
} entries = {
	.ops = {
		.func = entry_hit,
		/* PERMANENT: the sysctl ftrace_enabled cannot silence the script. */
		.flags = COMPAT_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT,
	},
};

/* The kernel's current_kprobe: what is handled on this CPU. NULL: the kernel does not tell where it is, and return probes are armed as kretprobes are. */
static struct kprobe *__percpu *running_kprobe;

static const struct stp_point_function *point_of(const struct stp_probe *p)
{
	return p->point;
}

/* One function less is no reason to stop, whether it was named or matched; without memory there is no script. */
static int refuse(struct function *f, const char *why, int error)
{
	const struct stp_probe *p = f->probe;

	f->address = 0;
	if (error == -ENOMEM) {
		stp_setup_error("%s: %s: %s", p->pp, p->function ?: "", why);
		return error;
	}
	stp_setup_warning("%s: %s: %s; skipped", p->pp, p->function ?: "", why);
	return 0;
}

/* ---- entries: ftrace ---- */

/* Functions begin at multiples of 16, the size of an entry: an address's own bits say where, and neighbours do not meet. */
static_assert(sizeof(struct entry) == 16, "entries are found by addresses as offsets");

static __always_inline struct entry *entry_at(unsigned long offset)
{
	return (struct entry *)((char *)entries.table + (offset & entries.mask));
}

/* The place of ip in the table, or the free one where it belongs. */
static __always_inline struct entry *entry_place(unsigned long ip)
{
	unsigned long offset = ip;
	struct entry *e = entry_at(offset);

	while (unlikely(READ_ONCE(e->ip) != ip) && e->ip)
		e = entry_at(offset += sizeof(*e));
	return e;
}

static bool is_caller(const void *ctx, unsigned long address)
{
	const struct function *f = ctx;
	const struct stp_point_function *point = point_of(f->probe);

	for (unsigned int i = 0; i < point->ncallers; i++)
		if (address > f->address + point->callers[i].begin && address <= f->address + point->callers[i].end)
			return true;
	return false;
}

/* At an entry the stack holds the address that the function returns to, unless a return probe of it is there already. */
static bool is_called_by_one(const struct function *f, const struct pt_regs *regs)
{
	return is_caller(f, *(const unsigned long *)regs->sp) || compat_kretprobe_returns(regs->sp, is_caller, f);
}

static bool is_called_from(const struct function *f, const struct pt_regs *regs)
{
	return !point_of(f->probe)->ncallers || is_called_by_one(f, regs);
}

/*
 * What kprobes would do at the entry of a return probe. It must not begin while a kprobe, anybody's, is being handled: what comes at the return ends that one's
 * claim to the CPU. Nor while another begins: what it calls may have a return probe too.
 */
static void return_begin(struct function *f, struct pt_regs *regs)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_runtime.cpus[port_this_cpu()];

	if (unlikely(*this_cpu_ptr(running_kprobe) || cpu->hooking)) {
		f->rp.kp.nmissed++;
	} else {
		WRITE_ONCE(cpu->hooking, 1);
		barrier();
		f->rp.kp.pre_handler(&f->rp.kp, regs);
		barrier();
		WRITE_ONCE(cpu->hooking, 0);
	}
	port_irq_restore(flags);
}

/* An entry with callers, or of a return probe. */
static noinline void special_hit(struct function *f, struct pt_regs *regs)
{
	if (point_of(f->probe)->is_return)
		return_begin(f, regs);
	else if (is_called_from(f, regs))
		f->probe->hit(f->probe, regs, NULL, NULL);
}

/* ftrace and kprobes say where execution goes on; the handler is told where the point is. */
static __always_inline void hit(struct function *f, struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);

	instruction_pointer_set(regs, f->address);
	if (unlikely(f->is_special))
		special_hit(f, regs);
	else
		f->probe->hit(f->probe, regs, NULL, NULL);
	instruction_pointer_set(regs, ip);
}

static notrace void entry_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, compat_ftrace_regs *fregs)
{
	struct pt_regs *regs = compat_ftrace_pt_regs(fregs);
	const struct entry *e = entry_at(ip);
	struct function *f;

	if (unlikely(READ_ONCE(e->ip) != ip) && !(e = entry_place(ip))->ip)
		return;
	f = e->first;
	do
		hit(f, regs);
	while ((f = f->next));
}

static void entry_insert(struct function *f)
{
	struct entry *e = entry_place(f->address);
	struct function **end = &e->first;

	e->ip = f->address;
	while (*end)
		end = &(*end)->next;
	*end = f;
	if (ENDBR_BYTES) {
		struct function *first = e->first;

		e = entry_place(f->address + ENDBR_BYTES);
		e->ip = f->address + ENDBR_BYTES;
		e->first = first;
	}
}

/*
 * Halving finds the addresses that ftrace does not know; they become 0. Tried with a filter that is begun anew each time: to add to one means to copy it.
 */
static __cold void filter_leave_out(struct ftrace_ops *trial, unsigned long *ips, unsigned int n)
{
	if (!n || !compat_ftrace_set(trial, ips, n))
		return;
	if (n == 1) {
		ips[0] = 0;
		return;
	}
	filter_leave_out(trial, ips, n / 2);
	filter_leave_out(trial, ips + n / 2, n - n / 2);
}

/* The kernel takes all addresses or none. Returns how many of them are left, which are the first then. */
static unsigned int filter_add(struct entries *e, unsigned long *ips, unsigned int n)
{
	static struct ftrace_ops trial = { .func = entry_hit };
	unsigned int kept = 0;

	if (!n || !compat_ftrace_set(&e->ops, ips, n))
		return n;
	filter_leave_out(&trial, ips, n);
	compat_ftrace_forget(&trial);
	for (unsigned int i = 0; i < n; i++)
		if (ips[i])
			ips[kept++] = ips[i];
	return kept && !compat_ftrace_set(&e->ops, ips, kept) ? kept : 0;
}

/* What ftrace has, or has no more. */
static void entries_note(const unsigned long *ips, unsigned int n, bool taken)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = entry_place(ips[i])->first;

		for (; f; f = f->next)
			if (point_of(f->probe)->is_return)
				f->by = taken ? BY_BOTH : BY_KRETPROBE;
			else
				f->by = taken ? BY_FTRACE : DETACHED;
	}
}

/* A filter without addresses would mean every function of the kernel, hence the count. */
static void entries_arm(struct entries *e)
{
	if (e->nips && !register_ftrace_function(&e->ops)) {
		e->registered = true;
	} else {
		compat_ftrace_forget(&e->ops);
		entries_note(e->ips, e->nips, false);
	}
	port_free(e->ips);
	e->ips = NULL;
}

static bool is_entry(const struct function *f)
{
	return f->address && !point_of(f->probe)->is_inside && (!point_of(f->probe)->is_return || running_kprobe);
}

/* The table and the filter. What is not in the latter is left to kprobes. */
static int entries_add(struct entries *e, void *const *states, unsigned int n)
{
	unsigned long size;
	unsigned int nips = 0;

	size = sizeof(*e->table) * 4ul << ilog2(n) << !!ENDBR_BYTES; /* at most half full */
	e->mask = size - sizeof(*e->table);
	e->table = port_alloc(size);
	e->ips = port_alloc(n * sizeof(*e->ips));
	if (!e->table || !e->ips)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		if (!is_entry(f))
			continue;
		if (!entry_place(f->address)->ip)
			e->ips[nips++] = f->address;
		entry_insert(f);
	}
	e->nips = filter_add(e, e->ips, nips);
	entries_note(e->ips, e->nips, true);
	return 0;
}

/* Nobody is in a module that goes. The places stay taken: others may lie behind them. */
static __cold int module_event(struct notifier_block *nb, unsigned long event, void *module)
{
	if (event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (unsigned long at = 0; at <= entries.mask; at += sizeof(struct entry)) {
		struct entry *e = entry_at(at);

		if (within_module(e->ip, module))
			WRITE_ONCE(e->ip, GONE);
	}
	return NOTIFY_OK;
}

static struct notifier_block module_watch = { .notifier_call = module_event };

static void entries_watch(struct entries *e, const struct stp_probe *const *probes, unsigned int n)
{
	for (unsigned int i = 0; i < n && !e->watching; i++)
		e->watching = point_of(probes[i])->module && !register_module_notifier(&module_watch);
}

static void entries_remove(struct entries *e)
{
	if (e->watching)
		unregister_module_notifier(&module_watch);
	e->watching = false;
	if (e->registered)
		unregister_ftrace_function(&e->ops);
	/* The filter is there from entries_add() on; what entries_arm() has forgotten, it has not registered. */
	if (e->registered || e->ips)
		compat_ftrace_forget(&e->ops);
	e->registered = false;
	port_free(e->ips);
	port_free(e->table);
	e->ips = NULL;
	e->table = NULL;
}

/* ---- kprobes and kretprobes ---- */

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct function *f = container_of(kp, struct function, kp);
	unsigned long ip = instruction_pointer(regs);

	instruction_pointer_set(regs, f->address);
	if (f->is_special)
		special_hit(f, regs);
	else
		f->probe->hit(f->probe, regs, NULL, NULL);
	instruction_pointer_set(regs, ip);
	return 0;
}

static int call_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	const struct function *f;

	if (!rp)
		return 1;
	f = container_of(rp, struct function, rp);
	if (!is_called_from(f, regs))
		return 1;
	return f->probe->enter && !f->probe->enter(f->probe, regs, NULL, (int64_t *)ri->data);
}

static int return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	const struct stp_probe *p;

	if (!rp)
		return 0;
	p = container_of(rp, struct function, rp)->probe;
	p->hit(p, regs, NULL, (int64_t *)ri->data);
	return 0;
}

static int return_add(struct function *f)
{
	const struct stp_point_function *point = point_of(f->probe);

	f->rp.kp.addr = (kprobe_opcode_t *)f->address;
	f->rp.kp.flags = KPROBE_FLAG_DISABLED;
	f->rp.handler = return_hit;
	f->rp.entry_handler = f->probe->enter || point->ncallers ? call_hit : NULL;
	f->rp.data_size = point->nsaved * sizeof(int64_t);
	f->rp.maxactive = point->maxactive ?: max_t(int, MAXACTIVE_LEAST, 4 * port_cpu_count());
	return register_kretprobe(&f->rp);
}

static int kprobe_add(struct function *f)
{
	f->kp.addr = (kprobe_opcode_t *)f->address;
	f->kp.flags = KPROBE_FLAG_DISABLED;
	f->kp.pre_handler = kprobe_hit;
	return register_kprobe(&f->kp);
}

static const char *refusal(int error)
{
	switch (error) {
	case -EINVAL:
		return "the kernel allows no probe there";
	case -EILSEQ:
		return "no instruction begins there";
	case -ENOMEM:
		return "no memory for the probe";
	default:
		return "the kernel refuses a probe there";
	}
}

/* Before the entries: from then on calls begin. */
static int returns_add(void *const *states, unsigned int n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++) {
		struct function *f = states[i];

		if (!f->address || !point_of(f->probe)->is_return)
			continue;
		ret = return_add(f);
		if (ret)
			ret = refuse(f, refusal(ret), ret);
		else
			f->by = BY_KRETPROBE;
	}
	return ret;
}

/*
 * What ftrace has not taken. All are registered disabled, and then enabled: an armed kprobe is made a jump soon, and who makes it one lets nobody register
 * another until all tasks have been seen outside of the place. To register hundreds takes longer than his pause, to enable them does not.
 */
static int kprobes_add(void *const *states, unsigned int n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++) {
		struct function *f = states[i];

		if (!f->address || f->by != DETACHED)
			continue;
		ret = kprobe_add(f);
		if (ret)
			ret = refuse(f, refusal(ret), ret);
		else
			f->by = BY_KPROBE;
	}
	return ret;
}

static int kprobes_enable(void *const *states, unsigned int n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++) {
		struct function *f = states[i];

		if (f->by == BY_KPROBE)
			ret = enable_kprobe(&f->kp);
		else if (f->by == BY_KRETPROBE)
			ret = enable_kretprobe(&f->rp);
		if (ret)
			ret = refuse(f, refusal(ret), ret);
	}
	return ret;
}

/* Unregistering one by one would wait for a grace period each time; without memory for the list it is done so. */
static void kprobes_remove(void *const *states, unsigned int n)
{
	struct kprobe **kps = port_alloc(n * sizeof(*kps));
	struct kretprobe **rps = port_alloc(n * sizeof(*rps));
	unsigned int nkps = 0, nrps = 0;

	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		if (f->by == BY_KPROBE && kps)
			kps[nkps++] = &f->kp;
		else if (f->by == BY_KPROBE)
			unregister_kprobe(&f->kp);
		else if ((f->by == BY_KRETPROBE || f->by == BY_BOTH) && rps)
			rps[nrps++] = &f->rp;
		else if (f->by == BY_KRETPROBE || f->by == BY_BOTH)
			unregister_kretprobe(&f->rp);
	}
	unregister_kprobes(kps, nkps);
	unregister_kretprobes(rps, nrps);
	port_free(kps);
	port_free(rps);
}

/* ---- the family ---- */

/* Places that debuginfo has told are true of one build. */
static int check_build(const struct stp_probe *const *probes, unsigned int n)
{
	const char *build_id = NULL;
	bool is_same = true;
	int ret;

	for (unsigned int i = 0; i < n && !build_id; i++)
		build_id = point_of(probes[i])->build_id;
	ret = build_id ? kernel_is_build(build_id, &is_same) : 0;
	if (ret || is_same)
		return ret;
	stp_setup_error("the debuginfo that this script was translated with is that of another build of this kernel (build-id %s)", build_id);
	return -EINVAL;
}

static int resolve(const struct stp_probe *const *probes, void *const *states, unsigned int n)
{
	struct stp_symbol *symbols = port_alloc((n + 1) * sizeof(*symbols));
	bool any_return = false;
	int ret = -ENOMEM;

	if (!symbols)
		return ret;
	symbols[n].name = "current_kprobe";
	for (unsigned int i = 0; i < n; i++) {
		symbols[i].name = point_of(probes[i])->symbol ?: "_text";
		symbols[i].module = point_of(probes[i])->module;
		any_return |= point_of(probes[i])->is_return;
	}
	ret = stp_symbols_resolve(symbols, n + any_return); /* one alone is found without a walk over all */
	running_kprobe = (struct kprobe *__percpu *)symbols[n].address;
	for (unsigned int i = 0; i < n && !ret; i++) {
		const struct stp_point_function *point = point_of(probes[i]);
		struct function *f = states[i];

		f->probe = probes[i];
		f->is_special = point->ncallers || point->is_return;
		f->address = point->symbol ? symbols[i].address : 0;
		if (f->address || !point->symbol)
			f->address += point->offset;
		else
			ret = refuse(f, "the running kernel has no such function", -ENOENT);
	}
	port_free(symbols);
	return ret;
}

static __cold void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	entries_remove(port_address(entries));
	kprobes_remove(states, n);
	for (unsigned int i = 0; i < n; i++)
		((struct function *)states[i])->by = DETACHED;
}

/*
 * The script may probe what registering a kprobe calls, a thousand times for each: the entries are armed when all are registered. Should ftrace refuse, kprobes
 * take those, too.
 */
static int entries_begin(struct entries *e, const struct stp_probe *const *probes, void *const *states, unsigned int n)
{
	entries_arm(e);
	entries_watch(e, probes, n);
	return kprobes_add(states, n);
}

static __cold int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	struct entries *e = port_address(entries);
	int ret = check_build(probes, n);

	if (!ret)
		ret = resolve(probes, states, n);
	if (!ret)
		ret = returns_add(states, n);
	if (!ret)
		ret = entries_add(e, states, n);
	if (!ret)
		ret = kprobes_add(states, n);
	if (!ret)
		ret = entries_begin(e, probes, states, n);
	if (!ret)
		ret = kprobes_enable(states, n);
	if (ret)
		remove(probes, states, n);
	return ret;
}

/* ftrace misses nothing. The counts stay after removal. */
static __cold uint64_t missed(const struct stp_probe *p, void *state)
{
	struct function *f = state;

	if (!f->address)
		return 0;
	return point_of(p)->is_return ? f->rp.nmissed + f->rp.kp.nmissed : f->kp.nmissed;
}

const struct stp_family stp_family_function = {
	.name = "function",
	.state_size = sizeof(struct function),
	.add = add,
	.remove = remove,
	.missed = missed,
};

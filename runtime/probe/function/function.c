/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel and its modules.
 *
 *   entry      one ftrace_ops for all entries of the script; a table leads from the
 *              address to the probes
 *   return     kretprobe; its instance holds the values that the entry handler saved. It
 *              is registered disabled, and the ftrace callback does the work that its
 *              kprobe would do at the entry: that costs less than the way through a
 *              kprobe, and nothing for arming each. Neighbours share a kretprobe where
 *              there are thousands: to register one, the kernel searches all its jump
 *              labels, static calls and BUG() places
 *   an entry that ftrace does not know, or a place in between: kprobe, or a kretprobe
 *   that is enabled
 *
 * Handlers change nothing here: the table and the states are made before registration and
 * freed after removal, which waits for handlers that still run. When a probed module is
 * unloaded, kprobes drop its functions by themselves; ftrace does not, and code loaded at
 * the same addresses later would be taken for the module's: so its entries are marked.
 * Modules are held from before their functions are looked up until the notifier that
 * marks is registered: so no address is armed that belongs to another module by now.
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
/* Additional instances of a kretprobe for each function that shares it. */
#define MAXACTIVE_SHARED 16

/*
 * Up to so many return probes have a kretprobe of their own each; more of them share this
 * number.
 */
#define KRETPROBES_MOST 2048

/*
 * No function is longer. The last symbol of a section seems longer: it reaches to the
 * next section's first symbol.
 */
#define FUNCTION_BYTES_MOST 65536

/*
 * With ENDBR in front, ftrace's call site lies behind it: an entry stands in the table
 * with both addresses.
 */
#ifdef CONFIG_X86_KERNEL_IBT
#define ENDBR_BYTES 4
#else
#define ENDBR_BYTES 0
#endif

/* The kernel unregisters that many in one go, without rescheduling. */
#define UNREGISTERED_AT_ONCE 512

enum attachment { DETACHED, BY_KPROBE, BY_KRETPROBE };

struct function {
	const struct stp_probe *probe;
	struct function *next; /* another probe of this entry, to be begun later */
	unsigned long address; /* 0: skipped */
	struct function *holder; /* for functions in a module: the one that holds the module */
	struct module *held;   /* while it is being attached */
	enum attachment by;
	bool is_traced;        /* ftrace calls at its entry; a kretprobe stays disabled */
	bool is_special;       /* the entry has more to do than to run the handler */
	struct function *hub;  /* for a return probe that ftrace calls: owner of its kretprobe */
	unsigned int nsharing; /* for a hub: functions that use its kretprobe */
	unsigned long nmissed; /* for a return probe: misses that we count ourselves */
	union {
		struct kprobe kp;
		struct kretprobe rp;
	};
};

struct entry {
	unsigned long ip; /* 0: free; GONE: its module is; without OPEN: hidden from hits */
	struct function *first;
};

#define GONE 1ul
/* All kernel addresses have this bit. */
#define OPEN (1ul << (BITS_PER_LONG - 1))

static notrace void entry_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			      compat_ftrace_regs *fregs);

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

/*
 * The kernel's current_kprobe: the kprobe handled on this CPU. NULL: its address is not
 * known, and return probes are armed as kretprobes are.
 */
static struct kprobe *__percpu *running_kprobe;

/*
 * Function for which a shared kretprobe begins on this CPU; NULL: the handler has noted
 * it.
 */
static DEFINE_PER_CPU(struct function *, beginning);

/*
 * The kernel's pre_handler of kretprobes; enabled kretprobes go without it until
 * kprobes_open().
 */
static kprobe_pre_handler_t kretprobe_begins;

/*
 * Checks that register_kretprobe() makes before it takes a function. NULL: their
 * addresses are not known, and no kretprobe is shared.
 */
static struct {
	bool (*within_kprobe_blacklist)(unsigned long address);
	const struct kretprobe_blackpoint *kretprobe_blacklist;
} refusals;

static const struct stp_point_function *point_of(const struct stp_probe *p)
{
	return p->point;
}

/*
 * Refuses a function, named or matched: one less is no reason to stop. But without memory
 * there is no script.
 */
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

/*
 * Functions begin at multiples of 16, the size of an entry: so an address's own bits give
 * the offset, and neighbours do not meet.
 */
static_assert(sizeof(struct entry) == 16, "entries are found by addresses as offsets");

static __always_inline struct entry *entry_at(unsigned long offset)
{
	return (struct entry *)((char *)entries.table + (offset & entries.mask));
}

/* Returns the place of ip in the table, or the free one where it belongs. */
static __always_inline struct entry *entry_place(unsigned long ip)
{
	unsigned long offset = ip;
	struct entry *e = entry_at(offset);

	while (unlikely(READ_ONCE(e->ip) != ip) && e->ip)
		e = entry_at(offset += sizeof(*e));
	return e;
}

static bool is_shared(const struct function *hub)
{
	return hub->nsharing > 1;
}

static bool is_caller(const void *ctx, unsigned long address)
{
	const struct function *f = ctx;
	const struct stp_point_function *point = point_of(f->probe);

	for (unsigned int i = 0; i < point->ncallers; i++)
		if (address > f->address + point->callers[i].begin &&
		    address <= f->address + point->callers[i].end)
			return true;
	return false;
}

/*
 * At an entry the stack holds the return address of the function, unless a return probe
 * has replaced it already.
 */
static bool is_called_by_one(const struct function *f, const struct pt_regs *regs)
{
	return is_caller(f, *(const unsigned long *)regs->sp) ||
	       compat_kretprobe_returns(regs->sp, is_caller, f);
}

static bool is_called_from(const struct function *f, const struct pt_regs *regs)
{
	return !point_of(f->probe)->ncallers || is_called_by_one(f, regs);
}

/*
 * Begins an instance. The kernel counts calls that find no free instance, but not per
 * function. Such a call is known by its handler not having run.
 */
static void instance_begin(struct function *f, struct function *hub, struct pt_regs *regs)
{
	if (likely(!is_shared(hub))) {
		hub->rp.kp.pre_handler(&hub->rp.kp, regs);
		return;
	}
	__this_cpu_write(beginning, f);
	hub->rp.kp.pre_handler(&hub->rp.kp, regs);
	if (unlikely(__this_cpu_read(beginning)))
		f->nmissed++;
}

/*
 * Does the work of kprobes at the entry of a return probe. It must not begin while any
 * kprobe, also of others, is being handled: the code at the return ends that kprobe's
 * claim to the CPU. It must not begin either while another return probe begins: functions
 * called by that may have a return probe too.
 */
static void return_begin(struct function *f, struct pt_regs *regs)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_runtime.cpus[port_this_cpu()];

	if (unlikely(*this_cpu_ptr(running_kprobe) || cpu->hooking)) {
		f->nmissed++;
	} else {
		WRITE_ONCE(cpu->hooking, 1);
		barrier();
		instance_begin(f, f->hub, regs);
		barrier();
		WRITE_ONCE(cpu->hooking, 0);
	}
	port_irq_restore(flags);
}

/* Handles an entry with callers, or of a return probe. */
static noinline void special_hit(struct function *f, struct pt_regs *regs)
{
	if (point_of(f->probe)->is_return)
		return_begin(f, regs);
	else if (is_called_from(f, regs))
		f->probe->hit(f->probe, regs, NULL, NULL);
}

/*
 * Runs the handler. ftrace and kprobes set the address where execution goes on; the
 * handler gets the address of the point.
 */
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

static notrace void entry_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			      compat_ftrace_regs *fregs)
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

/*
 * Inserts a probe so that handlers run in the script's order. Among the returns of one
 * call, the kernel serves the last begun first: they begin in reverse.
 */
static void entry_insert(struct function *f)
{
	struct entry *e = entry_place(f->address);
	struct function **at = &e->first;
	bool is_return = point_of(f->probe)->is_return;

	e->ip = f->address;
	while (*at && !(is_return && point_of((*at)->probe)->is_return))
		at = &(*at)->next;
	f->next = *at;
	*at = f;
	if (ENDBR_BYTES) {
		struct function *first = e->first;

		e = entry_place(f->address + ENDBR_BYTES);
		e->ip = f->address + ENDBR_BYTES;
		e->first = first;
	}
}

/* Takes a refused probe out again; the entries are not armed yet. */
static __cold void entry_take_out(struct function *f)
{
	struct entry *e = entry_place(f->address);
	struct function **at = &e->first;

	while (*at && *at != f)
		at = &(*at)->next;
	if (*at)
		*at = f->next;
	if (ENDBR_BYTES)
		entry_place(f->address + ENDBR_BYTES)->first = e->first;
}

/*
 * Finds the addresses that ftrace does not know by halving, and sets them to 0. Each try
 * makes a new filter: adding to one means copying it.
 */
static __cold void filter_leave_out(struct ftrace_ops *trial, unsigned long *ips, unsigned int n)
{
	if (!n || !compat_ftrace_set(trial, ips, n))
		return;
	if (n == 1) {
		ips[0] = 0;
		return;
	}
	cond_resched();
	filter_leave_out(trial, ips, n / 2);
	filter_leave_out(trial, ips + n / 2, n - n / 2);
}

/* Moves the addresses other than 0 to the front; returns their number. */
static unsigned int filter_close_up(unsigned long *ips, unsigned int n)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < n; i++)
		if (ips[i])
			ips[kept++] = ips[i];
	return kept;
}

/*
 * Adds addresses to the filter. The kernel takes all or none: unknown ones are left out.
 * Returns the number of those left, now at the front.
 */
static unsigned int filter_add(struct entries *e, unsigned long *ips, unsigned int n)
{
	static struct ftrace_ops trial = { .func = entry_hit };
	unsigned int kept;

	if (!n || !compat_ftrace_set(&e->ops, ips, n))
		return n;
	filter_leave_out(&trial, ips, n);
	compat_ftrace_forget(&trial);
	kept = filter_close_up(ips, n);
	return kept && !compat_ftrace_set(&e->ops, ips, kept) ? kept : 0;
}

/* Notes which entries ftrace calls, or calls no more. */
static void entries_note(const unsigned long *ips, unsigned int n, bool is_traced)
{
	for (unsigned int i = 0; i < n; i++)
		for (struct function *f = entry_place(ips[i])->first; f; f = f->next)
			f->is_traced = is_traced;
}

/*
 * Removes entries whose probes have all been refused from the filter: a hit expects a
 * probe.
 */
static __cold int entries_leave_out_empty(struct entries *e)
{
	unsigned int n = e->nips;

	for (unsigned int i = 0; i < n; i++)
		if (!entry_place(e->ips[i])->first)
			e->ips[i] = 0;
	e->nips = filter_close_up(e->ips, n);
	return e->nips && e->nips < n ? compat_ftrace_set(&e->ops, e->ips, e->nips) : 0;
}

/*
 * Lets hits find the probes, also while ftrace calls; or hides them: hits cost next to
 * nothing then.
 */
static __cold void entries_show(struct entries *e, unsigned long open)
{
	for (unsigned long at = 0; at <= e->mask; at += sizeof(struct entry)) {
		struct entry *place = entry_at(at);

		if (place->ip)
			WRITE_ONCE(place->ip, (place->ip & ~OPEN) | open);
		cond_resched();
	}
}

/*
 * Arms the entries. A filter without addresses would mean every function of the kernel,
 * hence the count.
 */
static void entries_arm(struct entries *e)
{
	entries_show(e, 0);
	if (e->nips && !register_ftrace_function(&e->ops)) {
		e->registered = true;
	} else {
		compat_ftrace_forget(&e->ops);
		entries_show(e, OPEN);
		entries_note(e->ips, e->nips, false);
	}
	port_free(e->ips);
	e->ips = NULL;
}

/* ---- return probes that share a kretprobe ---- */

static bool is_traced_return(const struct function *f)
{
	return f->address && f->is_traced && point_of(f->probe)->is_return;
}

/* True: register_kretprobe() would refuse the function. */
static bool is_refused(const struct function *f)
{
	const struct kretprobe_blackpoint *b = refusals.kretprobe_blacklist;

	while (b->name && b->addr != (void *)f->address)
		b++;
	return b->name || refusals.within_kprobe_blacklist(f->address);
}

/*
 * Makes neighbours share a kretprobe. Return probes that ask for a number of instances
 * keep their own.
 */
static void returns_share(void *const *states, unsigned int n)
{
	unsigned int nreturns = 0, each;
	struct function *hub = NULL;

	for (unsigned int i = 0; i < n; i++)
		nreturns += is_traced_return(states[i]);
	each = DIV_ROUND_UP(nreturns, KRETPROBES_MOST);
	if (!refusals.within_kprobe_blacklist || !refusals.kretprobe_blacklist)
		each = 1;
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		cond_resched();
		if (!is_traced_return(f))
			continue;
		f->hub = f;
		f->nsharing = 1;
		if (each == 1 || point_of(f->probe)->maxactive || is_refused(f))
			continue; /* for is_refused(), the kernel reports the error */
		if (!hub || hub->nsharing == each)
			hub = f;
		else
			hub->nsharing++;
		f->hub = hub;
	}
}

/* True: ftrace can save the registers that the handler reads. A kprobe always does. */
static bool is_served(const struct function *f)
{
	return COMPAT_FTRACE_ALL_REGISTERS || !point_of(f->probe)->reads_registers;
}

static bool is_entry(const struct function *f)
{
	return f->address && !point_of(f->probe)->is_inside && is_served(f) &&
	       (!point_of(f->probe)->is_return || running_kprobe);
}

/*
 * Makes the table and the filter. Entries that are not in the filter are left to kprobes.
 */
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
		if (point_of(f->probe)->reads_registers)
			e->ops.flags |= COMPAT_FTRACE_ALL_REGISTERS;
		entry_insert(f);
		cond_resched();
	}
	e->nips = filter_add(e, e->ips, nips);
	entries_note(e->ips, e->nips, true);
	return 0;
}

/*
 * Marks the entries of a module that goes; no CPU is in its code any more. Their places
 * stay taken: others may lie behind them.
 */
static __cold int module_event(struct notifier_block *nb, unsigned long event, void *module)
{
	if (event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (unsigned long at = 0; at <= entries.mask; at += sizeof(struct entry)) {
		struct entry *e = entry_at(at);

		if (within_module(e->ip, module))
			WRITE_ONCE(e->ip, GONE);
		cond_resched();
	}
	return NOTIFY_OK;
}

static struct notifier_block module_watch = { .notifier_call = module_event };

static void entries_watch(struct entries *e, const struct stp_probe *const *probes, unsigned int n)
{
	for (unsigned int i = 0; i < n && !e->watching; i++)
		e->watching =
			point_of(probes[i])->module && !register_module_notifier(&module_watch);
}

static void entries_remove(struct entries *e)
{
	if (e->registered)
		unregister_ftrace_function(&e->ops);
	if (e->watching)
		unregister_module_notifier(&module_watch);
	e->watching = false;
	/*
	 * The filter exists from entries_add() on; after entries_arm() has forgotten it,
	 * ftrace is not registered.
	 */
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

/*
 * Data of an instance: its function, when it shares a kretprobe, then the saved values.
 */
static struct function **instance_function(struct kretprobe_instance *ri)
{
	return (struct function **)ri->data;
}

static int64_t *instance_saved(struct kretprobe_instance *ri, const struct function *hub)
{
	return (int64_t *)ri->data + is_shared(hub);
}

static int call_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	struct function *hub, *f;

	if (!rp)
		return 1;
	f = hub = container_of(rp, struct function, rp);
	if (is_shared(hub)) {
		*instance_function(ri) = f = __this_cpu_read(beginning);
		__this_cpu_write(beginning, NULL);
	}
	if (!is_called_from(f, regs))
		return 1;
	return f->probe->enter && !f->probe->enter(f->probe, regs, NULL, instance_saved(ri, hub));
}

static int return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	const struct function *hub;
	const struct stp_probe *p;

	if (!rp)
		return 0;
	hub = container_of(rp, struct function, rp);
	p = is_shared(hub) ? (*instance_function(ri))->probe : hub->probe;
	p->hit(p, regs, NULL, instance_saved(ri, hub));
	return 0;
}

/*
 * Returns the words of an instance's data. A hub is followed by the functions that share
 * its kretprobe, among others.
 */
static unsigned int data_words(void *const *states, unsigned int n)
{
	const struct function *hub = states[0];
	unsigned int words = point_of(hub->probe)->nsaved;

	for (unsigned int i = 1, nfound = 1; i < n && nfound < hub->nsharing; i++) {
		const struct function *f = states[i];

		if (f->hub != hub)
			continue;
		words = max(words, point_of(f->probe)->nsaved);
		nfound++;
	}
	return words + is_shared(hub);
}

/* Registers the return probe states[0]; the probes that share its kretprobe follow it. */
static int return_add(void *const *states, unsigned int n)
{
	struct function *f = states[0];
	const struct stp_point_function *point = point_of(f->probe);
	int ret;

	f->rp.kp.addr = (kprobe_opcode_t *)f->address;
	f->rp.kp.flags = KPROBE_FLAG_DISABLED;
	f->rp.handler = return_hit;
	f->rp.entry_handler = is_shared(f) || f->probe->enter || point->ncallers ? call_hit : NULL;
	f->rp.data_size = data_words(states, n) * sizeof(int64_t);
	f->rp.maxactive = point->maxactive ?: max_t(int, MAXACTIVE_LEAST, 4 * port_cpu_count());
	if (is_shared(f))
		f->rp.maxactive += MAXACTIVE_SHARED * (f->nsharing - 1);
	ret = register_kretprobe(&f->rp);
	if (!ret && !f->is_traced) {
		kretprobe_begins = f->rp.kp.pre_handler;
		f->rp.kp.pre_handler = NULL; /* until kprobes_open() */
	}
	return ret;
}

static int kprobe_add(struct function *f)
{
	f->kp.addr = (kprobe_opcode_t *)f->address;
	f->kp.flags = KPROBE_FLAG_DISABLED; /* and without a handler until kprobes_open() */
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

/*
 * Passes a refused hub's kretprobe on: the next function that shares it becomes the hub.
 */
static void hub_pass_on(void *const *states, unsigned int n)
{
	const struct function *from = states[0];
	struct function *to = NULL;

	for (unsigned int i = 1; i < n; i++) {
		struct function *f = states[i];

		if (f->hub != from)
			continue;
		to = to ?: f;
		f->hub = to;
	}
	if (to)
		to->nsharing = from->nsharing - 1;
}

static bool is_too_long(const struct function *f)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long at, size;
	const char *plus;

	sprint_symbol(text, f->address);
	plus = strrchr(text, '+');
	return plus && sscanf(plus, "+0x%lx/0x%lx", &at, &size) == 2 && size > FUNCTION_BYTES_MOST;
}

/* Registers the first of the states. */
static int register_one(void *const *states, unsigned int n)
{
	struct function *f = states[0];
	bool is_return = point_of(f->probe)->is_return;
	int ret;

	if (!f->is_traced && point_of(f->probe)->is_matched && is_too_long(f))
		return refuse(f, "its code goes on to the end of a section: "
			      "it is not called as functions are", -ENOENT);
	ret = is_return ? return_add(states, n) : kprobe_add(f);
	if (!ret) {
		f->by = is_return ? BY_KRETPROBE : BY_KPROBE;
		return 0;
	}
	if (f->is_traced)
		entry_take_out(f);
	if (f->hub && is_shared(f))
		hub_pass_on(states, n);
	return refuse(f, refusal(ret), ret);
}

/*
 * True: kprobes serve this probe. Entries that ftrace calls need no kprobe, and their
 * returns may use another probe's.
 */
static bool is_left_to_kprobes(const struct function *f)
{
	return f->address && f->by == DETACHED && (!f->is_traced || f->hub == f);
}

/*
 * Registers the kprobes of probes that ftrace calls, or of the others. The kernel serves
 * kprobes at one place from the last first: they come in reverse, so that handlers run in
 * the script's order. Kretprobes follow in order: one that is refused passes its place on
 * to the next.
 *
 * All are registered disabled, and then enabled. The kernel soon makes an armed kprobe a
 * jump, and while it does, nobody can register another until all tasks have been seen
 * outside of the place. Registering hundreds takes longer than the kernel's pause before
 * that work, enabling them does not.
 */
static int kprobes_add(void *const *states, unsigned int n, bool is_traced)
{
	int ret = 0;

	for (unsigned int i = 0; i < 2 * n && !ret; i++) {
		unsigned int at = i < n ? n - 1 - i : i - n;
		struct function *f = states[at];

		if (f->is_traced == is_traced && is_left_to_kprobes(f) &&
		    point_of(f->probe)->is_return == (i >= n))
			ret = register_one(states + at, n - at);
		cond_resched();
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
		else if (f->by == BY_KRETPROBE && !f->is_traced)
			ret = enable_kretprobe(&f->rp);
		if (ret)
			ret = refuse(f, refusal(ret), ret);
		cond_resched();
	}
	return ret;
}

/*
 * Opens the kprobes after all functions of the script are attached: from here on handlers
 * run, and misses count.
 */
static __cold void kprobes_open(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		if (f->by == BY_KPROBE)
			WRITE_ONCE(f->kp.pre_handler, kprobe_hit);
		else if (f->by == BY_KRETPROBE && !f->is_traced)
			WRITE_ONCE(f->rp.kp.pre_handler, kretprobe_begins);
		f->rp.kp.nmissed = 0;
		cond_resched();
	}
}

/* Probes on their way to being unregistered. */
struct leaving {
	struct kprobe **kps;
	struct kretprobe **rps;
	unsigned int nkps, nrps;
};

static void leaving_unregister(struct leaving *l)
{
	unregister_kprobes(l->kps, l->nkps);
	unregister_kretprobes(l->rps, l->nrps);
	l->nkps = l->nrps = 0;
	cond_resched();
}

static void leaving_add(struct leaving *l, struct function *f)
{
	if (f->by == BY_KPROBE)
		l->kps[l->nkps++] = &f->kp;
	else if (f->by == BY_KRETPROBE)
		l->rps[l->nrps++] = &f->rp;
	f->by = DETACHED;
	if (l->nkps + l->nrps == UNREGISTERED_AT_ONCE)
		leaving_unregister(l);
}

/*
 * Removes many at once: unregistering waits for a grace period each time. The last
 * registered goes first, as the kernel looks for each in a list that begins with the
 * last.
 */
static void kprobes_remove(void *const *states, unsigned int n)
{
	static struct kprobe *kps[UNREGISTERED_AT_ONCE];
	static struct kretprobe *rps[UNREGISTERED_AT_ONCE];
	struct leaving l = { .kps = kps, .rps = rps };

	for (unsigned int i = n; i-- > 0;)
		leaving_add(&l, states[i]);
	leaving_unregister(&l);
}

/* ---- the family ---- */

/*
 * Checks the kernel's build: places that come from debuginfo are true of one build only.
 */
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
	stp_setup_error("the debuginfo that this script was translated with is that of another "
			"build of this kernel (build-id %s)",
			build_id);
	return -EINVAL;
}

/* Kernel symbols that return probes need, in the order of their names. */
static const char *const kernel_symbols[] = {
	"current_kprobe",
	"within_kprobe_blacklist",
	"kretprobe_blacklist",
};

static void kernel_symbols_note(const struct stp_symbol *symbols)
{
	running_kprobe = (struct kprobe *__percpu *)symbols[0].address;
	refusals.within_kprobe_blacklist = (void *)symbols[1].address;
	refusals.kretprobe_blacklist = (void *)symbols[2].address;
}

/*
 * True: the function's module is not held. A module that is not held may go, and another
 * may be loaded at its place, while we look.
 */
static bool is_away(const struct function *f)
{
	return f->holder && !f->holder->held;
}

static int resolve(const struct stp_probe *const *probes, void *const *states, unsigned int n)
{
	const unsigned int nkernel = ARRAY_SIZE(kernel_symbols);
	struct stp_symbol *symbols = port_alloc((n + nkernel) * sizeof(*symbols));
	bool any_return = false;
	int ret = -ENOMEM;

	if (!symbols)
		return ret;
	for (unsigned int i = 0; i < nkernel; i++)
		symbols[n + i].name = kernel_symbols[i];
	for (unsigned int i = 0; i < n; i++) {
		cond_resched();
		symbols[i].name = is_away(states[i]) ? "" : point_of(probes[i])->symbol ?: "_text";
		symbols[i].module = point_of(probes[i])->module;
		any_return |= point_of(probes[i])->is_return;
	}
	/* A single symbol is found without a walk over all. */
	ret = stp_symbols_resolve(symbols, any_return ? n + nkernel : n);
	if (!ret && any_return)
		kernel_symbols_note(symbols + n);
	for (unsigned int i = 0; i < n && !ret; i++) {
		const struct stp_point_function *point = point_of(probes[i]);
		struct function *f = states[i];

		f->probe = probes[i];
		f->is_special = point->ncallers || point->is_return;
		f->address = point->symbol ? symbols[i].address : 0;
		if (f->address || !point->symbol)
			f->address += point->offset;
		else if (is_away(f))
			ret = refuse(f, "its module is not loaded, or is just coming or going",
				     -ENOENT);
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
}

/*
 * Registers kprobes for the entries that ftrace has refused in the end. A shared
 * kretprobe cannot do without ftrace.
 */
static __cold int kprobes_take_over(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const struct function *f = states[i];

		if (!f->address || !f->hub || !is_shared(f->hub))
			continue;
		stp_setup_error("%s: the kernel's function tracer refuses so many functions",
				f->probe->pp);
		return -EOPNOTSUPP;
	}
	return kprobes_add(states, n, false);
}

/*
 * Arms the entries after all kprobes are registered: the script may probe functions that
 * registering a kprobe calls, a thousand times for each. When ftrace refuses, kprobes
 * take its entries, too.
 */
static int entries_begin(struct entries *e, const struct stp_probe *const *probes,
			 void *const *states, unsigned int n)
{
	int ret = entries_leave_out_empty(e);

	if (ret)
		return ret;
	entries_watch(e, probes, n);
	entries_arm(e);
	return e->registered ? 0 : kprobes_take_over(states, n);
}

/*
 * Kprobes for places that ftrace does not serve come before the others. For each, the
 * kernel disassembles the function and looks every instruction up among all kprobes. With
 * forty thousand there already, that has taken minutes for a single long function.
 *
 * Handlers run when everything is in place. Enabling a kprobe calls functions that the
 * script may probe, and so do handlers. With running handlers, each at the price of
 * kprobes not yet made jumps, enabling five thousand has taken the kernel a minute and a
 * half.
 */
static int attach(struct entries *e, const struct stp_probe *const *probes, void *const *states,
		  unsigned int n)
{
	int ret = resolve(probes, states, n);

	if (!ret)
		ret = entries_add(e, states, n);
	if (!ret)
		ret = kprobes_add(states, n, false);
	if (!ret) {
		returns_share(states, n);
		ret = kprobes_add(states, n, true);
	}
	if (!ret)
		ret = entries_begin(e, probes, states, n);
	if (!ret)
		ret = kprobes_enable(states, n);
	if (ret)
		return ret;
	kprobes_open(states, n);
	entries_show(e, OPEN);
	return 0;
}

static bool is_in_same_module(const struct stp_probe *a, const struct stp_probe *b)
{
	const char *module = point_of(a)->module, *other = point_of(b)->module;

	return module && other && !strcmp(module, other);
}

/*
 * Holds the modules. Points of one module stand in a row: its first point keeps the
 * result.
 */
static void modules_hold(const struct stp_probe *const *probes, void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		if (!point_of(probes[i])->module)
			continue;
		f->holder = f;
		if (i && is_in_same_module(probes[i], probes[i - 1]))
			f->holder = ((struct function *)states[i - 1])->holder;
		else
			f->held = stp_symbols_hold(point_of(probes[i])->module);
	}
}

static void modules_release(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		module_put(f->held);
		f->held = NULL;
	}
}

static __cold int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret = check_build(probes, n);

	modules_hold(probes, states, n);
	if (!ret)
		ret = attach(port_address(entries), probes, states, n);
	modules_release(states, n);
	if (ret)
		remove(probes, states, n);
	return ret;
}

/* Returns the misses of a probe: ftrace misses nothing. The counts stay after removal. */
static __cold uint64_t missed(const struct stp_probe *p, void *state)
{
	struct function *f = state;

	if (!f->address)
		return 0;
	if (!point_of(p)->is_return)
		return f->kp.nmissed;
	return f->nmissed + (f->hub && is_shared(f->hub) ? 0 : f->rp.nmissed + f->rp.kp.nmissed);
}

static const char *type(const struct stp_probe *p)
{
	return point_of(p)->is_return ? "kretprobe" : "kprobe";
}

const struct stp_family stp_family_function = {
	.name = "function",
	.state_size = sizeof(struct function),
	.add = add,
	.remove = remove,
	.missed = missed,
	.type = type,
};

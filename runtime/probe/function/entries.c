/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of functions: a table that leads from the address to the probes, and ftrace's
 * filter.
 */
#include <linux/log2.h>
#include <linux/notifier.h>

#include "arch_code.h"
#include "core/port.h"
#include "kernel/sleepers.h"
#include "probe/function/function.h"

static struct entries entries = {
	.ops = {
		.func = handler_entry,
		/* PERMANENT: the sysctl ftrace_enabled cannot silence the script. */
		.flags = COMPAT_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT,
	},
};

/*
 * Inserts a probe so that handlers run in the script's order. Among the returns of one
 * call, the kernel runs the last one begun first, so they begin in reverse order.
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
	/* ftrace's call site may come after a landing pad. */
	if (ARCH_LANDING_PAD) {
		struct function *first = e->first;

		e = entry_place(f->address + ARCH_LANDING_PAD);
		e->ip = f->address + ARCH_LANDING_PAD;
		e->first = first;
	}
}

static void entries_take_out(struct function *f)
{
	struct entry *e = entry_place(f->address);
	struct function **at = &e->first;

	while (*at && *at != f)
		at = &(*at)->next;
	if (*at)
		*at = f->next;
	if (ARCH_LANDING_PAD)
		entry_place(f->address + ARCH_LANDING_PAD)->first = e->first;
}

/*
 * Finds the addresses that ftrace does not know by bisection, and sets them to 0. Each
 * attempt makes a new filter, because adding to one means copying it.
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
 * Adds addresses to the filter. The kernel accepts all or none, so unknown ones are left
 * out. Returns the number of the remaining ones, now at the front.
 */
static unsigned int filter_add(struct entries *e, unsigned long *ips, unsigned int n)
{
	static struct ftrace_ops trial = { .func = handler_entry };
	unsigned int kept;

	if (!n || !compat_ftrace_set(&e->ops, ips, n))
		return n;
	filter_leave_out(&trial, ips, n);
	compat_ftrace_forget(&trial);
	kept = filter_close_up(ips, n);
	return kept && !compat_ftrace_set(&e->ops, ips, kept) ? kept : 0;
}

/* Notes which entries ftrace calls, or no longer calls. */
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
static int entries_leave_out_empty(struct entries *e)
{
	unsigned int n = e->nips;

	for (unsigned int i = 0; i < n; i++)
		if (!entry_place(e->ips[i])->first)
			e->ips[i] = 0;
	e->nips = filter_close_up(e->ips, n);
	return e->nips && e->nips < n ? compat_ftrace_set(&e->ops, e->ips, e->nips) : 0;
}

static void entries_show(struct entries *e, unsigned long open)
{
	for (unsigned long at = 0; e->table && at <= e->mask; at += sizeof(struct entry)) {
		struct entry *place = entry_at(at);

		if (place->ip)
			WRITE_ONCE(place->ip, (place->ip & ~OPEN) | open);
		cond_resched();
	}
}

/* True: ftrace can save the registers that the handler reads. A kprobe always does. */
static bool is_served(const struct function *f)
{
	return COMPAT_FTRACE_ALL_REGISTERS != 0 || !point_of(f->probe)->reads_registers;
}

static bool is_entry(const struct function *f)
{
	return f->address && !point_of(f->probe)->is_inside && is_served(f) &&
	       (!point_of(f->probe)->is_return || function_symbols.running_kprobe);
}

static int entries_add(struct entries *e, void *const *states, unsigned int n)
{
	unsigned long size;
	unsigned int nips = 0;

	size = sizeof(*e->table) * 4ul << ilog2(n) << !!ARCH_LANDING_PAD; /* at most half full */
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
	if (stp_script.leave_out && e->nips) /* otherwise ftrace serves nothing here */
		stp_script.leave_out(states, n);
	return 0;
}

/* ---- what wildcards leave out ---- */

/* Names of functions, for a warning. */
struct left_out {
	char names[120];
	unsigned int length, n;
	bool is_cut;
};

static void left_out_name(struct left_out *l, const char *name)
{
	const unsigned int room = sizeof(l->names) - l->length;
	unsigned int length;

	if (l->is_cut)
		return;
	length = snprintf(l->names + l->length, room, "%s%s", l->length ? ", " : "", name);
	if (length < room) {
		l->length += length;
		return;
	}
	l->names[l->length] = 0;
	if (!stp_runtime.verbose || !l->length) {
		l->is_cut = true;
		return;
	}
	stp_setup_warning("left out: %s", l->names);
	l->length = snprintf(l->names, sizeof(l->names), "%s", name);
}

static void left_out_tell(const struct left_out *l)
{
	bool is_one = l->n == 1;

	if (!l->n)
		return;
	if (stp_runtime.verbose)
		stp_setup_warning("left out: %s", l->names);
	stp_setup_warning("%u function%s that only a breakpoint reaches %s left out of wildcards"
			  "%s%s%s; --all-places probes %s",
			  l->n, is_one ? "" : "s", is_one ? "is" : "are",
			  stp_runtime.verbose ? "" : ": ", stp_runtime.verbose ? "" : l->names,
			  l->is_cut ? ", ..." : "", is_one ? "it" : "them");
}

/* True: a kprobe would be needed only for what wildcards match. */
static bool is_matched_only(const struct function *first)
{
	const struct function *f = first;

	while (f && point_of(f->probe)->is_matched)
		f = f->next;
	return !f;
}

__cold void stp_function_leave_out(void *const *states, unsigned int n)
{
	struct left_out l = { .n = 0 };

	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		cond_resched();
		if (!is_entry(f) || f->is_traced || entry_place(f->address)->first != f ||
		    !is_matched_only(f))
			continue;
		left_out_name(&l, f->probe->function ?: "");
		l.n++;
		entry_place(f->address)->first = NULL;
		if (ARCH_LANDING_PAD)
			entry_place(f->address + ARCH_LANDING_PAD)->first = NULL;
		for (; f; f = f->next)
			f->address = 0;
	}
	left_out_tell(&l);
}

/*
 * Marks the entries of a module that is being unloaded; no CPU is in its code any more.
 * Their places stay taken, because others may follow them.
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

/* ---- entries with an ftrace_ops each ---- */

/*
 * True: the entries are few. Those of modules are not among them: only the table knows
 * when their modules have gone.
 */
static bool entries_are_own(const struct entries *e)
{
	if (!ARCH_FTRACE_CALLS_OWN || e->nips > OWN_OPS_MOST)
		return false;
	for (unsigned int i = 0; i < e->nips; i++)
		if (entry_place(e->ips[i])->first->holder)
			return false;
	return true;
}

/* Returns the probe's hit in the form that ftrace calls, or NULL. */
static ftrace_func_t traced_of(const struct function *f)
{
#ifdef STP_HAVE_FTRACE_REGS
	if (stp_script.traced && f->entry_work == ENTRY_RUNS)
		return stp_script.traced[f->probe->index];
#endif
	return NULL;
}

/* Returns the function that ftrace calls for an entry with this first probe. */
static ftrace_func_t own_function(struct function *first)
{
	const struct function *last = first->next ?: first;

	first->traced = traced_of(first);
	if (first == last && first->traced)
		return first->traced;
	if (last->entry_work == ENTRY_BEGINS_RETURN && !last->next &&
	    (first == last || first->traced))
		return handler_return_begins;
	return handler_own;
}

static int own_register(struct ftrace_ops *ops, unsigned long ip)
{
	struct function *first = entry_place(ip)->first;
	int ret;

	ops->func = own_function(first);
	ops->private = first;
	ops->flags = COMPAT_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT;
	for (const struct function *f = first; f; f = f->next)
		if (point_of(f->probe)->reads_registers)
			ops->flags |= COMPAT_FTRACE_ALL_REGISTERS;
	ret = compat_ftrace_set(ops, &ip, 1) ?: register_ftrace_function(ops);
	if (ret)
		compat_ftrace_forget(ops);
	return ret;
}

/* Returns the return whose wrapper runs the hits of an entry, and no others; or NULL. */
static const struct stp_probe *wrapped_return(const struct function *first)
{
	const struct function *last = first->next ?: first;
	const struct stp_wrapper *w;

	if (!stp_script.wrapping || last->next || last->entry_work != ENTRY_BEGINS_RETURN)
		return NULL;
	w = &stp_script.wrappers[last->probe->index];
	return w->code && w->entry == (first == last ? NULL : first->probe) ? last->probe : NULL;
}

/* Has ftrace call the wrapper of the n-th own entry. False: there is none. */
static bool own_wrap(unsigned int n, unsigned long ip)
{
	const struct stp_probe *p = wrapped_return(entry_place(ip)->first);

	return p && stp_script.wrapping->add(n, ip, p);
}

static void own_remove(struct entries *e)
{
	while (e->nown) {
		struct ftrace_ops *ops = &own_ops[--e->nown];

		if (!ops->func) /* a wrapper */
			continue;
		unregister_ftrace_function(ops);
		compat_ftrace_forget(ops);
	}
	if (stp_script.wrapping)
		stp_script.wrapping->remove();
}

/* Returns false, with nothing registered, if ftrace refuses one of them. */
static bool own_arm(struct entries *e)
{
	bool ok = true;

	for (unsigned int i = 0; i < e->nips && ok; i++) {
		if (!own_wrap(i, e->ips[i]))
			ok = !own_register(&own_ops[i], e->ips[i]);
		e->nown += ok;
	}
	if (!ok)
		own_remove(e);
	return ok;
}

/* Hits do not find their probes in the table while the table is hidden. */
static bool entries_register(struct entries *e)
{
	if (!e->nips)
		return false;
	if (entries_are_own(e) && own_arm(e))
		return true;
	entries_show(e, 0);
	return !register_ftrace_function(&e->ops);
}

/*
 * Arms the entries. A filter without addresses would mean every function of the kernel,
 * hence the count.
 */
static int entries_arm(struct entries *e, const struct stp_probe *const *probes, unsigned int n)
{
	int ret = entries_leave_out_empty(e);

	if (ret)
		return ret;
	entries_watch(e, probes, n);
	e->registered = entries_register(e);
	if (!e->registered) {
		compat_ftrace_forget(&e->ops);
		entries_show(e, OPEN);
		entries_note(e->ips, e->nips, false);
	}
	port_free(e->ips);
	e->ips = NULL;
	return 0;
}

/*
 * ftrace frees the code that calls the handlers when every task has slept once: by then
 * no task may sleep in a handler.
 */
static void entries_remove(struct entries *e)
{
	if (e->registered) {
		stp_sleepers_close();
		if (e->nown)
			own_remove(e);
		else
			unregister_ftrace_function(&e->ops);
	}
	if (e->watching)
		unregister_module_notifier(&module_watch);
	e->watching = false;
	/*
	 * The filter exists from entries_add() on; after entries_arm() has
	 * forgotten it, ftrace is not registered.
	 */
	if (e->registered || e->ips)
		compat_ftrace_forget(&e->ops);
	e->registered = false;
	port_free(e->ips);
	port_free(e->table);
	e->ips = NULL;
	e->table = NULL;
}

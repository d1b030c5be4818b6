/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel and its modules.
 *
 *   entry      one ftrace_ops for all entries of the script; a table leads from the
 *              address to the probes. Up to OWN_OPS_MOST entries have an ftrace_ops each:
 *              the kernel's code for it calls the hit, which generated C has in that form
 *              (STP_ENTRY_OF), or handler_own(), if there is more to be done
 *   both       if these are few: a wrapper, which ftrace calls and which calls the
 *              function (wrappers.c)
 *   return     kretprobe; its instance holds the values that the entry handler saved. It
 *              is registered disabled, and the ftrace callback does the work that its
 *              kprobe would do at the entry: that costs less than the way through a
 *              kprobe, and nothing for arming each. Neighbours share a kretprobe where
 *              there are thousands: to register one, the kernel searches all its jump
 *              labels, static calls and BUG() places
 *   an entry that ftrace does not know: one kprobe for all its probes; returns begin in
 *   its handler, as in ftrace's. If only wildcards match it, it is left out
 *   a place in between, or what ftrace cannot serve: kprobe, or a kretprobe that is
 *   enabled
 *
 * Handlers change nothing here: the table and the states are made before registration and
 * freed after removal, which waits for handlers that still run. When a probed module is
 * unloaded, kprobes drop its functions automatically. ftrace does not, and code loaded
 * later at the same addresses would be mistaken for the module's, so the module's entries
 * are marked as gone. Modules are held from before their functions are looked up until
 * the notifier that marks entries is registered, so no address is armed that belongs to
 * another module by then.
 */
#include "arch_code.h"
#include "core/port.h"
#include "kernel/symbol.h"
#include "probe/build_id.h"
#include "probe/function/function.h"

/*
 * Checks the kernel's build: places from debuginfo are valid for one build only.
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
	stp_setup_error("the debuginfo that this script was translated with belongs to "
			"another build of this kernel (build-id %s)",
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
	function_symbols.running_kprobe = (struct kprobe * __percpu *)symbols[0].address;
	/* Nothing in the kernel calls it by address, so its landing pad is gone. */
	if (!arch_calls_need_landing_pads())
		function_symbols.within_kprobe_blacklist = (void *)symbols[1].address;
	function_symbols.kretprobe_blacklist = (void *)symbols[2].address;
}

static struct module *held_of(const struct function *f)
{
	return f->holder ? f->holder->held : NULL;
}

/*
 * True: the function's module is not held. A module that is not held may be unloaded, and
 * another may be loaded at its place, during the look-up.
 */
static bool is_away(const struct function *f)
{
	return f->holder && !held_of(f);
}

static const char *away_module(const struct stp_probe *p, const struct function *f)
{
	return is_away(f) ? point_of(p)->module : "";
}

/*
 * Reports for each missing module that its points are skipped: only once, because a
 * script may have hundreds in a module that this machine does not need.
 */
static void warn_away(const struct stp_probe *const *probes, void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const char *module = away_module(probes[i], states[i]);
		unsigned int before = 0, points = 0;

		for (unsigned int k = 0; *module && k < n && !before; k++) {
			if (strcmp(away_module(probes[k], states[k]), module))
				continue;
			before += k < i;
			points++;
		}
		if (*module && !before)
			stp_setup_warning("%s: %s: its module is not loaded, or is just coming or "
					  "going; skipped: %u in all",
					  probes[i]->pp, probes[i]->function ?: "", points);
		cond_resched();
	}
}

static enum entry_work entry_work_of(const struct stp_probe *p)
{
	const struct stp_point_function *point = point_of(p);

	if (!point->is_return)
		return point->ncallers ? ENTRY_ASKS_CALLER : ENTRY_RUNS;
	return p->begins_waiting ? ENTRY_BEGINS_WAITING : ENTRY_BEGINS_RETURN;
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
		symbols[i].held = held_of(states[i]);
		any_return |= point_of(probes[i])->is_return;
	}
	/* A single symbol is found without a walk over all. */
	ret = stp_symbols_resolve(symbols, any_return ? n + nkernel : n);
	if (!ret && any_return)
		kernel_symbols_note(symbols + n);
	warn_away(probes, states, n);
	for (unsigned int i = 0; i < n && !ret; i++) {
		const struct stp_point_function *point = point_of(probes[i]);
		struct function *f = states[i];

		f->probe = probes[i];
		f->entry_work = entry_work_of(probes[i]);
		f->address = point->symbol ? symbols[i].address : 0;
		if (f->address || !point->symbol)
			f->address += point->offset;
		else if (!is_away(f))
			ret = refuse(f, "the running kernel has no such function", -ENOENT);
	}
	port_free(symbols);
	return ret;
}

/* ---- modules ---- */

static bool is_in_same_module(const struct stp_probe *a, const struct stp_probe *b)
{
	const char *module = point_of(a)->module, *other = point_of(b)->module;

	return module && other && !strcmp(module, other);
}

/*
 * Holds the modules. Points of one module are consecutive: its first point keeps the
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

/* ---- the family ---- */

/*
 * Registers kprobes for the entries that ftrace has finally refused, unless there are so
 * many that they share kretprobes: then that would take minutes.
 */
static __cold int kprobes_take_over(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const struct function *f = states[i];

		if (!f->address || !f->hub || !is_shared(f->hub))
			continue;
		stp_setup_error("%s: the kernel's function tracer refuses that many functions",
				f->probe->pp);
		return -EOPNOTSUPP;
	}
	return kprobes_add(states, n, false);
}

/*
 * Arms the entries after all kprobes are registered: the script may probe functions that
 * registering a kprobe calls, a thousand times for each. If ftrace refuses, kprobes also
 * take its entries.
 */
static int entries_begin(struct entries *e, const struct stp_probe *const *probes,
			 void *const *states, unsigned int n)
{
	int ret = entries_arm(e, probes, n);

	return ret || e->registered ? ret : kprobes_take_over(states, n);
}

/*
 * Kprobes for places that ftrace does not serve come before those of returns that have a
 * kretprobe each. For each, the kernel disassembles the function and looks every
 * instruction up among all kprobes. With forty thousand there already, that has taken
 * minutes for a single long function.
 *
 * Handlers run when everything is in place. Enabling a kprobe calls functions that the
 * script may probe, and so do handlers. With running handlers, each at the cost of
 * kprobes that are not yet jumps, enabling five thousand has taken the kernel a minute
 * and a half.
 */
static int attach(struct entries *e, const struct stp_probe *const *probes, void *const *states,
		  unsigned int n)
{
	int ret = resolve(probes, states, n);

	if (!ret)
		ret = entries_add(e, states, n);
	if (!ret) {
		returns_share(states, n);
		ret = hubs_add(states, n);
	}
	if (!ret)
		ret = kprobes_add(states, n, false);
	if (!ret)
		ret = kprobes_add(states, n, true);
	if (!ret)
		ret = entries_begin(e, probes, states, n);
	if (!ret)
		ret = kprobes_open(states, n);
	if (!ret)
		entries_show(e, OPEN);
	return ret;
}

/*
 * Hides the probes first: removing thousands calls functions that the script probes tens
 * of thousands of times, and a hit that finds its probe costs five times one that does
 * not, or ten with its return.
 */
static __cold void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	entries_show(port_address(entries), 0);
	kprobes_close(states, n);
	entries_remove(port_address(entries));
	kprobes_remove(states, n);
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
	uint64_t n = f->nmissed;

	if (!f->address)
		return 0;
	if (f->leader)
		n += f->leader->kp.nmissed;
	if (point_of(p)->is_return && !(f->hub && is_shared(f->hub)))
		n += f->rp.nmissed;
	return n;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.trace: the kernel's tracepoints and those of loaded modules. For each of them,
 * the generated C has a function with the tracepoint's own prototype, which passes the
 * arguments on as numbers.
 *
 * A tracepoint of a module comes and goes with its module, which may also be loaded after
 * the script began: the kernel calls the notifier before the module's code runs for the
 * first time, and after the last. When the notifier is registered, it is called for all
 * loaded modules; this is how they are found.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>

#include "api.h"
#include "core/session.h"
#include "kernel/nametable.h"

struct trace {
	const struct stp_probe *probe;
	struct trace *next;	       /* the notifier's list */
	struct tracepoint *tracepoint; /* NULL: it does not exist, or not yet */
	const struct module *module;   /* module that has it, or should have it */
	int error;		       /* result of registering */
	bool added;
};

static struct {
	struct mutex lock; /* of the list, and of `added` */
	struct trace *first;
	bool watching;
} traces = { .lock = __MUTEX_INITIALIZER(traces.lock) };

struct search {
	struct stp_nametable wanted;
	void *const *states;
};

static const struct stp_point_tracepoint *trace_point(const struct stp_probe *p)
{
	return p->point;
}

static void trace_attach(struct trace *t, struct tracepoint *tp)
{
	t->tracepoint = tp;
	t->error = tracepoint_probe_register(tp, trace_point(t->probe)->probe, (void *)t->probe);
	t->added = !t->error;
}

static void trace_remove(struct trace *t)
{
	if (t->added)
		tracepoint_probe_unregister(t->tracepoint, trace_point(t->probe)->probe,
					    (void *)t->probe);
	t->added = false;
	t->tracepoint = NULL;
}

/* ---- tracepoints of the kernel ---- */

static void note_tracepoint(struct tracepoint *tp, void *data)
{
	struct search *search = data;
	unsigned int at = stp_nametable_find(&search->wanted, tp->name);

	for (; at != STP_NO_NAME; at = stp_nametable_next(&search->wanted, at)) {
		struct trace *t = search->states[search->wanted.names[at].number];

		if (!t->tracepoint && !trace_point(t->probe)->module)
			t->tracepoint = tp;
	}
}

static int find_in_kernel(void *const *states, unsigned int n)
{
	struct search search = { .states = states };
	int ret = stp_nametable_init(&search.wanted, n);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < n; i++)
		stp_nametable_add(&search.wanted,
				  trace_point(((struct trace *)states[i])->probe)->name, i);
	for_each_kernel_tracepoint(note_tracepoint, &search);
	stp_nametable_free(&search.wanted);
	return 0;
}

/* ---- tracepoints of modules ---- */

#ifdef CONFIG_MODULES
static struct tracepoint *find_in_module(const struct module *module, const char *name)
{
	for (unsigned int i = 0; i < module->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, name))
			return tp;
	}
	return NULL;
}

static void module_come(const struct module *module)
{
	for (struct trace *t = traces.first; t; t = t->next) {
		const struct stp_point_tracepoint *point = trace_point(t->probe);
		struct tracepoint *tp;

		if (t->added || !point->module || strcmp(point->module, module->name))
			continue;
		t->module = module;
		tp = find_in_module(module, point->name);
		if (tp)
			trace_attach(t, tp);
	}
}

static void module_go(const struct module *module)
{
	for (struct trace *t = traces.first; t; t = t->next) {
		if (t->module != module)
			continue;
		trace_remove(t);
		t->module = NULL;
	}
}

static int trace_module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *module = ((struct tp_module *)data)->mod;

	mutex_lock(&traces.lock);
	if (event == MODULE_STATE_COMING)
		module_come(module);
	else if (event == MODULE_STATE_GOING)
		module_go(module);
	mutex_unlock(&traces.lock);
	return NOTIFY_OK;
}

static struct notifier_block trace_watch = { .notifier_call = trace_module_event };

/*
 * Registers the notifier. The lock must not be held: the notifier is called for the
 * loaded modules, and takes it.
 */
static void watch_begin(void)
{
	traces.watching = !register_tracepoint_module_notifier(&trace_watch);
}

static void watch_end(void)
{
	if (traces.watching)
		unregister_tracepoint_module_notifier(&trace_watch);
	traces.watching = false;
}
#else
static void watch_begin(void)
{
}

static void watch_end(void)
{
}
#endif

/* ---- the family ---- */

/*
 * True: the module is not loaded yet. Reported once per module, whose points are
 * consecutive.
 */
static bool is_awaited(const struct trace *t, const struct trace *before)
{
	const char *module = trace_point(t->probe)->module;

	if (!module || t->module || !traces.watching)
		return false;
	if (!before || !trace_point(before->probe)->module ||
	    strcmp(trace_point(before->probe)->module, module))
		stp_setup_warning(
			"%s: module %s is not loaded; its tracepoints are probed when it comes",
			t->probe->pp, module);
	return true;
}

static int trace_check(const struct trace *t, const struct trace *before)
{
	const struct stp_probe *p = t->probe;

	if (t->added || is_awaited(t, before))
		return 0;
	if (t->error)
		stp_setup_error("%s: the tracepoint cannot be used (error %d)", p->pp, -t->error);
	else
		stp_setup_error("%s: there is no tracepoint %s", p->pp, trace_point(p)->name);
	return t->error ?: -ENOENT;
}

/* Attaches the kernel's tracepoints. True: there are also points of modules. */
static bool attach_kernels(void *const *states, unsigned int n)
{
	bool in_modules = false;

	mutex_lock(&traces.lock);
	for (unsigned int i = 0; i < n; i++) {
		struct trace *t = states[i];

		if (t->tracepoint)
			trace_attach(t, t->tracepoint);
		in_modules |= trace_point(t->probe)->module != NULL;
		t->next = traces.first;
		traces.first = t;
	}
	mutex_unlock(&traces.lock);
	return in_modules;
}

static void traces_remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	/*
	 * Releases the tracepoints of a module while the notifier would still report its
	 * unloading.
	 */
	mutex_lock(&traces.lock);
	traces.first = NULL;
	for (unsigned int i = 0; i < n; i++)
		trace_remove(states[i]);
	mutex_unlock(&traces.lock);
	watch_end();
	tracepoint_synchronize_unregister();
}

static int traces_add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret;

	for (unsigned int i = 0; i < n; i++)
		((struct trace *)states[i])->probe = probes[i];
	ret = find_in_kernel(states, n);
	if (!ret && attach_kernels(states, n))
		watch_begin();
	mutex_lock(&traces.lock);
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = trace_check(states[i], i ? states[i - 1] : NULL);
	mutex_unlock(&traces.lock);
	if (ret)
		traces_remove(probes, states, n);
	return ret;
}

static const char *type(const struct stp_probe *p)
{
	return "kernel_tracepoint";
}

const struct stp_family stp_family_tracepoint = {
	.name = "tracepoint",
	.state_size = sizeof(struct trace),
	.add = traces_add,
	.remove = traces_remove,
	.type = type,
};

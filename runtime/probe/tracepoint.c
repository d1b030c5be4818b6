/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.trace: the kernel's tracepoints and those of loaded modules. The generated C has a function of the tracepoint's own
 * prototype for each, which hands the arguments on as numbers.
 *
 * A tracepoint of a module goes with its module: the notifier lets go of it first. One that comes back with its module is not
 * taken up again.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>

#include "api.h"
#include "core/session.h"
#include "kernel/names.h"

struct trace {
	const struct stp_probe *probe;
	struct trace *next;            /* the notifier's list */
	struct tracepoint *tracepoint; /* NULL: not found, or gone with its module */
	struct module *module;
	bool added;
};

static struct {
	struct mutex lock; /* of the list, and of what `added` says */
	struct trace *first;
	bool watching;
} traces = { .lock = __MUTEX_INITIALIZER(traces.lock) };

struct search {
	struct stp_names wanted;
	void *const *states;
	struct module *module; /* whose table is gone through */
};

static const struct stp_point_tracepoint *point_of(const struct stp_probe *p)
{
	return p->point;
}

void stp_tracepoint_hit(void *data, const int64_t *args)
{
	stp_hit(data, NULL, args, NULL);
}

static bool same_module(const char *wanted, const struct module *module)
{
	if (!wanted || !module)
		return !wanted && !module;
	return !strcmp(wanted, module->name);
}

static void note_tracepoint(struct tracepoint *tp, void *data)
{
	struct search *search = data;
	unsigned int at = stp_names_find(&search->wanted, tp->name);

	for (; at != STP_NO_NAME; at = stp_names_next(&search->wanted, at)) {
		struct trace *t = search->states[search->wanted.names[at].number];

		if (t->tracepoint || !same_module(point_of(t->probe)->module, search->module))
			continue;
		t->tracepoint = tp;
		t->module = search->module;
	}
}

static void trace_remove(struct trace *t)
{
	if (t->added)
		tracepoint_probe_unregister(t->tracepoint, point_of(t->probe)->probe, (void *)t->probe);
	t->added = false;
}

#ifdef CONFIG_MODULES
static struct search *module_search; /* while the notifier is told of the modules that are there */

static void note_module(struct module *module)
{
	module_search->module = module;
	for (unsigned int i = 0; i < module->num_tracepoints; i++)
		note_tracepoint(tracepoint_ptr_deref(&module->tracepoints_ptrs[i]), module_search);
}

static void forget_module(struct module *module)
{
	mutex_lock(&traces.lock);
	for (struct trace *t = traces.first; t; t = t->next)
		if (t->module == module)
			trace_remove(t);
	mutex_unlock(&traces.lock);
}

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct module *module = ((struct tp_module *)data)->mod;

	if (event == MODULE_STATE_COMING && module_search)
		note_module(module);
	else if (event == MODULE_STATE_GOING)
		forget_module(module);
	return NOTIFY_OK;
}

static struct notifier_block module_watch = { .notifier_call = module_event };

/* Registering a notifier tells it at once of all modules that are loaded. */
static void search_modules(struct search *search)
{
	module_search = search;
	traces.watching = !register_tracepoint_module_notifier(&module_watch);
	module_search = NULL;
}

static void watch_end(void)
{
	if (traces.watching)
		unregister_tracepoint_module_notifier(&module_watch);
	traces.watching = false;
}
#else
static void search_modules(struct search *search)
{
}

static void watch_end(void)
{
}
#endif

static int find_all(void *const *states, unsigned int n)
{
	struct search search = { .states = states };
	bool in_modules = false;
	int ret = stp_names_init(&search.wanted, n);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < n; i++) {
		const struct stp_point_tracepoint *point = point_of(((struct trace *)states[i])->probe);

		stp_names_add(&search.wanted, point->name, i);
		in_modules |= point->module != NULL;
	}
	for_each_kernel_tracepoint(note_tracepoint, &search);
	if (in_modules)
		search_modules(&search);
	stp_names_free(&search.wanted);
	return 0;
}

static int trace_add(struct trace *t)
{
	const struct stp_probe *p = t->probe;
	int ret = -ENOENT;

	if (t->tracepoint)
		ret = tracepoint_probe_register(t->tracepoint, point_of(p)->probe, (void *)p);
	t->added = !ret;
	t->next = traces.first;
	traces.first = t;
	if (ret == -ENOENT)
		stp_setup_error("%s: there is no tracepoint %s", p->pp, point_of(p)->name);
	else if (ret)
		stp_setup_error("%s: the tracepoint cannot be used (error %d)", p->pp, -ret);
	return ret;
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	watch_end();
	for (unsigned int i = 0; i < n; i++)
		trace_remove(states[i]);
	traces.first = NULL;
	tracepoint_synchronize_unregister();
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret;

	for (unsigned int i = 0; i < n; i++)
		((struct trace *)states[i])->probe = probes[i];
	ret = find_all(states, n);
	mutex_lock(&traces.lock);
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = trace_add(states[i]);
	mutex_unlock(&traces.lock);
	if (ret)
		remove(probes, states, n);
	return ret;
}

const struct stp_family stp_family_tracepoint = {
	.name = "tracepoint",
	.state_size = sizeof(struct trace),
	.add = add,
	.remove = remove,
};

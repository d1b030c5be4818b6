/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/pointdrift.h"

#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "drift/drift.h"
#include "dwarf/find.h"
#include "dwarf/kernelinfo.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/modules.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "types/syscalls.h"

/*
 * False for points that are left alone: those of the library, and optional ones, because
 * lists of these name the functions of all kernels.
 */
static bool may_drift(const struct point *p)
{
	if (source_is_library(p->loc))
		return false;
	return p->drifts || (!p->optional && !p->sufficient);
}

bool pointdrift_comes_first(struct session *s, const struct point *p, const char *function)
{
	return may_drift(p) && !(p->drift && p->drift->is_last) &&
	       drift_function(s->arena, function);
}

/* True: this kernel has the change that the row describes. */
static bool has_come(struct session *s, const struct drift *row)
{
	return !row->since || strverscmp(s->kernel->release, row->since) >= 0;
}

static bool has_debuginfo(struct session *s, const char *module)
{
	struct dwarf_file *file;

	return !dwarf_kernel(s, module, &file);
}

/* ---- points made from others ---- */

/* Returns a copy of the point, with its own components, for another kind of drift. */
static struct point *stand_in(struct session *s, const struct point *p, const char *function,
			      bool is_successor)
{
	struct point *copy = arena_new(s->arena, struct point);
	struct point_drift *drift = arena_new(s->arena, struct point_drift);

	*drift = (struct point_drift){ .written = probe_written(p),
				       .function = function,
				       .is_successor = is_successor };
	*copy = *p;
	copy->drift = drift;
	memset(&copy->components, 0, sizeof(copy->components));
	vec_each(&p->components, i)
		vec_push(s->arena, &copy->components, p->components.data[i]);
	return copy;
}

static void drop_component(struct point *p, size_t i)
{
	for (; i + 1 < p->components.count; i++)
		p->components.data[i] = p->components.data[i + 1];
	p->components.count--;
}

/* Makes the point one of a module; NULL: of the kernel. */
static void set_module(struct point *p, const char *module)
{
	bool is_kprobe = probe_component_is(p, 0, "kprobe", ARG_NONE);
	struct component *c = &p->components.data[is_kprobe];

	if (!module && is_kprobe)
		drop_component(p, 1);
	else if (!module)
		*c = (struct component){ .name = "kernel", .loc = c->loc, .arg_loc = c->arg_loc };
	else
		c->string = module;
}

/* Puts the module "*" into a point of the kernel. */
static void set_any_module(struct session *s, struct point *p)
{
	bool is_kprobe = probe_component_is(p, 0, "kprobe", ARG_NONE);
	struct component module = p->components.data[0];

	module.name = "module";
	module.arg_kind = ARG_STRING;
	module.string = "*";
	if (!is_kprobe) {
		p->components.data[0] = module;
		return;
	}
	vec_push(s->arena, &p->components, module);
	for (size_t i = p->components.count - 1; i > 1; i--)
		p->components.data[i] = p->components.data[i - 1];
	p->components.data[1] = module;
}

/* ---- modules ---- */

/* Returns the component with the name of a module that may have changed, or NULL. */
static const struct component *module_of(const struct point *p)
{
	static const char *const kinds[] = { "function", "statement", "trace", "tracepoint",
					     "mark" };
	bool is_kprobe = probe_component_is(p, 0, "kprobe", ARG_NONE);
	const struct component *kind = probe_component(p, 1 + is_kprobe),
			       *module = probe_component(p, is_kprobe);

	if (!kind || !probe_component_is(p, is_kprobe, "module", ARG_STRING) ||
	    glob_is(module->string) || strchr(module->string, '/'))
		return NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kind->name, kinds[i]))
			return module;
	return NULL;
}

/* Returns the present module, with another name, that does the module's work. */
static const char *module_now(struct session *s, const struct component *c)
{
	const char *module = c->string;
	const struct drift *row = kernel_module_kind(s, module) == MODULE_ABSENT
					  ? drift_module(s->arena, module)
					  : NULL;

	for (size_t i = 0; row && i < row->now.count; i++) {
		const char *now = row->now.data[i].name;

		if (kernel_module_kind(s, now) == MODULE_ABSENT)
			continue;
		diag_taken(s, c->arg_loc, "there is no module '%s' %s; '%s' is taken", module,
			   drift_story(s->arena, row), now);
		return now;
	}
	return module;
}

/*
 * Returns the pattern of the module's functions among those of the kernel: a pattern that
 * begins with '*' is restricted to names that begin with the module's name. If the point
 * has a source file, that selects the functions; but a file without a function needs
 * debuginfo.
 */
static const char *pattern_in_kernel(struct session *s, const char *module,
				     const struct component *c)
{
	bool is_place =
		strpbrk(c->string, ":+") || (strchr(c->string, '@') && has_debuginfo(s, NULL));

	if (*c->string != '*' || is_place)
		return c->string;
	return arena_printf(s->arena, "%s%s", module, c->string);
}

const struct point *pointdrift_module(struct session *s, const struct point *p)
{
	const struct component *c = module_of(p);
	bool is_kprobe = probe_component_is(p, 0, "kprobe", ARG_NONE);
	const char *name, *pattern = NULL;
	struct component *named;
	struct point *now;

	if (!c || kernel_need(s))
		return p;
	name = module_now(s, c);
	if (name == c->string && kernel_module_kind(s, name) != MODULE_BUILT_IN)
		return p;
	now = stand_in(s, p, NULL, false);
	set_module(now, name);
	if (kernel_module_kind(s, name) != MODULE_BUILT_IN)
		return now;
	set_module(now, NULL);
	name = kernel_module_name(s, name);
	named = &now->components.data[1];
	if (!is_kprobe && named->arg_kind == ARG_STRING &&
	    (!strcmp(named->name, "function") || !strcmp(named->name, "statement")))
		named->string = pattern = pattern_in_kernel(s, name, named);
	if (!may_drift(p))
		return now;
	if (pattern && glob_is(pattern))
		diag_taken(s, c->arg_loc, "'%s' is a part of kernel %s: '%s' is probed there", name,
			   s->kernel->release, pattern);
	else
		diag_taken(s, c->arg_loc, "'%s' is a part of kernel %s", name, s->kernel->release);
	return now;
}

/* ---- functions ---- */

/* A function point: ….function("f"), kernel.statement("f@x.c:1"). */
struct spot {
	struct session *s;
	const struct point *p;
	size_t at;		       /* the component with the name */
	const struct component *named; /* … itself */
	const char *module;	       /* or NULL */
	const char *name;	       /* without "@file" */
	bool is_kprobe, is_return;
	bool needs_debuginfo; /* a suffix requests places that only debuginfo has */
	pointdrifts *ret;
};

static bool any_suffix(const struct spot *o, const char *const *names)
{
	for (size_t i = o->at + 1; i < o->p->components.count; i++)
		for (const char *const *name = names; *name; name++)
			if (!strcmp(o->p->components.data[i].name, *name))
				return true;
	return false;
}

/* False: the point does not name functions. */
static bool spot_make(struct session *s, const struct point *p, struct spot *ret)
{
	static const char *const returns[] = { "return", NULL };
	static const char *const places[] = { "inline",	 "label",   "callee",
					      "callees", "nearest", NULL };
	bool is_kprobe = probe_component_is(p, 0, "kprobe", ARG_NONE);
	bool of_module = probe_component_is(p, is_kprobe, "module", ARG_STRING);

	*ret = (struct spot){ .s = s, .p = p, .is_kprobe = is_kprobe };
	ret->at = is_kprobe + (of_module || !is_kprobe);
	ret->named = probe_component(p, (unsigned)ret->at);
	if (!is_kprobe && !of_module && !probe_component_is(p, 0, "kernel", ARG_NONE))
		return false;
	if (!ret->named || ret->named->arg_kind != ARG_STRING || !*ret->named->string ||
	    (strcmp(ret->named->name, "function") &&
	     (is_kprobe || strcmp(ret->named->name, "statement"))))
		return false;
	ret->module = of_module ? probe_component(p, is_kprobe)->string : NULL;
	ret->name = ret->named->string;
	ret->is_return = any_suffix(ret, returns);
	ret->needs_debuginfo = !is_kprobe && any_suffix(ret, places);
	return true;
}

static void add(struct spot *o, struct pointdrift d)
{
	d.old = d.old ? d.old : o->name;
	d.loc = o->named->arg_loc;
	vec_push(o->s->arena, o->ret, d);
}

/* Returns the point with another function. */
static struct point *named(const struct spot *o, const char *function, const char *name)
{
	struct point *p = stand_in(o->s, o->p, function, true);

	p->components.data[o->at].string = name;
	return p;
}

static struct point *in_any_module(const struct spot *o, const char *name)
{
	struct point *p = named(o, NULL, name);

	set_any_module(o->s, p);
	return p;
}

/* Returns the tracepoint at the place of a function that is now part of another one. */
static struct point *traced(const struct spot *o, const char *name)
{
	struct point *p = stand_in(o->s, o->p, o->name, true);
	struct component kernel = o->p->components.data[0], trace = *o->named;

	kernel.name = "kernel";
	kernel.arg_kind = ARG_NONE;
	trace.name = "trace";
	trace.string = name;
	memset(&p->components, 0, sizeof(p->components));
	vec_push(o->s->arena, &p->components, kernel);
	vec_push(o->s->arena, &p->components, trace);
	return p;
}

/* Adds the row's successors; row: the one of the function itself. */
static void add_successors(struct spot *o, const struct drift *row, const struct drift *by)
{
	vec_each(&by->now, i) {
		const struct successor *now = &by->now.data[i];
		const char *name = syscalls_entry_point(o->s, now->name);

		if (now->kind != SUCCESSOR_SAME && o->is_return)
			continue;
		add(o, (struct pointdrift){ .point = now->kind == SUCCESSOR_TRACEPOINT
							     ? traced(o, now->name)
							     : named(o, o->name, name),
					    .kind = POINTDRIFT_FUNCTION,
					    .now = name == now->name ? now->text : name,
					    .row = row });
	}
}

/* Successors of successors: ext3_file_write, ext4_file_write, ext4_file_write_iter. */
#define MAX_CHAIN 4

static void add_chain(struct spot *o, const struct drift *row, const struct drift *by,
		      unsigned depth)
{
	add_successors(o, row, by);
	for (size_t i = 0; depth < MAX_CHAIN && i < by->now.count; i++) {
		const struct drift *next =
			by->now.data[i].kind == SUCCESSOR_SAME
				? drift_function(o->s->arena, by->now.data[i].name)
				: NULL;

		if (next)
			add_chain(o, row, next, depth + 1);
	}
}

/*
 * Adds the function's counterpart under allocation profiling: since 6.10 allocators are
 * macros, which note the caller, around a function of this name.
 */
static void add_profiled(struct spot *o)
{
	const char *name = arena_printf(o->s->arena, "%s_noprof", o->name);

	add(o, (struct pointdrift){
		       .point = named(o, NULL, name), .kind = POINTDRIFT_PROFILED, .now = name });
}

/* Adds the function in any module: a part of the kernel may have become a module. */
static void add_in_modules(struct spot *o, const char *name)
{
	if (*name != '*')
		add(o, (struct pointdrift){ .point = in_any_module(o, name),
					    .kind = POINTDRIFT_MODULE,
					    .old = name });
}

static void add_second_best(struct spot *o, const struct drift *row)
{
	struct point *p = named(o, NULL, o->name);
	struct point_drift *drift = arena_new(o->s->arena, struct point_drift);

	*drift = (struct point_drift){ .written = p->drift->written, .is_last = true };
	p->drift = drift;
	add(o, (struct pointdrift){ .point = p, .kind = POINTDRIFT_SECOND_BEST, .row = row });
}

static void find_function(struct spot *o)
{
	const struct drift *row = glob_is(o->name) ? NULL : drift_function(o->s->arena, o->name);

	if (row)
		add_chain(o, row, row, 1);
	else if (!glob_is(o->name))
		add_profiled(o);
	if (!o->module)
		add_in_modules(o, o->name);
	for (size_t i = 0; row && !o->module && i < row->now.count; i++)
		if (row->now.data[i].kind == SUCCESSOR_SAME)
			add_in_modules(o, row->now.data[i].name);
	if (row)
		add_second_best(o, row);
}

/* Adds "f@block/bio.c:12" for "f@fs/bio.c:12". */
static void find_file(struct spot *o)
{
	const char *text = o->named->string, *at = strchr(text, '@'), *now;
	size_t len = at ? strcspn(at + 1, ":+") : 0;
	const struct drift *row =
		at ? drift_file(o->s->arena, arena_strndup(o->s->arena, at + 1, len)) : NULL;
	struct point *p;

	if (!row || !row->now.count)
		return;
	now = row->now.data[0].name;
	p = stand_in(o->s, o->p, NULL, false);
	p->components.data[o->at].string =
		arena_printf(o->s->arena, "%.*s@%s%s", (int)(at - text), text, now, at + 1 + len);
	add(o,
	    (struct pointdrift){
		    .point = p, .kind = POINTDRIFT_FILE, .old = row->old, .now = now, .row = row });
}

/*
 * Sets the name that a function is looked up by. False: the point names a place, which
 * only debuginfo has.
 */
static bool settle_name(struct spot *o)
{
	struct dwarf_pattern pattern;

	if (o->needs_debuginfo)
		return false;
	if (o->is_kprobe || !strpbrk(o->name, "@:+"))
		return true;
	if (dwarf_pattern_parse(o->s, o->name, &pattern) || pattern.lines.count ||
	    glob_is(pattern.function))
		return false;
	o->name = pattern.function;
	return true;
}

static bool names_call(const char *name)
{
	static const char *const prefixes[] = { "sys_",	       "SyS_",	      "SYSC_",
						"compat_sys_", "compat_SyS_", "C_SYSC_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/*
 * True: only debuginfo was searched for the point. It is never searched for the file of a
 * system call.
 */
static bool is_place(const struct spot *o)
{
	return !o->is_kprobe && !names_call(o->name) &&
	       (o->needs_debuginfo || !strcmp(o->named->name, "statement") ||
		strpbrk(o->name, "@:+")) &&
	       has_debuginfo(o->s, o->module);
}

/* ---- tracepoints ---- */

/*
 * Returns the name of a tracepoint, if the kernel has none with that name in any system;
 * NULL: the point is not of this kind.
 */
static const char *absent_tracepoint(struct session *s, const struct point *p)
{
	kernel_functions found = { 0 };
	const struct component *c = probe_component(p, 1);
	const char *name, *colon;

	if (!probe_component_is(p, 0, "kernel", ARG_NONE) ||
	    (!probe_component_is(p, 1, "trace", ARG_STRING) &&
	     !probe_component_is(p, 1, "tracepoint", ARG_STRING)))
		return NULL;
	colon = strchr(c->string, ':');
	name = colon ? colon + 1 : c->string;
	return kernel_find_tracepoints(s, NULL, name, &found) || found.count ? NULL : name;
}

static void find_tracepoint(struct session *s, const struct point *p, const char *name,
			    pointdrifts *ret)
{
	const struct drift *row = drift_tracepoint(s->arena, name);

	for (size_t i = 0; row && i < row->now.count; i++) {
		struct point *now = stand_in(s, p, NULL, true);

		now->components.data[1].string = row->now.data[i].name;
		vec_push(s->arena, ret,
			 ((struct pointdrift){ .point = now,
					       .kind = POINTDRIFT_TRACEPOINT,
					       .old = name,
					       .now = row->now.data[i].name,
					       .row = row,
					       .loc = now->components.data[1].arg_loc }));
	}
}

/* ---- interface for probe.c ---- */

void pointdrift_find(struct session *s, const struct point *p, pointdrifts *ret)
{
	const char *tracepoint;
	struct spot o;

	if (!may_drift(p))
		return;
	if (spot_make(s, p, &o)) {
		o.ret = ret;
		if (is_place(&o))
			find_file(&o);
		else if (settle_name(&o))
			find_function(&o);
		return;
	}
	tracepoint = absent_tracepoint(s, p);
	if (tracepoint)
		find_tracepoint(s, p, tracepoint, ret);
}

void pointdrift_say(struct session *s, const struct pointdrift *taken, const struct derived *d)
{
	const char *story = taken->row ? drift_story(s->arena, taken->row) : "";
	struct loc loc = taken->loc;

	switch (taken->kind) {
	case POINTDRIFT_FUNCTION:
		if (kernel_refuses_kprobe(s, taken->old)) {
			diag_taken(s, loc, "the kernel allows no probe in '%s'; '%s' is probed",
				   taken->old, taken->now);
			break;
		}
		diag_taken(s, loc, "there is no function '%s' %s; '%s' is probed", taken->old,
			   story, taken->now);
		break;
	case POINTDRIFT_PROFILED:
		diag_taken(s, loc, "there is no function '%s' since 6.10; '%s' is probed",
			   taken->old, taken->now);
		break;
	case POINTDRIFT_MODULE:
		diag_taken(s, loc, "the kernel has no function '%s'; its module '%s' has",
			   taken->old, d->pmodule);
		break;
	case POINTDRIFT_SECOND_BEST:
		break;
	case POINTDRIFT_FILE:
		diag_taken(s, loc, "there is no file '%s' %s; '%s' is taken", taken->old, story,
			   taken->now);
		break;
	case POINTDRIFT_TRACEPOINT:
		diag_taken(s, loc, "there is no tracepoint '%s' %s; '%s' is probed", taken->old,
			   story, taken->now);
		break;
	}
}

struct error *pointdrift_story(struct session *s, const struct point *p, struct error *err)
{
	const struct drift *row = NULL;
	const char *tracepoint;
	struct spot o;

	if (spot_make(s, p, &o)) {
		if (may_drift(p) && !is_place(&o) && settle_name(&o) && !glob_is(o.name))
			row = drift_function(s->arena, o.name);
		if (row && has_come(s, row))
			return error_create(s->arena, ERROR_ABSENT,
					    "no function '%s' in kernel %s: there is none %s",
					    o.name, s->kernel->release, drift_story(s->arena, row));
		return err;
	}
	tracepoint = absent_tracepoint(s, p);
	row = tracepoint ? drift_tracepoint(s->arena, tracepoint) : NULL;
	if (row && has_come(s, row))
		return error_create(s->arena, ERROR_ABSENT,
				    "no tracepoint is called '%s' in kernel %s: there is none %s",
				    tracepoint, s->kernel->release, drift_story(s->arena, row));
	return err;
}

void pointdrift_find_bypass(struct session *s, const struct point *p, pointdrifts *ret)
{
	const struct drift *row;
	struct spot o;

	if (s->options->list || !may_drift(p) || !spot_make(s, p, &o) || o.is_kprobe || o.module ||
	    !settle_name(&o) || glob_is(o.name))
		return;
	row = drift_function(s->arena, o.name);
	/* Nothing bypasses the function if its inlined copies are known. */
	if (!row || !row->now.count || !row->now.data[0].is_beside || !has_come(s, row) ||
	    has_debuginfo(s, NULL))
		return;
	o.ret = ret;
	add_successors(&o, row, row);
}

void pointdrift_say_bypassed(struct session *s, const struct pointdrift *by)
{
	diag_note(s, by->loc, "few come through '%s' %s; all pass '%s'", by->old,
		  drift_story(s->arena, by->row), by->now);
}

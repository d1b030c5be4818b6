/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.trace("GLOB"), kernel.trace("SYSTEM:GLOB"), module("m").trace("GLOB"):
 * tracepoints; .tracepoint is the same, but also has parameters by number. The
 * prototype of a tracepoint's handlers is that of the kernel's __traceiter_NAME, which
 * BTF has; the handler is generated in C with the same parameter types, spelled without
 * any kernel header.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/writer.h"
#include "drift/drift.h"
#include "kernel/config.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/modules.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "probe/function/parameterdrift.h"
#include "probe/probe.h"
#include "types/calling.h"
#include "types/relocation.h"
#include "types/member.h"
#include "types/types.h"

extern const struct probe_family probe_family_tracepoint;

struct tracepoint {
	struct kernel_function fn;
	const char *system; /* or NULL */
	bool by_number;	    /* $arg1, $arg2 … are its parameters */
	/* the marker's $arg1, $arg2 …; NULL: the parameters */
	const successors *arguments;
};

/* The request of a point in the script. */
struct wanted {
	const struct point *p;
	const char *word;   /* trace, tracepoint */
	const char *module; /* a glob, or NULL */
	const char *system; /* before the name, or NULL */
	const char *name;
	const successors *arguments;
};

/* Returns why a handler cannot be made for the tracepoint; NULL: it can. */
static const char *obstacle(struct session *s, const struct kernel_function *f)
{
	if (f->variadic)
		return "it takes a variable number of arguments";
	vec_each(&f->params, i) {
		struct type_info info;
		struct error *err = types_info(s, f->btf, f->params.data[i].type_id, &info);

		if (err || (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER))
			return arena_printf(s->arena,
					    "its parameter '%s' is passed by value as '%s'",
					    f->params.data[i].name,
					    types_str(s, f->btf, f->params.data[i].type_id));
	}
	return NULL;
}

/*
 * True: the tracepoint is in that system. If the headers do not assign tracepoints to
 * systems, a single name is trusted; of several, those whose module or name begins with
 * the system's name are taken.
 */
static bool is_in_system(struct session *s, const struct kernel_function *f, const char *system,
			 bool is_single)
{
	const char *known = kernel_tracepoint_system(s, f->name);
	struct glob g = glob_make(system);

	if (known)
		return glob_match(&g, known);
	return is_single || (f->module && glob_match(&g, f->module)) ||
	       (!kernel_has_trace_system(s, system) && !strncmp(f->name, system, strlen(system)) &&
		f->name[strlen(system)] == '_');
}

static void add(struct session *s, const struct wanted *w, const struct kernel_function *f,
		derived_list *ret)
{
	struct tracepoint *t = arena_new(s->arena, struct tracepoint);
	struct derived *d = probe_derived_new(s, &probe_family_tracepoint, w->p, ret);
	const char *system = w->system;

	t->fn = *f;
	t->by_number = strcmp(w->word, "trace") != 0;
	t->arguments = w->arguments;
	t->system = kernel_tracepoint_system(s, f->name);
	if (!t->system && system && !glob_is(system))
		t->system = system;
	d->data = t;
	d->pp = arena_printf(
		s->arena, "%s.%s(\"%s%s%s\")",
		w->module ? arena_printf(s->arena, "module(\"%s\")", f->module) : "kernel", w->word,
		system && t->system ? t->system : "", system && t->system ? ":" : "", f->name);
	d->pfunc = w->p->drift && w->p->drift->function ? w->p->drift->function : f->name;
	d->pmodule = f->module ? f->module : "kernel";
}

static struct error *absent(struct session *s, const struct wanted *w, const char *name)
{
	const char *near = glob_is(name) || w->module ? NULL : kernel_near_tracepoints(s, name);

	if (w->module)
		return error_create(s->arena, ERROR_ABSENT, "module '%s' has no tracepoint %s'%s'",
				    w->module, glob_is(name) ? "that matches " : "", name);
	return error_create(s->arena, ERROR_ABSENT, "no tracepoint %s '%s' in kernel %s%s%s",
			    glob_is(name) ? "matches" : "is called", name, s->kernel->release,
			    near ? "; did you mean " : "", near ? near : "");
}

static struct error *find(struct session *s, const struct wanted *w, derived_list *ret)
{
	const struct kernel_function *elsewhere = NULL;
	size_t before = ret->count;
	kernel_functions found = { 0 };
	struct error *err = kernel_find_tracepoints(s, w->module, w->name, &found);

	vec_each(&found, i) {
		const char *why = obstacle(s, &found.data[i]);

		if (w->system && !is_in_system(s, &found.data[i], w->system, !glob_is(w->name)))
			elsewhere = &found.data[i];
		else if (!why)
			add(s, w, &found.data[i], ret);
		else if (!glob_is(w->name))
			err = probe_wrong(s, "tracepoint '%s' cannot be probed: %s", w->name, why);
	}
	if (err || ret->count > before)
		return err;
	if (elsewhere && !glob_is(w->name))
		return error_create(s->arena, ERROR_ABSENT,
				    "tracepoint '%s' belongs to system '%s', not '%s'", w->name,
				    kernel_tracepoint_system(s, w->name), w->system);
	return absent(s, w,
		      elsewhere ? arena_printf(s->arena, "%s:%s", w->system, w->name) : w->name);
}

/*
 * Resolves a static marker: they were removed in 2.6.32, and tracepoints took their
 * places.
 */
static struct error *resolve_marker(struct session *s, const struct wanted *w, derived_list *ret)
{
	struct wanted now = *w;
	const struct drift *row = drift_marker(s->arena, w->name);

	now.arguments = row ? &row->arguments : NULL;
	for (size_t i = 0; i < (row ? row->now.count : 1); i++) {
		if (row)
			now.name = row->now.data[i].name;
		if (glob_is(now.name) || find(s, &now, ret))
			continue;
		if (!w->p->optional)
			diag_taken(s, probe_component(w->p, 1)->arg_loc,
				   "there are no markers in kernels since 2.6.32; the tracepoint "
				   "'%s' is probed",
				   now.name);
		return NULL;
	}
	return error_create(
		s->arena, ERROR_ABSENT,
		"there are no markers in kernels since 2.6.32, and no tracepoint is known to stand "
		"for '%s'; stap -l 'kernel.trace(\"*\")' lists tracepoints",
		w->name);
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *c = probe_component(p, 1);
	struct wanted w = { .p = p, .word = c ? c->name : "" };
	struct error *err;

	bool is_marker = !strcmp(w.word, "mark");

	if (strcmp(w.word, "trace") && strcmp(w.word, "tracepoint") && !is_marker)
		return NULL;
	if (probe_component_is(p, 0, "module", ARG_STRING))
		w.module = probe_component(p, 0)->string;
	else if (!probe_component_is(p, 0, "kernel", ARG_NONE))
		return NULL;
	if (c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(s, "'.%s' needs a name: %s(\"sched_switch\")", w.word, w.word);
	if (probe_component(p, 2) && !(is_marker && probe_component_is(p, 2, "format", ARG_STRING)))
		return probe_wrong(s, "nothing can follow as '.%s' here",
				   probe_component(p, 2)->name);

	const char *colon = strchr(c->string, ':');

	w.name = colon ? colon + 1 : c->string;
	w.system = colon ? arena_strndup(s->arena, c->string, colon - c->string) : NULL;
	err = kernel_need(s);
	if (!err && w.module && strchr(w.module, '/'))
		err = kernel_module_file(s, w.module, &w.module);
	return err ? err : is_marker ? resolve_marker(s, &w, ret) : find(s, &w, ret);
}

/* ---- target variables ---- */

static struct error *unknown(struct session *s, const struct tracepoint *t, const char *name)
{
	VEC(const char *) names = { 0 };
	struct strbuf list;

	strbuf_init(&list, s->arena);
	vec_each(&t->fn.params, i) {
		vec_push(s->arena, &names,
			 arena_printf(s->arena, "$%s", t->fn.params.data[i].name));
		strbuf_addf(&list, "%s%s", i ? ", " : "; it has ", names.data[i]);
	}

	const char *near = names.count ? diag_near(s, name, names.data, names.count) : NULL;

	return error_create(s->arena, ERROR_ABSENT, "tracepoint '%s' has no parameter '%s'%s%s",
			    t->fn.name, name, near ? "; did you mean " : list.s, near ? near : "");
}

/* Returns the variable's place among the parameters, or -1. */
static int parameter(struct session *s, const struct tracepoint *t, const char *name)
{
	vec_each(&t->fn.params, i)
		if (!strcmp(t->fn.params.data[i].name, name) ||
		    (t->by_number && !strcmp(arena_printf(s->arena, "arg%zu", i + 1), name)))
			return (int)i;
	return -1;
}

static struct error *access_parameter(struct session *s, const struct tracepoint *t,
				      const char *name, const path_steps *path, bool address_of,
				      struct access *a)
{
	int i = parameter(s, t, name);
	struct path_start start = { .btf = t->fn.btf, .place = PATH_VALUE };

	if (i < 0)
		return unknown(s, t, arena_printf(s->arena, "$%s", name));
	start.type_id = t->fn.params.data[i].type_id;
	a->base = ACCESS_TRACE_ARG;
	a->number = i;
	return member_follow(s, &start, path, address_of, a);
}

static bool follow_drift(struct parameterdrift *d, const char *name, const path_steps *path,
			 bool address_of)
{
	return !access_parameter(d->s, d->point, name, path, address_of, d->a);
}

/* Returns what a marker's "$arg2" means: the second of its arguments; or NULL. */
static const struct successor *marker_argument(const struct tracepoint *t, const char *name)
{
	unsigned number;

	if (!t->arguments || sscanf(name, "$arg%u", &number) != 1 || !number ||
	    number > t->arguments->count)
		return NULL;
	return &t->arguments->data[number - 1];
}

static struct error *access_variable(struct session *s, const struct tracepoint *t,
				     const struct node *n, struct access *a)
{
	const struct successor *argument = marker_argument(t, n->target_name);
	struct parameterdrift d = {
		.s = s,
		.key = arena_printf(s->arena, "trace:%s", t->fn.name),
		.subject = arena_printf(s->arena, "tracepoint '%s'", t->fn.name),
		.n = n,
		.a = a,
		.follow = follow_drift,
		.point = t,
	};
	struct error *err, *story;

	if (argument && parameterdrift_take(&d, argument)) {
		a->drift = NULL;
		return NULL;
	}
	err = access_parameter(s, t, n->target_name + 1, &n->path, n->address_of, a);
	if (!err || parameter(s, t, n->target_name + 1) >= 0)
		return err;
	if (parameterdrift_find(&d))
		return NULL;
	story = parameterdrift_story(&d);
	return story ? story : err;
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	struct access *a = arena_new(s->arena, struct access);
	const struct tracepoint *t = d->data;
	struct error *err = access_variable(s, t, n, a);

	if (!err && a->base == ACCESS_TRACE_ARG)
		a->origin = relocation_parameter(s, &t->fn, (size_t)a->number, true);
	if ((err || a->drift) && !a->absent)
		a->absent = relocation_no_parameter(s, &t->fn, n->target_name + 1, true);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	const struct tracepoint *t = d->data;

	vec_each(&t->fn.params, i) {
		const struct kernel_param *p = &t->fn.params.data[i];
		struct target_variable v = { arena_printf(s->arena, "$%s", p->name),
					     types_str(s, t->fn.btf, p->type_id), false, false,
					     false };

		if (*p->name)
			vec_push(s->arena, ret, v);
	}
}

static const char *name_of(const struct derived *d)
{
	return ((const struct tracepoint *)d->data)->fn.name;
}

/* The system according to the kernel's headers, or else to the script; NULL: unknown. */
static const char *system_of(const struct derived *d)
{
	return ((const struct tracepoint *)d->data)->system;
}

/* ---- emission ---- */

/*
 * True: the kernel checks the type of the functions that it calls. A tracepoint with
 * several handlers calls each by its address.
 */
static bool is_checked(struct session *s)
{
	return kernel_config(s, "CFI_CLANG") || kernel_config(s, "CFI");
}

/*
 * Declares "struct task_struct" in the text of a type: a tag must be known at file scope
 * before a parameter list names it.
 */
static void declare_tag(struct session *s, const char *type, type_lines *before)
{
	static const char *const words[] = { "struct ", "union " };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);
		const char *at = strstr(type, words[i]);

		if (at)
			vec_push(s->arena, before,
				 arena_printf(s->arena, "%.*s;", (int)(n + strcspn(at + n, " *[)")),
					      at));
	}
}

/* Returns a declaration of the parameter; `before` must be declared before it. */
static const char *declared(struct session *s, const struct kernel_function *f, size_t i,
			    type_lines *before)
{
	const char *name = arena_printf(s->arena, "a%zu", i), *type;

	if (is_checked(s))
		return types_exact(s, f->btf, f->params.data[i].type_id, name, before);
	type = types_abi_str(s, f->btf, f->params.data[i].type_id);
	declare_tag(s, type, before);
	return arena_printf(s->arena, "%s %s", type, name);
}

/* Emits the point for --runtime=bpf: the kernel passes the parameters as words. */
static void emit_words(struct session *s, struct derived *d, struct writer *w)
{
	const struct kernel_function *f = &((const struct tracepoint *)d->data)->fn;
	struct strbuf widths;

	strbuf_init(&widths, s->arena);
	vec_each(&f->params, i) {
		struct type_info info;

		types_info(s, f->btf, f->params.data[i].type_id, &info);
		strbuf_addf(&widths, "%s%d", i ? ", " : "",
			    info.is_signed ? -(int)info.size : (int)info.size);
	}
	writer_line(w,
		    "static const struct stp_point_tracepoint point_%u = { .name = %s, .nargs = "
		    "%zu, .widths = { %s } };",
		    d->index, strbuf_quoted_text(s->arena, f->name), f->params.count,
		    f->params.count ? widths.s : "0");
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct tracepoint *t = d->data;
	const struct kernel_function *f = &t->fn;
	struct strbuf params, values;
	struct hashmap done;

	if (s->options->runtime == RUNTIME_BPF) {
		emit_words(s, d, w);
		return;
	}
	hashmap_init(&done, s->arena);
	strbuf_init(&params, s->arena);
	strbuf_init(&values, s->arena);
	vec_each(&f->params, i) {
		type_lines before = { 0 };
		struct type_info info;

		types_info(s, f->btf, f->params.data[i].type_id, &info);
		strbuf_addf(&params, ", %s", declared(s, f, i, &before));
		vec_each(&before, k)
			if (!hashmap_get(&done, before.data[k])) {
				writer_line(w, "%s", before.data[k]);
				hashmap_put(&done, before.data[k], &done);
			}
		strbuf_addf(&values, "%s(int64_t)%sa%zu", i ? ", " : "",
			    info.kind == KTYPE_POINTER ? "(unsigned long)" : "", i);
	}
	writer_open(w, "static void tracepoint_%u(void *data%s)", d->index, params.s);
	writer_line(w, "const int64_t args[] = { %s };", f->params.count ? values.s : "0");
	writer_line(w, "stp_tracepoint_hit(data, args);");
	writer_close(w, "");

	const char *module = f->module ? arena_printf(s->arena, ".module = %s, ",
						      strbuf_quoted_text(s->arena, f->module))
				       : "";

	writer_line(w,
		    "static const struct stp_point_tracepoint point_%u = { .name = %s, %s.probe = "
		    "tracepoint_%u };",
		    d->index, strbuf_quoted_text(s->arena, f->name), module, d->index);
}

PROBE_FAMILY(tracepoint,
	     "kernel.trace(string)\nkernel.tracepoint(string)\nmodule(string).trace(string)"
	     "\nmodule(string).tracepoint(string)\n",
	     .resolve = resolve, .target = target, .vars = vars, .emit = emit, .its_name = name_of,
	     .its_system = system_of, .bpf_runtime = true, .armed_conditions = true);

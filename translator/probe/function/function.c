/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function("GLOB") and module("GLOB").function("GLOB"), .statement("f@file:line")
 * and their suffixes. Functions and their parameters come from BTF if that is sufficient;
 * place.c finds source positions, inlined copies and locals by debuginfo.
 */
#include "probe/function/function.h"

#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/writer.h"
#include "drift/drift.h"
#include "dwarf/dwarf.h"
#include "dwarf/kernelinfo.h"
#include "kernel/config.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/modules.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "probe/function/callers.h"
#include "probe/function/copies.h"
#include "probe/function/parameterdrift.h"
#include "probe/function/placename.h"
#include "probe/function/symbolpoint.h"
#include "probe/pointdrift.h"
#include "types/relocation.h"
#include "types/syscalls.h"
#include "types/types.h"

/* ---- the point's text ---- */

static struct error *check_pattern(struct session *s, const struct component *c)
{
	if (c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(s, "'.function' needs a name: function(\"vfs_read\")");
	return NULL;
}

/* ---- resolving ---- */

static struct error *absent(const struct lookup *l)
{
	struct session *s = l->s;
	const char *module = l->module, *pattern = l->pattern;
	const char *exported = l->template->suffix.is_exported ? "exported " : "";
	const char *where = module ? arena_printf(s->arena, "module '%s'", module)
				   : arena_printf(s->arena, "kernel %s", s->kernel->release);

	if (glob_is(pattern))
		return error_create(s->arena, ERROR_ABSENT, "no %sfunction matches '%s' in %s",
				    exported, pattern, where);

	if (kernel_function_passes(s, module, pattern))
		return error_create(
			s->arena, ERROR_ABSENT,
			"'%s' runs while the %s starts%s, and does not exist %s: it cannot be "
			"probed",
			pattern, module ? "module" : "kernel", module ? "" : " or ends",
			module ? "afterwards" : "in between");

	const char *near = kernel_near_functions(s, module, pattern);

	return error_create(
		s->arena, ERROR_ABSENT, "no %sfunction '%s' in %s%s%s", exported, pattern, where,
		near ? "; did you mean " : " (it may be inlined everywhere, or gone after boot)",
		near ? near : "");
}

/* Resolves a name or pattern among BTF's functions. */
static struct error *resolve_plain(const struct lookup *l)
{
	struct session *s = l->s;
	kernel_functions found = { 0 };
	struct error *err = kernel_find_functions(s, l->module, l->pattern, &found),
		     *refused = NULL;
	size_t before = l->ret->count;

	if (!err && l->template->suffix.is_exported)
		err = kernel_need_globals(s);
	if (err)
		return err;
	vec_each(&found, i) {
		struct function_point f = *l->template;

		f.fn = found.data[i];
		if (f.suffix.is_exported && !kernel_is_global(s, f.fn.module, f.fn.symbol))
			continue;
		err = f.fn.module ? NULL : function_refused(s, f.fn.name, f.fn.symbol);
		refused = err ? err : refused;
		if (err)
			continue;
		syscall_recognise(l, &f);
		function_add(l, &f)->of_call = f.decoded;
	}
	if (l->ret->count > before)
		return NULL;
	return refused ? refused : absent(l);
}

/* Refuses kernel.x and module("m").x of no known kind, unless another family has it. */
static struct error *unknown_kind(struct session *s, const struct component *c, const char *module)
{
	static const char *const others[] = { "data", "inline" };

	if (c && (!strcmp(c->name, "trace") || !strcmp(c->name, "mark") ||
		  !strcmp(c->name, "tracepoint") || (!strcmp(c->name, "data") && !module)))
		return NULL;
	for (size_t i = 0; c && i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(c->name, others[i]))
			return error_create(s->arena, ERROR_ABSENT,
					    "'.%s' probes are not supported; there are "
					    ".function(\"…\"), .statement(\"…\") and "
					    ".trace(\"…\")",
					    c->name);
	return error_create(s->arena, ERROR_ABSENT,
			    "unknown probe point '%s%s%s'; there are .function(\"…\"), "
			    ".statement(\"…\") and .trace(\"…\")",
			    module ? "module(…)" : "kernel", c ? "." : "", c ? c->name : "");
}

/*
 * Asks debuginfo for functions that are inlined everywhere and for modules without BTF;
 * without debuginfo, BTF's message remains.
 */
static struct error *resolve_by_debuginfo(const struct lookup *l, struct error *err)
{
	struct dwarf_file *file;

	if (!dwarf_kernel(l->s, l->module, &file))
		return place_resolve(l);
	if (err->kind == ERROR_ABSENT)
		return err;
	return error_create(l->s->arena, err->kind,
			    "%s, and no debuginfo of it is found; SYSTEMTAP_DEBUGINFO_PATH names "
			    "directories to look in",
			    err->text);
}

/* Resolves a name or pattern: in BTF, then in the other tables of functions. */
static struct error *resolve_named(const struct lookup *l)
{
	bool is_successor = l->p->drift && l->p->drift->is_successor;
	bool is_call = !l->module && !is_successor && syscall_is_pattern(l->pattern);
	struct error *no_call = is_call ? syscall_resolve(l) : NULL, *err;
	size_t before = l->ret->count;

	if (is_call && !no_call)
		return NULL;
	/* The name of a kernel function may look like that of a system call. */
	err = resolve_plain(l);
	if (!err)
		copies_add(l, before);
	if (!err || is_successor)
		return err;
	if (is_call)
		err = no_call;
	if (symbolpoint_is_meant(l))
		return symbolpoint_add(l, err);
	if (err->kind == ERROR_ABSENT && copies_only(l))
		return NULL;
	if (is_call || (err->kind == ERROR_ABSENT ? glob_is(l->pattern) : !l->module))
		return err;
	if (err->kind == ERROR_ABSENT && pointdrift_comes_first(l->s, l->p, l->pattern))
		return err;
	return resolve_by_debuginfo(l, err);
}

static struct error *resolve_in(struct lookup *l)
{
	const struct component *function = probe_component(l->p, 1);
	struct hashmap names = { 0 };
	size_t before = l->ret->count;
	struct error *err;

	l->pattern = function->arg_kind == ARG_STRING ? function->string : NULL;
	if (l->template->decoded)
		l->pattern = syscalls_entry_point(l->s, l->pattern);
	if (place_is_needed(function, &l->template->suffix, l->template->is_statement)) {
		const char *name;

		err = placename_find(l, &names, &name);
		l->pattern = name;
		if (err || !name)
			return err ? err : place_resolve(l);
	}
	err = check_pattern(l->s, function);
	if (err)
		return err;
	err = resolve_named(l);
	return err || !names.count ? err : placename_keep(l, &names, before);
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *function = probe_component(p, 1), *where = probe_component(p, 0);
	struct function_point template = { .ops = &point_plain_ops };
	struct lookup l = { .s = s, .p = p, .template = &template, .ret = ret };

	if (probe_component_is(p, 0, "kprobe", ARG_NONE))
		return kprobe_resolve(s, p, ret);
	if (probe_component_is(p, 0, "module", ARG_STRING))
		l.module = where->string;
	else if (!probe_component_is(p, 0, "kernel", ARG_NONE))
		return NULL;
	template.is_statement = function && !strcmp(function->name, "statement");
	if (!function ||
	    (strcmp(function->name, "function") && strcmp(function->name, "statement")))
		return unknown_kind(s, function, l.module);

	struct error *err = kernel_need(s);

	/* Only the tapset's points of system calls have this. */
	if (probe_component_is(p, 2, "decoded", ARG_STRING))
		template.decoded = probe_component(p, 2)->string;
	if (!err && l.module && strchr(l.module, '/'))
		err = kernel_module_file(s, l.module, &l.module);
	if (!err)
		err = suffix_read(s, p, template.decoded ? 3 : 2,
				  template.is_statement ? SUFFIX_STATEMENT : SUFFIX_FUNCTION,
				  &template.suffix);
	return err ? err : resolve_in(&l);
}

static bool is_return(const struct derived *d)
{
	return ((const struct function_point *)d->data)->suffix.is_return;
}

static bool is_twin(const struct derived *d)
{
	return ((const struct function_point *)d->data)->is_twin;
}

/* ---- target variables ---- */

static const arguments *placed(struct session *s, struct function_point *f)
{
	if (!f->args_placed)
		calling_place(s, &f->fn, &f->args);
	f->args_placed = true;
	return &f->args;
}

static struct error *unknown(struct parameterdrift *d, const struct error *why)
{
	const struct function_point *f = d->point;
	const char *name = d->n->target_name;
	struct session *s = d->s;
	struct strbuf list;
	VEC(const char *) names = { 0 };

	strbuf_init(&list, s->arena);
	vec_each(&f->fn.params, i) {
		vec_push(s->arena, &names,
			 arena_printf(s->arena, "$%s", f->fn.params.data[i].name));
		strbuf_addf(&list, "%s%s", i ? ", " : "; it has ", names.data[i]);
	}
	if (!strcmp(name, "$return"))
		return error_create(
			s->arena, ERROR_ABSENT,
			"'$return' is known in return probes only: function(\"%s\").return",
			f->fn.name);

	const char *near = names.count ? diag_near(s, name, names.data, names.count) : NULL;
	struct error *story = parameterdrift_story(d);

	if (story)
		return story;
	if (near)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' has no parameter '%s'; did you mean %s", f->fn.name, name,
				    near);
	return error_create(s->arena, ERROR_ABSENT,
			    "'%s' has no parameter '%s'%s (for locals and globals: %s)", f->fn.name,
			    name, list.len ? list.s : "", why->text);
}

static const struct argument *argument_called(const arguments *args, const char *name)
{
	vec_each(args, i)
		if (!strcmp(args->data[i].name, name))
			return &args->data[i];
	return NULL;
}

/* Follows a path from a parameter that an older kernel's variable became. */
static bool follow_drift(struct parameterdrift *d, const char *name, const path_steps *path,
			 bool address_of)
{
	const struct function_point *f = d->point;
	const struct argument *arg = argument_called(&f->args, name);

	if (!arg)
		return false;
	d->hindered = calling_access(d->s, f->fn.btf, arg, ACCESS_ARG, path, address_of, d->a);
	return !d->hindered;
}

/*
 * Finds $return if a successor gets the old function's result as an argument, or returns
 * errors instead of NULL. False: the successor returns the same.
 */
static bool find_old_return(struct parameterdrift *d)
{
	const struct function_point *f = d->point;
	const struct node *n = d->n;
	struct access *a = d->a;
	const struct drift *row =
		f->old_name ? drift_parameter(d->s->arena, f->old_name, "return") : NULL;

	if (row && row->now.count)
		return a->at_entry = parameterdrift_find_by(d, row);
	if (!row || n->path.count || calling_return(d->s, &f->fn, &n->path, n->address_of, a))
		return false;
	vec_push(d->s->arena, &a->steps, (struct access_step){ .kind = ACCESS_NO_ERROR });
	a->drift =
		arena_printf(d->s->arena, "'%s' returns errors %s; they are 0 as they were to '%s'",
			     f->fn.name, drift_story(d->s->arena, row), f->old_name);
	return true;
}

static struct error *access_variable(struct session *s, struct function_point *f,
				     const struct node *n, struct access *a)
{
	const struct argument *arg = argument_called(placed(s, f), n->target_name + 1);
	struct parameterdrift d = { .s = s,
				    .key = f->fn.name,
				    .subject = arena_printf(s->arena, "'%s'", f->fn.name),
				    .n = n,
				    .a = a,
				    .follow = follow_drift,
				    .point = f };
	struct error *err;

	if (!strcmp(n->target_name, "$return") && f->suffix.is_return) {
		err = probe_result_doubt(s, f->fn.name, dwarf_copy_problem(f->fn.symbol));
		if (err || find_old_return(&d))
			return err;
		return calling_return(s, &f->fn, &n->path, n->address_of, a);
	}

	if (parameterdrift_is_another(&d) && parameterdrift_find(&d))
		return NULL;
	if (arg)
		return calling_access(s, f->fn.btf, arg, ACCESS_ARG, &n->path, n->address_of, a);
	err = place_variable(s, f, n, a);
	if (!err || parameterdrift_find(&d))
		return NULL;
	if (d.hindered)
		return d.hindered;
	return f->seen_from ? err : unknown(&d, err);
}

static void plain_vars(struct session *s, struct function_point *f, target_variables *ret)
{
	const arguments *args = placed(s, f);

	place_locals(s, f, ret);
	vec_each(args, i) {
		const struct argument *arg = &args->data[i];
		struct target_variable v = { arena_printf(s->arena, "$%s", arg->name),
					     types_str(s, f->fn.btf, arg->type_id), false, false,
					     false };

		if (*arg->name && !arg->problem)
			vec_push(s->arena, ret, v);
	}
}

static uint32_t plain_return_type(struct session *s, struct function_point *f)
{
	return f->fn.return_type;
}

POINT_OPS(plain, access_variable, plain_vars, plain_return_type, functionpoint_emit_symbol);

/* ---- code that all kinds share ---- */

/*
 * Notes the parameter or the result that the value is, for kernels with another
 * prototype. Results of system calls are the same on all.
 */
static void note_origin(struct session *s, struct function_point *f, struct access *a)
{
	const arguments *args = a->base == ACCESS_ARG ? placed(s, f) : NULL;

	if (a->base == ACCESS_RETURN && !f->syscall)
		a->origin = relocation_result(s, &f->fn);
	for (size_t i = 0; args && i < args->count; i++)
		if (args->data[i].number == a->number)
			a->origin = relocation_parameter(s, &f->fn, i, false);
	relocation_cut(s, a);
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	struct function_point *f = d->data;
	struct access *a = arena_new(s->arena, struct access);
	struct error *err = f->ops->access(s, f, n, a);

	if (!err)
		note_origin(s, f, a);
	if ((err || a->drift) && !a->absent && f->fn.btf && strcmp(n->target_name, "$return"))
		a->absent = relocation_no_parameter(s, &f->fn, n->target_name + 1, false);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
	a->is_sought = err && err->kind == ERROR_ABSENT && !strpbrk(n->target_name + 1, "$@");
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	struct function_point *f = d->data;
	uint32_t result;

	f->ops->vars(s, f, ret);
	result = f->suffix.is_return ? f->ops->return_type(s, f) : 0;
	if (result) {
		struct target_variable v = { "$return", types_str(s, f->fn.btf, result), false,
					     false, false };

		vec_push(s->arena, ret, v);
	}
}

/* Before the module is loaded, only the name of the symbol is known. */
static const char *pc(struct session *s, struct derived *d)
{
	struct function_point *f = d->data;
	const struct dwarf_place *place = f->suffix.is_absolute ? NULL : place_seen(s, f);

	if (place && !f->fn.module)
		return arena_printf(s->arena, "_stext+%#" PRIx64, place->offset);
	if (place)
		return arena_printf(s->arena, "<%s:%s+%#" PRIx64 ">", f->fn.module, place->symbol,
				    place->offset);
	return f->fn.module ? arena_printf(s->arena, "<%s:%s+0>", f->fn.module, f->fn.symbol)
			    : NULL;
}

/* ---- emission ---- */

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct function_point *f = d->data;
	bool is_bpf = s->options->runtime == RUNTIME_BPF;
	struct strbuf b;

	strbuf_init(&b, s->arena);
	f->ops->emit_place(s, d, &b);
	if (f->fn.module)
		strbuf_addf(&b, ", .module = %s", strbuf_quoted_text(s->arena, f->fn.module));
	if (d->is_matched)
		strbuf_adds(&b, ", .is_matched = true");
	if (f->suffix.is_return)
		strbuf_adds(&b, ", .is_return = true");
	if (d->reads_registers || (is_bpf && d->reads_place)) /* fentry has neither */
		strbuf_adds(&b, ", .reads_registers = true");
	if (is_bpf && d->reads_arguments)
		strbuf_addf(&b, ", .reads_arguments = %u", d->reads_arguments);
	if (f->syscall)
		strbuf_adds(&b, ", .is_syscall = true");
	if (f->is_compat)
		strbuf_adds(&b, ", .is_compat = true");
	if (f->by_number && !f->syscall->params.count)
		strbuf_adds(&b, ", .is_of_all = true");
	if (f->decoded)
		syscall_emit(s, f, w, &b);
	if (f->suffix.maxactive)
		strbuf_addf(&b, ", .maxactive = %u", f->suffix.maxactive);
	if (f->suffix.is_return && d->handler->saved.count)
		strbuf_addf(&b, ", .nsaved = NSAVED_%u", d->handler->index);
	if (f->call)
		callers_emit_table(s, d, f->call, f->place->address, w);
	writer_line(w, "STP_FUNCTION_POINT(%u) = { %s };", d->index, b.s);
}

static bool is_in_register(struct session *s, const struct kernel_function *fn, uint32_t type)
{
	struct type_info info;

	return !types_info(s, fn->btf, type, &info) &&
	       (info.kind == KTYPE_INT || info.kind == KTYPE_POINTER) && info.size <= 8;
}

/* Names with a compiler's suffix may take other arguments than their prototype says. */
static bool passes_on(struct session *s, const struct derived *d)
{
	const struct function_point *f = d->data;
	const struct kernel_function *fn = &f->fn;

	if (f->ops != &point_plain_ops || f->syscall || f->call || f->place || fn->module ||
	    fn->variadic || strchr(fn->symbol, '.') || f->suffix.maxactive ||
	    fn->params.count > arch_of(s)->calling->argument_count)
		return false;
	vec_each(&fn->params, i)
		if (!is_in_register(s, fn, fn->params.data[i].type_id))
			return false;
	return !fn->return_type || is_in_register(s, fn, fn->return_type);
}

static const char *bpf_obstacle(const struct derived *d)
{
	const struct function_point *f = d->data;

	if (f->call)
		return "calls from certain functions only";
	if (f->place || f->is_statement || !f->fn.symbol)
		return "points inside functions of the kernel";
	return NULL;
}

/* Operations shared by the families with points of function_add(). */
/* clang-format off */
#define OF_FUNCTIONS                                                                           \
	.is_return = is_return, .target = target, .vars = vars, .emit = emit, .pc = pc,        \
	.need_locals = place_need_locals, .is_twin = is_twin, .armed_conditions = true
/* clang-format on */

PROBE_FAMILY(function,
	     "kernel.function(number)\n"
	     "kernel.function(string)\n"
	     "kernel.function(string).call\n"
	     "kernel.function(string).exported\n"
	     "kernel.function(string).inline\n"
	     "kernel.function(string).return\n"
	     "kernel.function(string).return.maxactive(number)\n"
	     "kernel.function(string).label(string)\n"
	     "kernel.function(string).callee(string)\n"
	     "kernel.function(string).callee(string).call\n"
	     "kernel.function(string).callee(string).return\n"
	     "kernel.function(string).callees\n"
	     "kernel.function(string).callees(number)\n"
	     "kernel.function(string).nearest\n"
	     "kernel.statement(number)\n"
	     "kernel.statement(number).absolute\n"
	     "kernel.statement(string)\n"
	     "kernel.statement(string).nearest\n"
	     "module(string).function(number)\n"
	     "module(string).function(string)\n"
	     "module(string).function(string).call\n"
	     "module(string).function(string).exported\n"
	     "module(string).function(string).inline\n"
	     "module(string).function(string).return\n"
	     "module(string).function(string).return.maxactive(number)\n"
	     "module(string).function(string).label(string)\n"
	     "module(string).function(string).callee(string)\n"
	     "module(string).function(string).callee(string).call\n"
	     "module(string).function(string).callee(string).return\n"
	     "module(string).function(string).callees\n"
	     "module(string).function(string).callees(number)\n"
	     "module(string).function(string).nearest\n"
	     "module(string).statement(number)\n"
	     "module(string).statement(string)\n"
	     "module(string).statement(string).nearest\n"
	     "kprobe.function(string)\n"
	     "kprobe.function(string).call\n"
	     "kprobe.function(string).return\n"
	     "kprobe.function(string).return.maxactive(number)\n"
	     "kprobe.module(string).function(string)\n"
	     "kprobe.module(string).function(string).call\n"
	     "kprobe.module(string).function(string).return\n"
	     "kprobe.module(string).function(string).return.maxactive(number)\n"
	     "kprobe.statement(number).absolute",
	     .resolve = resolve, .traces = true, .passes_on = passes_on, .bpf_runtime = true,
	     .bpf_obstacle = bpf_obstacle, OF_FUNCTIONS);

static struct error *resolve_nothing(struct session *s, const struct point *p, derived_list *ret)
{
	return NULL;
}

/* A family whose points also come from function_add(), but are found in another way. */
PROBE_FAMILY(syscall, "", .resolve = resolve_nothing, .bpf_runtime = true,
	     .hits = PROBE_HITS_SYSCALL, OF_FUNCTIONS);

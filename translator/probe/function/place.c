/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function and statement points that only debuginfo can find: by source position, inlined
 * copies, labels, callees; and debuginfo's variables at any function point.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "base/session.h"
#include "lib/strbuf.h"
#include "base/writer.h"
#include "lib/glob.h"
#include "dwarf/kernelinfo.h"
#include "base/options.h"
#include "kernel/config.h"
#include "kernel/symbols.h"
#include "kernel/modules.h"
#include "probe/function/callers.h"
#include "probe/function/function.h"
#include "types/types.h"

struct resolving {
	struct session *s;
	const struct point *p;
	const struct function_point *template;
	const char *where; /* kernel, module("m") */
	unsigned inlined, called;
	struct error *skipped; /* why some place was left out */
	derived_list *ret;
};

bool place_is_needed(const struct component *c, const struct point_suffix *suffix,
		     bool is_statement)
{
	return is_statement || suffix->is_inline || suffix->label || suffix->callee ||
	       suffix->is_nearest || c->arg_kind == ARG_NUMBER ||
	       (c->arg_kind == ARG_STRING && strpbrk(c->string, "@:+"));
}

static const char *suffix_text(const struct resolving *r, const struct dwarf_place *p)
{
	const struct point_suffix *x = &r->template->suffix;

	if (p->label)
		return arena_printf(r->s->arena, ".label(\"%s\")", p->label);
	if (x->is_return)
		return ".return";
	if (r->template->is_statement)
		return "";
	return p->is_inlined ? ".inline" : x->is_call ? ".call" : x->is_exported ? ".exported" : "";
}

/* Returns the point's text: kernel.function("f@fs/x.c:12").inline */
static const char *place_text(const struct resolving *r, const struct dwarf_place *p,
			      const struct dwarf_call *call)
{
	struct arena *a = r->s->arena;

	if (call)
		return arena_printf(a, "%s.function(\"%s\").callee(\"%s\")%s", r->where,
				    dwarf_place_text(a, &call->from), dwarf_place_text(a, p),
				    r->template->suffix.is_return ? ".return" : "");
	return arena_printf(a, "%s.%s(\"%s\")%s", r->where,
			    r->template->is_statement ? "statement" : "function",
			    dwarf_place_text(a, p), suffix_text(r, p));
}

static void add_point(struct resolving *r, const struct dwarf_place *place,
		      const struct dwarf_call *call)
{
	struct session *s = r->s;
	struct function_point *f = arena_new(s->arena, struct function_point);
	struct dwarf_place *copy = arena_new(s->arena, struct dwarf_place);
	struct error *err;
	struct derived *d;

	*copy = *place;
	err = dwarf_kernel_locate(s, copy);
	if (!err && !r->template->fn.module)
		err = function_refused(s, copy->function, dwarf_place_symbol(s, copy));
	if (err) {
		r->skipped = err;
		return;
	}
	*f = *r->template;
	f->fn.name = f->fn.symbol = copy->function;
	f->ops = &point_place_ops;
	f->place = f->seen_from = copy;
	f->call = call;
	d = probe_derived_new(s, &probe_family_function, r->p, r->ret);
	d->data = f;
	d->pp = place_text(r, copy, call);
	d->pfunc = copy->function;
	d->pmodule = f->fn.module ? f->fn.module : "kernel";
	d->in_module = f->fn.module;
	if (copy->is_inlined)
		r->inlined++;
	else
		r->called++;
}

static void add_all(struct resolving *r, const dwarf_places *places)
{
	vec_each(places, i)
		add_point(r, &places->data[i], NULL);
}

/* ---- callees ---- */

static struct error *add_callees(struct resolving *r, const dwarf_places *functions)
{
	const struct point_suffix *x = &r->template->suffix;
	dwarf_calls *calls = arena_alloc(r->s->arena, sizeof(*calls));
	struct error *err;

	*calls = (dwarf_calls){ 0 };
	err = dwarf_find_callees(r->s, functions, x->callee, x->depth,
				 x->is_return ? FIND_CALLED : FIND_CALLED | FIND_INLINED, calls);
	vec_each(calls, i)
		add_point(r, &calls->data[i].callee, &calls->data[i]);
	return err;
}

/* ---- by pattern ---- */

static struct error *add_labels(struct resolving *r, const dwarf_places *functions)
{
	dwarf_places labels = { 0 };
	struct error *err = dwarf_find_labels(r->s, functions, r->template->suffix.label, &labels);

	add_all(r, &labels);
	return err;
}

static struct error *keep_global(struct session *s, const char *module, dwarf_places *list)
{
	struct error *err = kernel_need_globals(s);
	size_t n = 0;

	if (err)
		return err;
	vec_each(list, i)
		if (kernel_is_global(s, module, list->data[i].function))
			list->data[n++] = list->data[i];
	list->count = n;
	return NULL;
}

static struct error *resolve_functions(struct resolving *r, struct dwarf_file *file,
				       const struct dwarf_pattern *pattern)
{
	const struct point_suffix *x = &r->template->suffix;
	dwarf_places found = { 0 };
	unsigned copies = x->is_exported ? FIND_CALLED : suffix_copies(x); /* by symbols below */
	struct error *err = dwarf_find_functions(r->s, file, pattern, copies, &found);

	if (err)
		return suffix_only_inlined(r->s, x, file, pattern, err);
	err = x->is_exported ? keep_global(r->s, r->template->fn.module, &found) : NULL;
	if (err)
		return err;
	if (!found.count)
		return error_create(r->s->arena, ERROR_ABSENT, "no exported function matches '%s'",
				    pattern->text);
	if (x->callee)
		return add_callees(r, &found);
	if (x->label)
		return add_labels(r, &found);
	add_all(r, &found);
	return NULL;
}

static struct error *resolve_pattern(struct resolving *r, struct dwarf_file *file, const char *text)
{
	struct dwarf_pattern pattern;
	dwarf_places found = { 0 };
	struct error *err = dwarf_pattern_parse(r->s, text, &pattern);

	if (err || !r->template->is_statement)
		return err ? err : resolve_functions(r, file, &pattern);
	err = dwarf_find_statements(r->s, file, &pattern, r->template->suffix.is_nearest, &found);
	if (!err)
		add_all(r, &found);
	return err;
}

/* ---- by address ---- */

static struct error *resolve_absolute(struct resolving *r, uint64_t address)
{
	struct dwarf_place place = { .function = arena_printf(r->s->arena, "%#" PRIx64, address),
				     .address = address,
				     .offset = address };
	struct function_point *f = arena_new(r->s->arena, struct function_point);
	struct dwarf_place *copy = arena_new(r->s->arena, struct dwarf_place);
	struct derived *d;

	if (!r->s->options->guru)
		return probe_wrong(r->s, "a probe at an absolute address needs guru mode: stap -g");
	*f = *r->template;
	*copy = place;
	f->ops = &point_place_ops;
	f->place = f->seen_from = copy;
	d = probe_derived_new(r->s, &probe_family_function, r->p, r->ret);
	d->data = f;
	d->pmodule = "kernel";
	return NULL;
}

static struct error *resolve_address(struct resolving *r, struct dwarf_file *file, uint64_t address)
{
	struct dwarf_place place;
	struct error *err = dwarf_find_address(r->s, file, address, &place);

	if (!err && !r->template->is_statement)
		err = dwarf_place_entry(r->s, &place);
	if (!err)
		add_point(r, &place, NULL);
	return err;
}

/* ---- the whole ---- */

static void say_count(const struct resolving *r)
{
	if (r->s->options->verbose && r->inlined)
		fprintf(stderr, "%s: %u out of line, %u inlined copies\n",
			unparse_point(r->s->arena, r->p), r->called, r->inlined);
	if (r->s->options->verbose && r->skipped)
		fprintf(stderr, "%s: left out: %s\n", unparse_point(r->s->arena, r->p),
			r->skipped->text);
}

/* Points the error at the part of the point that needs debuginfo. */
static struct error *lacking(struct resolving *r, const struct component *c, struct error *err)
{
	const struct component *suffix = probe_component(r->p, 2);

	if (c->arg_kind == ARG_STRING && strpbrk(c->string, "@:+"))
		return error_context(r->s->arena, err, "'%s'", c->string);
	return error_context(r->s->arena, err, "'.%s'", suffix ? suffix->name : c->name);
}

static struct error *resolve_in(struct resolving *r, const char *module, const struct component *c)
{
	struct dwarf_file *file;
	size_t before = r->ret->count;
	struct error *err = dwarf_kernel(r->s, module, &file);

	if (err && err->kind == ERROR_ABSENT)
		return lacking(r, c, err);
	r->where = module ? arena_printf(r->s->arena, "module(\"%s\")", module) : "kernel";
	if (!err)
		err = c->arg_kind == ARG_NUMBER ? resolve_address(r, file, (uint64_t)c->number)
						: resolve_pattern(r, file, c->string);
	if (err)
		return err;
	say_count(r);
	return r->ret->count == before ? r->skipped : NULL;
}

struct error *place_resolve(const struct lookup *l)
{
	struct session *s = l->s;
	const char *module = l->module;
	const struct component *c = probe_component(l->p, 1);
	struct function_point copy = *l->template;
	struct resolving r = { .s = s, .p = l->p, .template = &copy, .ret = l->ret };
	struct error *err;

	copy.fn.module = module;
	if (c->arg_kind == ARG_NONE || (c->arg_kind == ARG_STRING && !*c->string))
		return probe_wrong(s, "'.%s' needs a place: %s(\"vfs_read@fs/read_write.c:450\")",
				   c->name, c->name);
	if (copy.suffix.is_absolute)
		return c->arg_kind == ARG_NUMBER && !module
			       ? resolve_absolute(&r, (uint64_t)c->number)
			       : probe_wrong(s, "'.absolute' belongs to an address: "
						"kernel.statement(0xffffffff81000000).absolute");
	if (!module || !glob_is(module))
		return resolve_in(&r, module, c);

	const char *const *names;
	size_t count;

	err = kernel_modules_matching(s, module, &names, &count);
	for (size_t i = 0; i < count && !err; i++) {
		struct resolving one = r;

		copy.fn.module = names[i];
		err = resolve_in(&one, names[i], c);
		if (err && err->kind == ERROR_ABSENT)
			err = NULL;
	}
	return err || l->ret->count
		       ? err
		       : error_create(s->arena, ERROR_ABSENT,
				      "no module '%s' with debuginfo has a place '%s'", module,
				      c->arg_kind == ARG_STRING ? c->string : c->name);
}

/* ---- copies in addition to the functions of BTF ---- */

/* The points' symbols, and the symbols whose code was found to be a copy. */
struct known {
	struct hashmap symbols, found;
};

/*
 * The points from `begin` on that belong to the module, up to the first of another one:
 * functions with the same name in several modules are not copies of each other.
 */
static void known_make(struct session *s, const char *module, const derived_list *points,
		       size_t begin, struct known *ret)
{
	hashmap_init(&ret->symbols, s->arena);
	hashmap_init(&ret->found, s->arena);
	for (size_t i = begin; i < points->count; i++) {
		const struct function_point *f =
			probe_data(points->data[i], &probe_family_function);

		if (f && module && f->fn.module && strcmp(f->fn.module, module))
			return;
		if (f && !f->place)
			hashmap_put(&ret->symbols, f->fn.symbol, points->data[i]);
	}
}

/*
 * True: a point has the symbol. A symbol refers to the first of several functions with
 * the same name; copies are identified by address.
 */
static bool known_takes(struct known *k, const char *symbol)
{
	if (!hashmap_get(&k->symbols, symbol) || hashmap_get(&k->found, symbol))
		return false;
	hashmap_put(&k->found, symbol, k);
	return true;
}

/* True: the place is a separate copy, which was not counted before. */
static bool is_another(struct session *s, struct known *k, const struct dwarf_place *p)
{
	const char *symbol = p->is_inlined ? NULL : dwarf_place_symbol(s, p);

	return !symbol || !known_takes(k, symbol);
}

struct error *place_copies(const struct lookup *l, size_t before)
{
	struct session *s = l->s;
	struct function_point copy = *l->template;
	struct resolving r = { .s = s, .p = l->p, .template = &copy, .ret = l->ret };
	struct dwarf_pattern pattern = { .text = l->pattern, .function = l->pattern };
	struct dwarf_file *file;
	dwarf_places places = { 0 };
	struct known known;
	struct error *err = dwarf_kernel(s, l->module, &file);

	copy.fn.module = l->module;
	r.where = l->module ? arena_printf(s->arena, "module(\"%s\")", l->module) : "kernel";
	if (err)
		return err;
	known_make(s, l->module, l->ret, before, &known);
	err = dwarf_find_functions(s, file, &pattern, suffix_copies(&copy.suffix), &places);
	vec_each(&places, i)
		if (is_another(s, &known, &places.data[i]))
			add_point(&r, &places.data[i], NULL);
	say_count(&r);
	return err;
}

const struct dwarf_place *place_of_symbol(struct session *s, const char *module, const char *symbol)
{
	const char *name = arena_strndup(s->arena, symbol, strcspn(symbol, "."));
	struct dwarf_pattern pattern = { .text = name, .function = name };
	struct dwarf_place *ret = arena_new(s->arena, struct dwarf_place);
	struct dwarf_file *file;
	dwarf_places found = { 0 };

	if (dwarf_kernel(s, module, &file) ||
	    dwarf_find_functions(s, file, &pattern, FIND_CALLED | FIND_RESTS, &found))
		return NULL;
	vec_each(&found, i) {
		*ret = found.data[i];
		if (!strcmp(dwarf_place_symbol(s, ret), symbol) && !dwarf_kernel_locate(s, ret))
			return ret;
	}
	return NULL;
}

/* ---- variables ---- */

/* Finds the out-of-line copy at the place of a point that was made from BTF. */
static struct error *place_of_function(struct session *s, struct function_point *f)
{
	struct dwarf_pattern pattern = { .text = f->fn.name, .function = f->fn.name };
	struct dwarf_file *file;
	dwarf_places found = { 0 };
	struct error *err = dwarf_kernel(s, f->fn.module, &file);

	if (!err)
		err = dwarf_find_functions(s, file, &pattern, FIND_CALLED, &found);
	if (err)
		return err;

	struct dwarf_place *place = arena_new(s->arena, struct dwarf_place);

	/* Among several functions of one name the symbol table gives the first. */
	*place = found.data[0];
	vec_each(&found, i)
		if (found.count > 1 &&
		    !strcmp(dwarf_place_symbol(s, &found.data[i]), f->fn.symbol)) {
			*place = found.data[i];
			break;
		}
	f->seen_from = place;
	return NULL;
}

static struct error *need_place(struct session *s, struct function_point *f)
{
	return f->seen_from ? NULL : place_of_function(s, f);
}

const struct dwarf_place *place_seen(struct session *s, struct function_point *f)
{
	struct dwarf_place *ret = arena_new(s->arena, struct dwarf_place);

	if (f->ops->is_bare || need_place(s, f))
		return NULL;
	*ret = *f->seen_from;
	return dwarf_kernel_locate(s, ret) ? NULL : ret;
}

struct error *place_variable(struct session *s, struct function_point *f, const struct node *n,
			     struct access *a)
{
	struct error *err = need_place(s, f);
	const char *name = n->target_name + 1;

	if (err)
		return err;
	if (!strcmp(n->target_name, "$return"))
		return error_create(
			s->arena, ERROR_ABSENT,
			"'$return' is known in return probes only: function(\"%s\").return",
			f->fn.name);
	err = dwarf_variable(s, f->seen_from, name, &n->path, n->address_of, a);
	if (!err || err->kind != ERROR_ABSENT || !dwarf_declares(f->seen_from, name))
		return err;
	*a = (struct access){ 0 };
	if (!dwarf_kernel_variable(s, f->fn.module, name, &n->path, n->address_of, a))
		return NULL;
	/* A module's debuginfo only declares the kernel's variables. */
	return dwarf_kernel_variable(s, NULL, name, &n->path, n->address_of, a) ? err : NULL;
}

static void add_variables(struct session *s, const struct function_point *f, bool with_parameters,
			  target_variables *ret)
{
	dwarf_names list = { 0 };

	dwarf_variables(s, f->seen_from, &list);
	vec_each(&list, i) {
		const struct dwarf_name *n = &list.data[i];
		struct target_variable v = { arena_printf(s->arena, "$%s", n->name), n->c_type,
					     !n->is_parameter, n->is_absent, false };

		if (with_parameters || !n->is_parameter)
			vec_push(s->arena, ret, v);
	}
}

void place_locals(struct session *s, struct function_point *f, target_variables *ret)
{
	if (f->with_locals && !need_place(s, f))
		add_variables(s, f, false, ret);
}

struct error *place_need_locals(struct session *s, struct derived *d)
{
	struct function_point *f = d->data;
	struct error *err = need_place(s, f);

	f->with_locals = true;
	return err;
}

/* ---- points at places ---- */

static struct error *access(struct session *s, struct function_point *f, const struct node *n,
			    struct access *a)
{
	struct error *err;

	if (f->suffix.is_absolute)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': variables are not known at an absolute address",
				    n->target_name);
	if (!f->suffix.is_return || strcmp(n->target_name, "$return"))
		return place_variable(s, f, n, a);
	err = dwarf_return_type(s, f->place, &f->fn.btf, &f->fn.return_type);
	err = err ? err : probe_result_doubt(s, f->fn.name, dwarf_result_problem(s, f->place));
	return err ? err : calling_return(s, &f->fn, &n->path, n->address_of, a);
}

static void vars(struct session *s, struct function_point *f, target_variables *ret)
{
	if (!f->suffix.is_absolute)
		add_variables(s, f, true, ret);
}

static uint32_t return_type(struct session *s, struct function_point *f)
{
	return dwarf_return_type(s, f->place, &f->fn.btf, &f->fn.return_type) ? 0
									      : f->fn.return_type;
}

/* Also emits ".offset = …"; the callers' table comes before the point in the file. */
static void emit_place(struct session *s, const struct derived *d, struct strbuf *b)
{
	const struct function_point *f = d->data;
	const char *build_id =
		f->place->file && !f->fn.module ? dwarf_build_id(s, f->place->file) : NULL;

	if (f->place->symbol)
		strbuf_addf(b, ".symbol = %s, ", strbuf_quoted_text(s->arena, f->place->symbol));
	strbuf_addf(b, ".offset = %#" PRIx64, f->place->offset);
	if (build_id)
		strbuf_addf(b, ", .build_id = \"%s\"", build_id);
	if (!f->place->is_entry)
		strbuf_adds(b, ", .is_inside = true");
	callers_emit(d, f->call, b);
}

POINT_OPS(place, access, vars, return_type, emit_place);

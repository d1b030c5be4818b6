/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in programs, by breakpoints: their variables, and their part of the generated
 * module. uprobe_find.c finds their places.
 */
#include "probe/user/uprobe.h"

#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "base/writer.h"
#include "dwarf/goresults.h"
#include "formats/btf.h"
#include "kernel/functions.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "probe/counter.h"
#include "probe/function/callers.h"
#include "program/prototypes.h"
#include "types/types.h"

static const char *slot(const struct derived *d)
{
	const struct uprobe *u = d->data;

	return u->is_slot ? u->name : NULL;
}

static const struct program_file *where(const struct derived *d)
{
	return ((const struct uprobe *)d->data)->where;
}

static bool is_return(const struct derived *d)
{
	return ((const struct uprobe *)d->data)->suffix.is_return;
}

/* ---- target variables ---- */

static struct error *no_variables(struct session *s, const struct uprobe *u, const char *name)
{
	struct dwarf_file *file;

	if (u->is_slot)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': a slot does not describe the function's variables; "
				    "use parameters by number: "
				    "long_arg(1), pointer_arg(2)",
				    name);
	if (!dwarf_open(s, u->program->path, &file) && dwarf_missing_split(s, file))
		return diag_error_page(
			error_create(s->arena, ERROR_ABSENT,
				     "'%s': the debuginfo that describes it is in %s", name,
				     dwarf_missing_split(s, file)),
			PAGE_DWARF);
	return diag_error_page(error_create(s->arena, ERROR_ABSENT,
					    "'%s': %s has no debuginfo that describes it; "
					    "install its -dbgsym package, or use parameters by "
					    "number: long_arg(1), pointer_arg(2)",
					    name, u->program->path),
			       PAGE_DWARF);
}

/* Looks the prototype up in the C library's headers, if debuginfo does not have it. */
static bool has_prototype(struct session *s, struct uprobe *u)
{
	if (u->asked_prototype || u->is_slot || u->by_convention ||
	    (u->has_place && !u->place.is_entry))
		return u->is_declared;
	u->asked_prototype = true;
	u->is_declared =
		prototype_of_library(s, u->program, u->symbol ? u->symbol : u->name, &u->prototype);
	if (u->is_declared)
		calling_place(s, &u->prototype, &u->args);
	return u->is_declared;
}

static struct error *access_return(struct session *s, struct uprobe *u, const struct node *n,
				   struct access *a)
{
	struct kernel_function f = { .name = u->name };
	struct error *err;

	if (!u->has_place && has_prototype(s, u))
		return calling_return(s, &u->prototype, &n->path, n->address_of, a);
	if (!u->has_place) { /* as a number */
		a->base = ACCESS_RETURN;
		a->c_type = "long";
		return n->path.count || n->address_of ? no_variables(s, u, "$return") : NULL;
	}
	err = dwarf_return_type(s, &u->place, &f.btf, &f.return_type);
	err = err ? err : probe_result_doubt(s, u->name, dwarf_result_problem(s, &u->place));
	f.returns_by_address = !err && dwarf_returns_by_address(&u->place);
	f.loses_place = !err && dwarf_loses_result_place(&u->place);
	return err ? err : calling_return(s, &f, &n->path, n->address_of, a);
}

/* Returns the argument of that name; NULL: there is no such parameter. */
static const struct argument *find_argument(struct session *s, const struct uprobe *u,
					    const char *name)
{
	if (u->is_declared)
		name = prototype_parameter(s, u->symbol ? u->symbol : u->name, name);
	vec_each(&u->args, i)
		if (!strcmp(u->args.data[i].name, name))
			return &u->args.data[i];
	return NULL;
}

/* True: a structure that some languages pass in another way than C: not two words. */
static bool is_odd(struct session *s, const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_member *m = t ? btf_tail(t) : NULL;
	struct type_info info;

	if (types_info(s, b, id, &info) || info.kind != KTYPE_AGGREGATE)
		return false;
	if (info.size != 16 || btf_kind_of(t) != BTF_KIND_STRUCT || btf_vlen_of(t) != 2)
		return true;
	for (unsigned i = 0; i < 2; i++)
		if (types_info(s, b, m[i].type, &info) || info.size != 8 ||
		    (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER))
			return true;
	return false;
}

/* True: registers of the argument depend on the convention for structures, not C's. */
static bool is_doubtful(struct session *s, const struct uprobe *u, const struct argument *arg)
{
	const struct btf *b = u->prototype.btf;
	struct type_info info;

	if (!u->has_place || u->program->is_32 || types_info(s, b, u->prototype.return_type, &info))
		return false;
	if (info.size <= 16 && is_odd(s, b, u->prototype.return_type))
		return true;
	for (const struct argument *i = u->args.data; i <= arg; i++)
		if (is_odd(s, b, i->type_id))
			return true;
	return false;
}

static struct error *access_parameter(struct session *s, struct uprobe *u, const struct node *n,
				      struct access *a)
{
	const char *name = n->target_name + 1;
	const struct argument *arg = find_argument(s, u, name);

	if (arg && u->has_place && dwarf_passes_as_c(&u->place)) {
		struct error *err = dwarf_variable(s, &u->place, name, &n->path, n->address_of, a);

		if (!err || !arg->problem)
			return err;
		*a = (struct access){ .user = true };
	} else if (arg && is_doubtful(s, u, arg)) {
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' of '%s' cannot be found at the entry: its language "
				    "passes structures in ways of its own; keep it in a probe of "
				    "the function, by thread",
				    n->target_name, u->name);
	}
	if (arg)
		return calling_access(s, u->prototype.btf, arg, ACCESS_ARG, &n->path, n->address_of,
				      a);
	/* Global variables of the program can be read everywhere. */
	if (u->has_place &&
	    !dwarf_variable(s, &u->place,
			    strchr(name, '@') ? name : arena_printf(s->arena, "%s@", name),
			    &n->path, n->address_of, a))
		return NULL;
	return error_create(s->arena, ERROR_ABSENT,
			    "'%s' has no parameter '%s'; a %s probe has parameters only", u->name,
			    n->target_name, u->suffix.is_return ? "return" : "callee");
}

static struct error *access_variable(struct session *s, struct uprobe *u, const struct node *n,
				     struct access *a)
{
	struct error *err = u->has_place ? dwarf_variable(s, &u->place, n->target_name + 1,
							  &n->path, n->address_of, a)
					 : no_variables(s, u, n->target_name);
	const struct argument *arg = err && err->kind == ERROR_ABSENT && has_prototype(s, u)
					     ? find_argument(s, u, n->target_name + 1)
					     : NULL;

	if (!arg)
		return err;
	*a = (struct access){ .user = true };
	return calling_access(s, u->prototype.btf, arg, ACCESS_ARG, &n->path, n->address_of, a);
}

/* True: the results are in Go's places, not in C's. */
static bool returns_as_go(struct session *s, const struct uprobe *u, dwarf_names *results)
{
	return u->at_return && u->has_place && goresults_list(s, &u->place, results);
}

/* Reads a result of a Go function, or a global variable of the program. */
static struct error *access_at_return(struct session *s, const struct derived *d,
				      const struct node *n, struct access *a)
{
	const struct uprobe *u = d->data;
	const char *name = n->target_name + 1;
	struct error *err;

	if (!u->has_place)
		return no_variables(s, u, n->target_name);
	if (strchr(name, '@'))
		return dwarf_variable(s, &u->place, name, &n->path, n->address_of, a);
	err = goresults_access(s, &u->place, name, &n->path, n->address_of, a);
	if (!err || !dwarf_sees(s, &u->place, name))
		return err;
	if (d->no_entry)
		return error_create(s->arena, ERROR_ABSENT, "'%s': %s", n->target_name,
				    d->no_entry);
	*a = (struct access){ .user = true };
	return dwarf_variable(s, &u->place, name, &n->path, n->address_of, a);
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	struct uprobe *u = d->data;
	struct access *a = arena_new(s->arena, struct access);
	dwarf_names results = { 0 };
	struct error *err;

	a->user = true;
	if (u->at_return && (strcmp(n->target_name, "$return") || returns_as_go(s, u, &results)))
		err = access_at_return(s, d, n, a);
	else if (u->suffix.is_return && !strcmp(n->target_name, "$return"))
		err = access_return(s, u, n, a);
	else if (u->by_convention)
		err = access_parameter(s, u, n, a);
	else
		err = access_variable(s, u, n, a);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

static void declared_vars(struct session *s, const struct uprobe *u, target_variables *ret)
{
	const struct kernel_function *f = &u->prototype;
	struct target_variable result = { "$return", types_str(s, f->btf, f->return_type), false,
					  false, false };

	vec_each(&f->params, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s", f->params.data[i].name),
					     types_str(s, f->btf, f->params.data[i].type_id), false,
					     false, false };

		vec_push(s->arena, ret, v);
	}
	if (u->suffix.is_return && f->return_type)
		vec_push(s->arena, ret, result);
}

/* Lists parameters, whose values are those of the entry, and results. */
static void go_vars(struct session *s, const struct uprobe *u, const dwarf_names *results,
		    target_variables *ret)
{
	dwarf_names all = { 0 };

	if (u->entry)
		dwarf_variables(s, &u->place, &all);
	vec_each(&all, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s", all.data[i].name),
					     all.data[i].c_type, false, all.data[i].is_absent,
					     false };

		if (all.data[i].is_parameter && !goresults_has(s, &u->place, all.data[i].name))
			vec_push(s->arena, ret, v);
	}
	vec_each(results, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s", results->data[i].name),
					     results->data[i].c_type, false, false, true };

		vec_push(s->arena, ret, v);
	}
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	struct uprobe *u = d->data;
	struct kernel_function f = { 0 };
	dwarf_names names = { 0 };
	bool is_go = returns_as_go(s, u, &names);

	if (is_go) {
		go_vars(s, u, &names, ret);
		return;
	}
	if (u->has_place && !u->at_return)
		dwarf_variables(s, &u->place, &names);
	vec_each(&names, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s", names.data[i].name),
					     names.data[i].c_type, !names.data[i].is_parameter,
					     names.data[i].is_absent &&
						     !(u->by_convention &&
						       find_argument(s, u, names.data[i].name)),
					     false };

		if (!(u->suffix.is_return || u->by_convention) || names.data[i].is_parameter)
			vec_push(s->arena, ret, v);
	}
	if (!u->has_place && has_prototype(s, u)) {
		declared_vars(s, u, ret);
		return;
	}
	if (u->suffix.is_return && !u->has_place) {
		struct target_variable v = { "$return", "long", false, false, false };

		vec_push(s->arena, ret, v);
		return;
	}
	if (u->suffix.is_return && !dwarf_return_type(s, &u->place, &f.btf, &f.return_type) &&
	    f.return_type) {
		struct target_variable v = { "$return", types_str(s, f.btf, f.return_type), false,
					     false, false };

		vec_push(s->arena, ret, v);
	}
}

/* ---- emission ---- */

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct uprobe *u = d->data;
	struct strbuf b;
	uint64_t offset = 0;

	executable_code_offset(u->program, u->address, &offset);
	strbuf_init(&b, s->arena);
	which_program_emit(&b, u->where, offset, u->optional);
	callers_emit_table(s, d, u->call, u->address, w);
	callers_emit(d, u->call, &b);
	if (u->suffix.is_return && !u->at_return && !u->at_site)
		strbuf_adds(&b, ", .is_return = true");
	if (u->at_site)
		strbuf_adds(&b, ", .at_site = true");
	if (u->suffix.is_return && uprobe_find_switching(u->where))
		strbuf_adds(&b, ", .switches_stacks = true");
	if (u->suffix.maxactive)
		strbuf_addf(&b, ", .maxactive = %u", u->suffix.maxactive);
	if (u->suffix.is_return && d->handler->saved.count)
		strbuf_addf(&b, ", .nsaved = NSAVED_%u", d->handler->index);
	if (u->entry && d->handler->saved.count &&
	    executable_code_offset(u->program, u->entry, &offset))
		strbuf_addf(&b, ", .entry = %#llx, .function = %u", (unsigned long long)offset,
			    u->first->index);
	counter_emit(d, &b, s, w);
	writer_line(w, "static const struct stp_point_uprobe point_%u = { %s };", d->index, b.s);
}

/* Texts for --dump-probe-types. */
#define BEHIND(program)                                                                            \
	program ".function(number)\n" program ".function(number).call\n" program                   \
		".function(number).exported\n" program ".function(number).return\n" program        \
		".function(string)\n" program ".function(string).call\n" program                   \
		".function(string).callee(string)\n" program                                       \
		".function(string).callee(string).call\n" program                                  \
		".function(string).callee(string).return\n" program                                \
		".function(string).callees\n" program                                              \
		".function(string).callees(number)\n" program                                      \
		".function(string).exported\n" program ".function(string).inline\n" program        \
		".function(string).label(string)\n" program ".function(string).nearest\n" program  \
		".function(string).return\n" program                                               \
		".function(string).return.maxactive(number)\n" program ".mark(string)\n" program   \
		".plt\n" program ".plt.return\n" program ".plt(string)\n" program                  \
		".plt(string).return\n" program ".provider(string).mark(string)\n" program         \
		".statement(number)\n" program ".statement(number).absolute\n" program             \
		".statement(number).absolute.return\n" program ".statement(string)\n" program      \
		".statement(string).nearest\n"

static const char *pc(struct session *s, struct derived *d)
{
	const struct uprobe *u = d->data;

	return arena_printf(s->arena, "%s+%#llx", u->program->is_movable ? ".dynamic" : ".absolute",
			    (unsigned long long)u->address);
}

static const char *bpf_obstacle(const struct derived *d)
{
	const struct uprobe *u = d->data;

	if (u->call && u->call->caller.count)
		return "calls from certain functions only";
	if (u->at_return && u->entry && d->handler->saved.count)
		return "values of the entry at returns of Go";
	return uprobe_find_obstacle(u->where, d);
}

PROBE_FAMILY(uprobe,
	     BEHIND("process") BEHIND("process(number)") BEHIND("process(string)")
		     BEHIND("process.library(string)") BEHIND("process(string).library(string)"),
	     .resolve = uprobe_find_resolve, .is_return = is_return, .pc = pc, .target = target,
	     .vars = vars, .emit = emit, .its_name = slot, .where = where, .bpf_runtime = true,
	     .bpf_obstacle = bpf_obstacle, .waits = true, .is_program_code = true);

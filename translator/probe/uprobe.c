/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process("PATH").function("GLOB"), .library("LIB").function("GLOB"), with .call .exported .inline .return .return.maxactive(N), .statement("F@FILE:LINE")
 * and .statement(ADDRESS), and .plt("GLOB") with .return. process(PID) is that process's program; process alone is the target's (-c, -x).
 *
 * Functions come from debuginfo where the program has some, else from its symbol tables; source positions, inlined copies and variables need debuginfo.
 */
#include <string.h>

#include "ast/program.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/session.h"
#include "base/strbuf.h"
#include "base/writer.h"
#include "debuginfo/glob.h"
#include "debuginfo/executable.h"
#include "debuginfo/plt.h"
#include "dwarf/dwarf.h"
#include "dwarf/find.h"
#include "options.h"
#include "probe/arguments.h"
#include "probe/callers.h"
#include "probe/mark.h"
#include "probe/probe.h"
#include "probe/program.h"
#include "probe/suffix.h"
#include "probe/uprobe.h"

extern const struct probe_family probe_family_uprobe;

/* What a point of the script asks for. */
struct question {
	struct session *s;
	const struct point *p;
	unsigned at; /* component: .function, … */
	struct executable *program;
	const struct program_file *where;
	struct point_suffix suffix;
	bool optional;
	derived_list *ret;
};

/* derived->data */
struct uprobe {
	const struct executable *program;
	const struct program_file *where;
	const char *name; /* of the function */
	uint64_t address;
	struct point_suffix suffix;
	bool optional;
	bool has_place;
	struct dwarf_place place;
	bool is_slot;               /* .plt: a call of the function in some library */
	const struct dwarf_call *call; /* only when called from there; NULL: by anybody */
	/* Return probes on code that was not optimised: the calling convention says where parameters are at entry. */
	bool by_convention;
	struct kernel_function prototype;
	arguments args;
};

/* ---- points ---- */

static const char *suffix_text(const struct question *q)
{
	const struct point_suffix *x = &q->suffix;

	return x->is_return ? ".return" : x->is_call ? ".call" : x->is_exported ? ".exported" : x->is_inline ? ".inline" : "";
}

static struct uprobe *add_point(struct question *q, const char *kind, const char *what, uint64_t address)
{
	struct uprobe *u = arena_new(q->s->arena, struct uprobe);
	struct derived *d = derived_new(q->s, &probe_family_uprobe, q->p, q->ret);

	*u = (struct uprobe){ .program = q->program, .where = q->where, .name = what, .address = address, .suffix = q->suffix, .optional = q->optional };
	d->data = u;
	d->pp = arena_printf(q->s->arena, "%s.%s(\"%s\")%s", q->where->prefix, kind, what, suffix_text(q));
	d->pfunc = what;
	d->pmodule = q->program->path;
	return u;
}

/* process("/bin/ls").function("f@x.c:12").callee("g@y.c:7").return, .label("l") */
static const char *place_text(const struct question *q, const char *kind, const struct dwarf_place *place, const struct dwarf_call *call)
{
	struct arena *a = q->s->arena;
	const char *text = dwarf_place_text(a, place);

	if (place->label)
		return arena_printf(a, "%s.function(\"%s\").label(\"%s\")", q->where->prefix, text, place->label);
	if (!call)
		return arena_printf(a, "%s.%s(\"%s\")%s", q->where->prefix, kind, text, suffix_text(q));
	return arena_printf(a, "%s.function(\"%s\").callee(\"%s\")%s", q->where->prefix, dwarf_place_text(a, &call->from), text, suffix_text(q));
}

/* Parameters at entry, in code that puts them on the stack only behind its first instructions. */
static void read_prototype(struct session *s, struct uprobe *u, const struct dwarf_place *behind)
{
	dwarf_names names = { 0 };
	struct btf *result;

	dwarf_variables(s, behind, &names);
	vec_each(&names, i) {
		struct access a = { 0 };
		struct kernel_param param = { .name = names.data[i].name };
		path_steps none = { 0 };

		if (!names.data[i].is_parameter || dwarf_variable(s, behind, param.name, &none, true, &a))
			continue;
		param.type_id = a.type_id;
		u->prototype.btf = a.btf;
		vec_push(s->arena, &u->prototype.params, param);
	}
	u->prototype.name = u->name;
	/* A large result's address is an argument as well. */
	if (dwarf_return_type(s, behind, &result, &u->prototype.return_type))
		u->prototype.return_type = 0;
	if (u->prototype.btf)
		arguments_place(s, &u->prototype, &u->args);
	u->by_convention = true;
}

static void add_place(struct question *q, const char *kind, const struct dwarf_place *place, const struct dwarf_call *call)
{
	struct dwarf_place behind = *place;
	struct uprobe *u;
	uint64_t offset;

	if (!executable_code_offset(q->program, place->address, &offset))
		return;
	u = add_point(q, kind, dwarf_place_function(q->s->arena, place), place->address);
	q->ret->data[q->ret->count - 1]->pp = place_text(q, kind, place, call);
	u->place = *place;
	u->has_place = true;
	u->call = call;
	if (strcmp(kind, "function"))
		return;
	dwarf_skip_prologue(q->s, &behind);
	if (behind.address == place->address)
		return;
	if (q->suffix.is_return || call) { /* the return address is where the function finds it */
		read_prototype(q->s, u, &behind);
	} else {
		u->place = behind;
		u->address = behind.address;
	}
}

static void add_places(struct question *q, const char *kind, const dwarf_places *places)
{
	vec_each(places, i)
		add_place(q, kind, &places->data[i], NULL);
}

/* ---- finding ---- */

static struct error *no_function(struct question *q, const char *pattern)
{
	const char *near = glob_is(pattern) ? NULL : executable_near(q->s, q->program, pattern);

	if (!q->program->symbols.count)
		return error_create(q->s->arena, ERROR_ABSENT, "%s has no symbols and no debuginfo; install its -dbgsym package, or probe .statement(ADDRESS)",
				    q->program->path);
	return error_create(q->s->arena, ERROR_ABSENT, "no function %s '%s' in %s%s%s", glob_is(pattern) ? "matches" : "named", pattern,
			    q->program->path, near ? "; did you mean " : "", near ? near : "");
}

/* Code that has several names is probed once; lists show them all. */
static bool is_repeated(const struct question *q, const executable_matches *found, size_t i)
{
	return i && found->data[i].address == found->data[i - 1].address && !q->s->options->list && !q->s->options->list_vars;
}

/* One of the functions that a resolver chooses among: with what debuginfo knows of it. */
static void add_choice(struct question *q, const char *name, uint64_t address)
{
	struct dwarf_place place;
	struct dwarf_file *file;

	if (!dwarf_open(q->s, q->program->path, &file) && !dwarf_find_address(q->s, file, address, &place) && place.is_entry)
		add_place(q, "function", &place, NULL);
	else
		add_point(q, "function", name, address);
}

static struct error *add_found(struct question *q, const struct executable_found *found)
{
	executable_addresses choices = { 0 };
	struct error *err;

	if (!found->resolver_size) {
		add_point(q, "function", found->name, found->address);
		return NULL;
	}
	err = executable_choices(q->s, q->program, found, &choices);
	vec_each(&choices, i)
		add_choice(q, found->name, choices.data[i]);
	return err;
}

/* What debuginfo did not find; `absent` says so, when there is some. */
static struct error *by_symbols(struct question *q, const char *pattern, struct error *absent)
{
	size_t before = q->ret->count;
	executable_matches found = { 0 };
	struct dwarf_file *file;
	struct error *err = NULL;

	executable_match(q->s, q->program, pattern, q->suffix.is_exported, &found);
	vec_each(&found, i) {
		if (!is_repeated(q, &found, i))
			err = add_found(q, &found.data[i]);
		if (err && err->kind != ERROR_ABSENT)
			return err;
	}
	if (q->ret->count > before)
		return NULL;
	if (err)
		return err;
	return dwarf_open(q->s, q->program->path, &file) ? no_function(q, pattern) : absent;
}

static unsigned copies(const struct point_suffix *x)
{
	unsigned near = x->is_nearest ? FIND_NEAREST : 0;

	if (x->is_inline)
		return FIND_INLINED | near;
	if (x->is_exported)
		return FIND_CALLED | FIND_EXTERNAL | near;
	return FIND_CALLED | near | (x->is_call || (x->is_return && !x->callee) ? 0 : FIND_INLINED);
}

static struct error *add_callees(struct question *q, const dwarf_places *functions)
{
	dwarf_calls *calls = arena_new(q->s->arena, dwarf_calls);
	unsigned wanted = q->suffix.is_return ? FIND_CALLED : FIND_CALLED | FIND_INLINED;
	struct error *err = dwarf_find_callees(q->s, functions, q->suffix.callee, q->suffix.depth, wanted, calls);

	vec_each(calls, i)
		add_place(q, "function", &calls->data[i].callee, &calls->data[i]);
	return err;
}

static struct error *add_labels(struct question *q, const dwarf_places *functions)
{
	dwarf_places labels = { 0 };
	struct error *err = dwarf_find_labels(q->s, functions, q->suffix.label, &labels);

	add_places(q, "function", &labels);
	return err;
}

static struct error *functions_by_debuginfo(struct question *q, struct dwarf_file *file, const struct dwarf_pattern *pattern)
{
	dwarf_places places = { 0 };
	struct error *err = dwarf_find_functions(q->s, file, pattern, copies(&q->suffix), &places);

	if (err)
		return err;
	if (q->suffix.callee)
		return add_callees(q, &places);
	if (q->suffix.label)
		return add_labels(q, &places);
	add_places(q, "function", &places);
	return NULL;
}

static struct error *statements_by_debuginfo(struct question *q, struct dwarf_file *file, const struct dwarf_pattern *pattern)
{
	dwarf_places places = { 0 };
	struct error *err = dwarf_find_statements(q->s, file, pattern, q->suffix.is_nearest, &places);

	add_places(q, "statement", &places);
	return err;
}

static struct error *by_debuginfo(struct question *q, const char *text,
				  struct error *(*find)(struct question *q, struct dwarf_file *file, const struct dwarf_pattern *pattern))
{
	struct dwarf_pattern pattern;
	struct dwarf_file *file;
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	if (!err)
		err = dwarf_pattern_parse(q->s, text, &pattern);
	return err ? err : find(q, file, &pattern);
}

static struct error *go_return(struct question *q)
{
	return probe_wrong(q->s, "%s is a Go program: its stacks move while functions run, and a return probe would crash it; probe the function's entry, or "
			   "statements before its returns", q->program->path);
}

/* A file or a line is named: symbols have none. */
static bool wants_source(struct question *q, const char *text)
{
	struct dwarf_pattern pattern;

	return dwarf_pattern_parse(q->s, text, &pattern) || pattern.file || pattern.lines.count;
}

static struct error *find_functions(struct question *q, const struct component *c)
{
	struct error *err;

	if (c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(q->s, "'.function' wants a name: process(\"PATH\").function(\"main\")");
	if (q->suffix.is_return && q->program->is_go)
		return go_return(q);
	err = by_debuginfo(q, c->string, functions_by_debuginfo);
	if (!err || err->kind != ERROR_ABSENT || wants_source(q, c->string) || q->suffix.is_inline || q->suffix.callee || q->suffix.label)
		return err;
	return by_symbols(q, c->string, err);
}

static struct error *find_statements(struct question *q, const struct component *c)
{
	uint64_t offset;

	if (c->arg_kind == ARG_STRING)
		return by_debuginfo(q, c->string, statements_by_debuginfo);
	if (c->arg_kind != ARG_NUMBER)
		return probe_wrong(q->s, "'.statement' wants a place, \"FUNCTION@FILE:LINE\", or an address");
	if (!executable_code_offset(q->program, (uint64_t)c->number, &offset))
		return error_create(q->s->arena, ERROR_ABSENT, "there is no code at %#llx in %s", (unsigned long long)c->number, q->program->path);
	add_point(q, "statement", arena_printf(q->s->arena, "%#llx", (unsigned long long)c->number), (uint64_t)c->number);
	return NULL;
}

static struct error *no_slot(struct question *q, const plt_slots *slots, const char *pattern)
{
	VEC(const char *) names = { 0 };
	const char *near = NULL;

	vec_each(slots, i)
		vec_push(q->s->arena, &names, slots->data[i].name);
	if (!names.count)
		return error_create(q->s->arena, ERROR_ABSENT, "%s calls nothing by way of slots: it is linked statically, or compiled with -fno-plt",
				    q->program->path);
	if (!glob_is(pattern))
		near = diag_near(q->s, pattern, names.data, names.count);
	return error_create(q->s->arena, ERROR_ABSENT, "%s has no slot for '%s'%s%s", q->program->path, pattern, near ? "; did you mean " : "",
			    near ? near : "");
}

static struct error *find_slots(struct question *q, const struct component *c)
{
	struct glob glob = glob_make(c->arg_kind == ARG_STRING ? c->string : "*");
	size_t before = q->ret->count;
	plt_slots slots = { 0 };
	struct error *err;

	if (c->arg_kind == ARG_NUMBER || !*glob.pattern)
		return probe_wrong(q->s, "'.plt' wants the name of a function of some library: process(\"PATH\").plt(\"malloc\")");
	if (q->suffix.is_return && q->program->is_go)
		return go_return(q);
	err = plt_read(q->s, q->program, &slots);
	if (err)
		return err;
	vec_each(&slots, i)
		if (glob_match(&glob, slots.data[i].name))
			add_point(q, "plt", slots.data[i].name, slots.data[i].address)->is_slot = true;
	return q->ret->count > before ? NULL : no_slot(q, &slots, glob.pattern);
}

static struct error *find_marks(struct question *q, const struct component *c)
{
	struct mark_program from = { q->program, q->where, q->optional };

	(void)c;
	return mark_resolve(q->s, q->p, q->at, &from, q->ret);
}

/* What can stand behind the program. */
static const struct kind {
	const char *name;
	unsigned suffix; /* enum suffix_kind; 0: it reads the rest itself */
	struct error *(*find)(struct question *q, const struct component *c);
} kinds[] = {
	{ "function", SUFFIX_FUNCTION, find_functions },
	{ "statement", SUFFIX_PLACE, find_statements },
	{ "plt", SUFFIX_SLOT, find_slots },
	{ "mark", 0, find_marks },
	{ "provider", 0, find_marks },
};

static const struct kind *kind_of(const struct component *c)
{
	for (size_t i = 0; c && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(c->name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/* What one of several programs lacks is no error as long as another has it. */
static struct error *find_in_all(struct question *q, const struct kind *kind, const program_files *where)
{
	const struct component *c = point_component(q->p, q->at);
	size_t before = q->ret->count;
	struct error *last = NULL;

	vec_each(where, i) {
		struct error *err;

		q->where = &where->data[i];
		q->program = where->data[i].file;
		err = kind->find(q, c);
		if (err && err->kind != ERROR_ABSENT)
			return err;
		last = err ? err : last;
	}
	return q->ret->count > before ? NULL : last;
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct question q = { .s = s, .p = p, .ret = ret, .optional = p->optional };
	program_files *where = arena_new(s->arena, program_files);
	const struct kind *kind;
	const struct component *c;
	struct error *err;

	if (strcmp(point_component(p, 0)->name, "process"))
		return NULL;
	c = point_component(p, component_is(p, 1, "library", ARG_STRING) ? 2 : 1);
	kind = kind_of(c);
	if (!kind)
		return NULL;
	err = program_find(s, p, &q.at, where);
	if (!err && kind->suffix)
		err = suffix_read(s, p, q.at + 1, kind->suffix, &q.suffix);
	if (err)
		return err;
	q.optional |= program_is_glob(p) || (c->arg_kind == ARG_STRING && glob_is(c->string));
	return find_in_all(&q, kind, where);
}

const char *uprobe_slot(const struct derived *d)
{
	const struct uprobe *u = d->family == &probe_family_uprobe ? d->data : NULL;

	return u && u->is_slot ? u->name : NULL;
}

static bool is_return(const struct derived *d)
{
	return ((const struct uprobe *)d->data)->suffix.is_return;
}

/* ---- target variables ---- */

static struct error *no_variables(struct session *s, const struct uprobe *u, const char *name)
{
	if (u->is_slot)
		return error_create(s->arena, ERROR_ABSENT, "'%s': a slot tells nothing of the function's variables; take parameters by number: "
				    "long_arg(1), pointer_arg(2)", name);
	return error_page(error_create(s->arena, ERROR_ABSENT, "'%s': %s has no debuginfo that tells of it; install its -dbgsym package, or take "
				       "parameters by number: long_arg(1), pointer_arg(2)", name, u->program->path), PAGE_DWARF);
}

static struct error *access_return(struct session *s, struct uprobe *u, const struct node *n, struct access *a)
{
	struct kernel_function f = { .name = u->name };
	struct error *err;

	if (!u->has_place) { /* as a number */
		a->base = ACCESS_RETURN;
		a->c_type = "long";
		return n->path.count || n->address_of ? no_variables(s, u, "$return") : NULL;
	}
	err = dwarf_return_type(s, &u->place, &f.btf, &f.return_type);
	return err ? err : arguments_return(s, &f, &n->path, n->address_of, a);
}

static struct error *access_parameter(struct session *s, struct uprobe *u, const struct node *n, struct access *a)
{
	vec_each(&u->args, i) {
		if (!strcmp(u->args.data[i].name, n->target_name + 1))
			return arguments_access(s, u->prototype.btf, &u->args.data[i], ACCESS_ARG, &n->path, n->address_of, a);
	}
	return error_create(s->arena, ERROR_ABSENT, "'%s' has no parameter '%s'; a %s probe has parameters only", u->name, n->target_name,
			    u->suffix.is_return ? "return" : "callee");
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	struct uprobe *u = d->data;
	struct access *a = arena_new(s->arena, struct access);
	struct error *err;

	a->user = true;
	if (u->suffix.is_return && !strcmp(n->target_name, "$return"))
		err = access_return(s, u, n, a);
	else if (!u->has_place)
		err = no_variables(s, u, n->target_name);
	else if (u->by_convention)
		err = access_parameter(s, u, n, a);
	else
		err = dwarf_variable(s, &u->place, n->target_name + 1, &n->path, n->address_of, a);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	struct uprobe *u = d->data;
	struct kernel_function f = { 0 };
	dwarf_names names = { 0 };

	if (u->has_place)
		dwarf_variables(s, &u->place, &names);
	vec_each(&names, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s", names.data[i].name), names.data[i].c_type,
					     !names.data[i].is_parameter, names.data[i].is_absent };

		if (!(u->suffix.is_return || u->by_convention) || names.data[i].is_parameter)
			vec_push(s->arena, ret, v);
	}
	if (u->suffix.is_return && !u->has_place) {
		struct target_variable v = { "$return", "long", false, false };

		vec_push(s->arena, ret, v);
		return;
	}
	if (u->suffix.is_return && !dwarf_return_type(s, &u->place, &f.btf, &f.return_type) && f.return_type) {
		struct target_variable v = { "$return", kernel_type_str(s, f.btf, f.return_type), false, false };

		vec_push(s->arena, ret, v);
	}
}

/* ---- emission ---- */

/* What all points in programs have. */
void uprobe_emit_place(struct strbuf *b, const struct program_file *where, uint64_t offset, bool optional)
{
	const struct executable *p = where->file;

	strbuf_adds(b, ".path = ");
	strbuf_addquoted(b, p->path, strlen(p->path));
	strbuf_addf(b, ", .size = %llu", (unsigned long long)p->size);
	if (p->id_size) {
		strbuf_addf(b, ", .id_offset = %#llx, .id_size = %zu, .id = (const uint8_t *)\"", (unsigned long long)p->id_offset, p->id_size);
		for (size_t i = 0; i < p->id_size; i++)
			strbuf_addf(b, "\\x%02x", p->id[i]);
		strbuf_addc(b, '"');
	}
	strbuf_addf(b, ", .offset = %#llx", (unsigned long long)offset);
	if (where->user && !where->pid) {
		strbuf_adds(b, ", .program = ");
		strbuf_addquoted(b, where->user->path, strlen(where->user->path));
	}
	if (where->pid)
		strbuf_addf(b, ", .pid = %lld", (long long)where->pid);
	if (optional)
		strbuf_adds(b, ", .optional = true");
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct uprobe *u = d->data;
	struct strbuf b;
	uint64_t offset = 0;

	executable_code_offset(u->program, u->address, &offset);
	strbuf_init(&b, s->arena);
	uprobe_emit_place(&b, u->where, offset, u->optional);
	callers_emit_table(s, d, u->call, u->address, w);
	callers_emit(d, u->call, &b);
	if (u->suffix.is_return)
		strbuf_adds(&b, ", .is_return = true");
	if (u->suffix.maxactive)
		strbuf_addf(&b, ", .maxactive = %u", u->suffix.maxactive);
	if (u->suffix.is_return && d->handler->saved.count)
		strbuf_addf(&b, ", .nsaved = NSAVED_%u, .entry = entry_%u", d->handler->index, d->handler->index);
	writer_line(w, "static const struct stp_point_uprobe point_%u = { %s };", d->index, b.s);
}

/* For --dump-probe-types. */
#define BEHIND(program) \
	program ".function(string)\n" \
	program ".function(string).call\n" \
	program ".function(string).callee(string)\n" \
	program ".function(string).callee(string).call\n" \
	program ".function(string).callee(string).return\n" \
	program ".function(string).callees\n" \
	program ".function(string).callees(number)\n" \
	program ".function(string).exported\n" \
	program ".function(string).inline\n" \
	program ".function(string).label(string)\n" \
	program ".function(string).nearest\n" \
	program ".function(string).return\n" \
	program ".function(string).return.maxactive(number)\n" \
	program ".mark(string)\n" \
	program ".plt\n" \
	program ".plt.return\n" \
	program ".plt(string)\n" \
	program ".plt(string).return\n" \
	program ".provider(string).mark(string)\n" \
	program ".statement(number)\n" \
	program ".statement(string)\n" \
	program ".statement(string).nearest\n"

const struct probe_family probe_family_uprobe = {
	.name = "uprobe",
	.help = BEHIND("process") BEHIND("process(number)") BEHIND("process(string)") BEHIND("process(string).library(string)"),
	.resolve = resolve,
	.is_return = is_return,
	.target = target,
	.vars = vars,
	.emit = emit,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process("PATH").function("GLOB"), .library("LIB").function("GLOB"), with .call .exported .inline .return .return.maxactive(N), and .statement("F@FILE:LINE")
 * and .statement(ADDRESS). process(PID) is that process's program; process alone is the target's (-c, -x).
 *
 * Functions come from debuginfo where the program has some, else from its symbol tables; source positions, inlined copies and variables need debuginfo.
 */
#include <ctype.h>
#include <string.h>

#include "ast/program.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/session.h"
#include "base/strbuf.h"
#include "base/writer.h"
#include "debuginfo/glob.h"
#include "debuginfo/executable.h"
#include "dwarf/dwarf.h"
#include "dwarf/find.h"
#include "options.h"
#include "probe/arguments.h"
#include "probe/mark.h"
#include "probe/probe.h"
#include "probe/suffix.h"

extern const struct probe_family probe_family_uprobe;

/* What a point of the script asks for. */
struct question {
	struct session *s;
	const struct point *p;
	struct executable *program;
	int64_t pid;
	const char *prefix; /* "process(\"/bin/ls\")" */
	struct point_suffix suffix;
	bool optional;
	derived_list *ret;
};

/* derived->data */
struct uprobe {
	const struct executable *program;
	const char *name; /* of the function */
	uint64_t address;
	int64_t pid;
	struct point_suffix suffix;
	bool optional;
	bool has_place;
	struct dwarf_place place;
	struct error *no_debuginfo; /* why there is no place */
	/* Return probes on code that was not optimised: the calling convention says where parameters are at entry. */
	bool by_convention;
	struct kernel_function prototype;
	arguments args;
};

/* ---- the point's text ---- */

/* The first word of the command of -c, unless the shell has more to say about it. */
static const char *command_program(struct session *s)
{
	const char *command = s->options->command;
	size_t len;

	if (!command)
		return NULL;
	while (isspace((unsigned char)*command))
		command++;
	len = strcspn(command, " \t\n");
	return strcspn(command, "\"'$`|&;<>(){}*?[]~=") < len ? NULL : arena_strndup(s->arena, command, len);
}

static struct error *find_program(struct question *q)
{
	struct session *s = q->s;
	const struct component *c = point_component(q->p, 0);
	const char *command;

	if (c->arg_kind == ARG_STRING)
		return executable_open(s, c->string, &q->program);
	if (c->arg_kind == ARG_NUMBER) {
		q->pid = c->number;
		return executable_open(s, arena_printf(s->arena, "/proc/%lld/exe", (long long)c->number), &q->program);
	}
	if (s->options->target_pid)
		return executable_open(s, arena_printf(s->arena, "/proc/%lld/exe", (long long)s->options->target_pid), &q->program);
	command = command_program(s);
	if (command)
		return executable_open(s, command, &q->program);
	return error_page(probe_wrong(s, "'process' without a name is the target's program; give it by -c CMD or -x PID, or write process(\"PATH\")"),
			  PAGE_PROCESS_TRACKING);
}

static struct error *find_library(struct question *q, unsigned *i)
{
	const struct component *c = point_component(q->p, *i);

	q->prefix = arena_printf(q->s->arena, "process(\"%s\")", q->program->path);
	if (!component_is(q->p, *i, "library", ARG_STRING))
		return NULL;
	++*i;

	struct error *err = executable_open_library(q->s, c->string, &q->program);

	if (!err)
		q->prefix = arena_printf(q->s->arena, "%s.library(\"%s\")", q->prefix, q->program->path);
	return err;
}

/* ---- points ---- */

static struct uprobe *add_point(struct question *q, const char *kind, const char *what, uint64_t address)
{
	struct uprobe *u = arena_new(q->s->arena, struct uprobe);
	struct derived *d = derived_new(q->s, &probe_family_uprobe, q->p, q->ret);

	*u = (struct uprobe){ .program = q->program, .name = what, .address = address, .pid = q->pid, .suffix = q->suffix, .optional = q->optional };
	d->data = u;
	d->pp = arena_printf(q->s->arena, "%s.%s(\"%s\")%s", q->prefix, kind, what,
			     q->suffix.is_return ? ".return" : q->suffix.is_call ? ".call" : q->suffix.is_exported ? ".exported" :
			     q->suffix.is_inline ? ".inline" : "");
	d->pfunc = what;
	d->pmodule = q->program->path;
	return u;
}

/* Parameters at entry, in code that puts them on the stack only behind its first instructions. */
static void read_prototype(struct session *s, struct uprobe *u, const struct dwarf_place *behind)
{
	dwarf_names names = { 0 };

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
	if (u->prototype.btf)
		arguments_place(s, &u->prototype, &u->args);
	u->by_convention = true;
}

static void add_place(struct question *q, const char *kind, const struct dwarf_place *place)
{
	const char *what = place->function;
	struct dwarf_place behind = *place;
	struct uprobe *u;

	if (!strcmp(kind, "statement"))
		what = arena_printf(q->s->arena, "%s@%s:%u", place->function, place->source, place->line);
	u = add_point(q, kind, what, place->address);
	u->name = place->function;
	u->place = *place;
	u->has_place = true;
	if (strcmp(kind, "function"))
		return;
	dwarf_skip_prologue(q->s, &behind);
	if (behind.address == place->address)
		return;
	if (q->suffix.is_return) {
		read_prototype(q->s, u, &behind);
	} else {
		u->place = behind;
		u->address = behind.address;
	}
}

static void add_places(struct question *q, const char *kind, const dwarf_places *places)
{
	vec_each(places, i) {
		uint64_t offset;

		if (executable_code_offset(q->program, places->data[i].address, &offset))
			add_place(q, kind, &places->data[i]);
	}
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

static struct error *by_symbols(struct question *q, const char *pattern, struct error *no_debuginfo)
{
	struct glob glob = glob_make(pattern);
	size_t before = q->ret->count;

	if (q->suffix.is_inline)
		return no_debuginfo;
	vec_each(&q->program->symbols, i) {
		const struct executable_symbol *sym = &q->program->symbols.data[i];

		if ((q->suffix.is_exported && !sym->is_exported) || !glob_match(&glob, sym->name))
			continue;
		add_point(q, "function", sym->name, sym->address)->no_debuginfo = no_debuginfo;
	}
	return q->ret->count > before ? NULL : no_function(q, pattern);
}

static unsigned copies(const struct point_suffix *x)
{
	if (x->is_inline)
		return FIND_INLINED;
	if (x->is_exported)
		return FIND_CALLED | FIND_EXTERNAL;
	return FIND_CALLED | (x->is_call || x->is_return ? 0 : FIND_INLINED);
}

static struct error *by_debuginfo(struct question *q, const char *kind, const char *text)
{
	struct dwarf_pattern pattern;
	struct dwarf_file *file;
	dwarf_places places = { 0 };
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	if (!err)
		err = dwarf_pattern_parse(q->s, text, &pattern);
	if (!err && !strcmp(kind, "function"))
		err = dwarf_find_functions(q->s, file, &pattern, copies(&q->suffix), &places);
	else if (!err)
		err = dwarf_find_statements(q->s, file, &pattern, false, &places);
	if (!err)
		add_places(q, kind, &places);
	return err;
}

static struct error *find_functions(struct question *q, const struct component *c)
{
	struct error *err;

	if (c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(q->s, "'.function' wants a name: process(\"PATH\").function(\"main\")");
	if (q->suffix.is_return && q->program->is_go)
		return probe_wrong(q->s, "%s is a Go program: its stacks move while functions run, and a return probe would crash it; probe the function's entry, or "
			     "statements before its returns", q->program->path);
	err = by_debuginfo(q, "function", c->string);
	if (!err || err->kind != ERROR_ABSENT || strpbrk(c->string, "@:"))
		return err;
	return by_symbols(q, c->string, err);
}

static struct error *find_statements(struct question *q, const struct component *c)
{
	uint64_t offset;

	if (c->arg_kind == ARG_STRING)
		return by_debuginfo(q, "statement", c->string);
	if (c->arg_kind != ARG_NUMBER)
		return probe_wrong(q->s, "'.statement' wants a place, \"FUNCTION@FILE:LINE\", or an address");
	if (!executable_code_offset(q->program, (uint64_t)c->number, &offset))
		return error_create(q->s->arena, ERROR_ABSENT, "there is no code at %#llx in %s", (unsigned long long)c->number, q->program->path);
	add_point(q, "statement", arena_printf(q->s->arena, "%#llx", (unsigned long long)c->number), (uint64_t)c->number);
	return NULL;
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct question q = { .s = s, .p = p, .ret = ret, .optional = p->optional };
	const struct component *c;
	struct error *err;
	unsigned i = 1;

	if (strcmp(point_component(p, 0)->name, "process"))
		return NULL;

	unsigned at = component_is(p, 1, "library", ARG_STRING) ? 2 : 1;

	c = point_component(p, at);
	if (!c || (strcmp(c->name, "function") && strcmp(c->name, "statement") && !mark_is(p, at)))
		return NULL;
	err = find_program(&q);
	if (!err)
		err = find_library(&q, &i);
	if (err)
		return err;
	if (!strcmp(c->name, "function")) {
		err = suffix_read(s, p, i + 1, SUFFIX_PROGRAM, &q.suffix);
		q.optional |= c->arg_kind == ARG_STRING && glob_is(c->string);
		return err ? err : find_functions(&q, c);
	}
	if (mark_is(p, i)) {
		struct mark_program from = { q.program, q.pid, q.prefix, q.optional };

		return mark_resolve(s, p, i, &from, ret);
	}
	return p->components.count > i + 1 ? probe_wrong(s, "nothing can follow '.statement' here") : find_statements(&q, c);
}

static bool is_return(const struct derived *d)
{
	return ((const struct uprobe *)d->data)->suffix.is_return;
}

/* ---- target variables ---- */

static struct error *no_variables(struct session *s, const struct uprobe *u, const char *name)
{
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
	return error_create(s->arena, ERROR_ABSENT, "'%s' has no parameter '%s'; a return probe has parameters only", u->name, n->target_name);
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

		if (!u->suffix.is_return || names.data[i].is_parameter)
			vec_push(s->arena, ret, v);
	}
	if (u->suffix.is_return && u->has_place && !dwarf_return_type(s, &u->place, &f.btf, &f.return_type) && f.return_type) {
		struct target_variable v = { "$return", kernel_type_str(s, f.btf, f.return_type), false, false };

		vec_push(s->arena, ret, v);
	}
}

/* ---- emission ---- */

/* What all points in programs have. */
void uprobe_emit_place(struct strbuf *b, const struct executable *p, uint64_t offset, int64_t pid, bool optional)
{
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
	if (pid)
		strbuf_addf(b, ", .pid = %lld", (long long)pid);
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
	uprobe_emit_place(&b, u->program, offset, u->pid, u->optional);
	if (u->suffix.is_return)
		strbuf_adds(&b, ", .is_return = true");
	if (u->suffix.maxactive)
		strbuf_addf(&b, ", .maxactive = %u", u->suffix.maxactive);
	if (u->suffix.is_return && d->handler->saved.count)
		strbuf_addf(&b, ", .nsaved = NSAVED_%u, .entry = entry_%u", d->handler->index, d->handler->index);
	writer_line(w, "static const struct stp_point_uprobe point_%u = { %s };", d->index, b.s);
}

const struct probe_family probe_family_uprobe = {
	.name = "uprobe",
	.help =
		"process(string).function(string)\nprocess(string).function(string).call\nprocess(string).function(string).exported\n"
		"process(string).function(string).inline\nprocess(string).function(string).return\n"
		"process(string).function(string).return.maxactive(number)\n"
		"process(string).library(string).function(string)\nprocess(string).library(string).function(string).call\n"
		"process(string).library(string).function(string).exported\nprocess(string).library(string).function(string).inline\n"
		"process(string).library(string).function(string).return\n"
		"process(string).library(string).function(string).return.maxactive(number)\n"
		"process(string).mark(string)\nprocess(string).provider(string).mark(string)\n"
		"process(string).library(string).mark(string)\nprocess(string).library(string).provider(string).mark(string)\n"
		"process(number).mark(string)\nprocess.mark(string)\n"
		"process(string).statement(string)\nprocess(string).statement(number)\n"
		"process(number).function(string)\nprocess(number).function(string).return\n"
		"process.function(string)\nprocess.function(string).return",
	.resolve = resolve,
	.is_return = is_return,
	.target = target,
	.vars = vars,
	.emit = emit,
};

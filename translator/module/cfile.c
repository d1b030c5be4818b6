/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C file, in this order: -D macros · the runtime's interface · globals · the script's
 * own top-level C · regular expressions · functions · handlers · locks · probe points ·
 * tables · the script's descriptor. runtime/example.c shows one.
 */
#include "module/module.h"

#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "emit/limits.h"
#include "emit/linkparts.h"
#include "lang/uses.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "probe/function/function.h"
#include "probe/probe.h"
#include "program/executable.h"

static const char *quoted(struct emit_module *m, const char *text)
{
	return strbuf_quoted(m->s->arena, text, strlen(text));
}

/* Emits a macro of -D. */
static void emit_macro(struct emit_module *m, const struct definition *d)
{
	const char *value = limits_macro(m->s, d);

	if (!value)
		return;
	writer_line(m->w, "#undef %s\n#define %s %s", d->name, d->name, value);
	linkparts_embedded(m->s, value, strlen(value));
}

/* The default size of arrays in SystemTap; ours grow. */
#define MAP_ENTRIES_OF_OLD 2048

/* Emits limits as macros, for embedded C. */
static void emit_limits(struct emit_module *m)
{
	uint64_t entries = limit_value(m->s, LIMIT_MAP_ENTRIES);

	writer_line(m->w, "#undef MAXSTRINGLEN\n#define MAXSTRINGLEN %" PRIu64,
		    limit_value(m->s, LIMIT_STRING));
	writer_line(m->w, "#undef MAXACTION\n#define MAXACTION %" PRIu64,
		    limit_value(m->s, LIMIT_ACTION));
	writer_line(m->w, "#undef MAXMAPENTRIES\n#define MAXMAPENTRIES %" PRIu64,
		    entries ? entries : (uint64_t)MAP_ENTRIES_OF_OLD);
}

static void emit_head(struct emit_module *m)
{
	const struct options *o = m->s->options;
	const struct source *script = emit_script_source(m->s);

	writer_line(m->w, "/* made by stap from %s */",
		    o->script_text   ? "a script on the command line"
		    : o->script_file ? "a script file"
				     : "a script");
	vec_each(&o->macros, i)
		emit_macro(m, &o->macros.data[i]);
	emit_limits(m);
	if (script)
		writer_line(m->w, "#define STP_SCRIPT_FILE %s", quoted(m, script->name));
	writer_line(m->w, "#include \"api.h\"");
	writer_line(
		m->w,
		"#ifndef INT64_C\n#define INT64_C(n) n##LL\n#define UINT64_C(n) n##ULL\n#endif");
	writer_line(m->w, "STP_MARK(\"%s\");", privilege_names[o->privilege]);
	info_write_all(m);
	writer_line(m->w, "#define STP_UNUSED __attribute__((unused))");
	writer_line(m->w, "static inline STP_UNUSED struct stp_str script_str(const char *s)");
	writer_line(m->w, "{\n\treturn (struct stp_str){ s, strnlen(s, MAXSTRINGLEN - 1) };\n}");
	/*
	 * Embedded C keeps its author's layout, so warnings about it are off; but a
	 * number that is used as a pointer stays an error.
	 */
	writer_line(m->w, "#pragma GCC diagnostic ignored \"-Wmisleading-indentation\"");
	writer_line(m->w, "#pragma GCC diagnostic ignored \"-Wunused-variable\"");
	writer_line(m->w, "#pragma GCC diagnostic error \"-Wint-conversion\"");
	writer_line(m->w, "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"");
	writer_line(m->w, "#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n");
}

static void emit_embeds(struct emit_module *m)
{
	if (m->s->options->guru && !options_speak(m->s, "1.0"))
		writer_line(m->w, "#include \"compat/names2005.h\"");
	vec_each(&m->s->program->embeds, i) {
		const struct node *n = m->s->program->embeds.data[i];

		emit_user_text(m->s, m->w, n->loc, "", n->string, n->string_len);
	}
}

/*
 * The largest number of probes that have their own hit functions. These take 500 bytes
 * for each probe: this is worthwhile for few probes, and scripts with few probes are hit
 * most often.
 */
#define OWN_HITS_MOST 8

static bool has_own_hits(const struct program *p)
{
	size_t count = 0;

	vec_each(&p->probes, i)
		count += !p->probes.data[i]->family->runs_alone;
	return count && count <= OWN_HITS_MOST;
}

/*
 * The largest number of statements of a handler that is inlined into two hits. A system
 * call has two entries, for 64-bit and 32-bit callers; if the compiler knows which one it
 * compiles, it leaves out tests.
 */
#define INLINE_MOST 16

/*
 * Makes the compiler inline the handlers that two probes share; it does so anyway for
 * one. clang needs the attribute before the definition.
 */
static void emit_inline(struct emit_module *m)
{
	const struct program *p = m->s->program;

	vec_each(&p->handlers, i) {
		const struct handler *h = p->handlers.data[i];
		unsigned users = 0;

		vec_each(&p->probes, k)
			users += p->probes.data[k]->handler->index == h->index;
		if (users == 2 && h->index == i && emit_cost(h->body) <= INLINE_MOST)
			writer_line(m->w,
				    "static inline __attribute__((always_inline)) "
				    "void handler_%u(struct stp_ctx *c);",
				    h->index);
	}
}

/* Emits the bodies first, to find out which tables must come before them. */
static void emit_bodies(struct emit_module *m)
{
	struct program *p = m->s->program;
	struct writer bodies, *file = m->w;
	struct strbuf front;

	linkparts_writer(m->s, &bodies);
	m->w = &bodies;
	vec_each(&p->functions, i)
		if (!cnames_is_part(p->functions.data[i]))
			body_write_prototype(m, p->functions.data[i]);
	writer_line(m->w, "%s", "");
	vec_each(&p->functions, i)
		if (!cnames_is_part(p->functions.data[i]))
			body_write_function(m, p->functions.data[i]);
	vec_each(&p->handlers, i)
		body_write_handler(m, p->handlers.data[i]);
	samecode_number(m);
	if (has_own_hits(p))
		emit_inline(m);
	samecode_write(m);
	vec_each(&p->probes, i)
		body_write_condition(m, p->probes.data[i]);
	/*
	 * The bodies are nearly all of the file, so the parts before them are inserted.
	 */
	m->w = file;
	writer_raw(m->w, m->tables.text.out.s, m->tables.text.out.len);
	front = m->w->out;
	m->w->out = bodies.out;
	strbuf_prepend(&m->w->out, front.s, front.len);
	strbuf_release(&front);
	tables_release(&m->tables);
}

static bool saves_at_entry(const struct derived *d)
{
	return d->handler->saved.count && probe_is_return(d);
}

/*
 * True: ftrace may call the hit itself. It provides all that the handler reads, and
 * nothing need be done besides.
 */
static bool is_traced(const struct emit_module *m, const struct derived *d)
{
	return m->s->options->runtime == RUNTIME_KERNEL && d->family->traces &&
	       !probe_is_return(d) && !d->in_module && !d->repeats && !d->reads_place;
}

/* True: no handler looks at the stack, where the wrapper would be seen. */
static bool may_wrap(const struct program *p)
{
	vec_each(&p->probes, i)
		if (p->probes.data[i]->reads_place)
			return false;
	return true;
}

/* True: a wrapper of the function may run the return's hit. */
static bool is_wrapped(const struct emit_module *m, const struct derived *d)
{
	return m->s->options->runtime == RUNTIME_KERNEL && d->family->passes_on &&
	       probe_is_return(d) && !d->in_module && !d->repeats && !d->begins_waiting &&
	       !d->reads_registers && !d->handler->saved.count && may_wrap(m->s->program) &&
	       d->family->passes_on(m->s, d);
}

/* Returns the entry that belongs to the return; NULL: there is none. */
static const struct derived *entry_of(const struct emit_module *m, const struct derived *d)
{
	const struct program *p = m->s->program;

	vec_each(&p->probes, i) {
		const struct derived *entry = p->probes.data[i];

		if (is_traced(m, entry) && entry->pfunc && d->pfunc &&
		    !strcmp(entry->pfunc, d->pfunc) && !entry->reads_registers)
			return entry;
	}
	return NULL;
}

static void emit_wrapper(struct emit_module *m, const struct derived *d)
{
	const struct derived *entry = entry_of(m, d);
	unsigned n = d->index;

	writer_line(m->w, "STP_RETURN_OF(hit_%u, returned_%u, %u, handler_%u)", n, n, n,
		    d->handler->index);
	if (entry)
		writer_line(m->w, "STP_ENTRY_WRAPPER_OF(wrapper_%u, traced_%u, returned_%u)", n,
			    entry->index, n);
	else
		writer_line(m->w, "STP_WRAPPER_OF(wrapper_%u, returned_%u)", n, n);
}

/* Emits the table of wrappers. */
static void emit_wrappers(struct emit_module *m)
{
	const struct program *p = m->s->program;

	vec_each(&p->probes, i)
		m->has_wrappers |= is_wrapped(m, p->probes.data[i]);
	if (!m->has_wrappers)
		return;
	writer_line(m->w, "static const struct stp_wrapper wrappers[%zu] = {", p->probes.count);
	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];
		const struct derived *entry = entry_of(m, d);

		if (is_wrapped(m, d) && entry)
			writer_line(m->w, "\t[%u] = STP_WRAPPER(wrapper_%u, &probes[%u]),",
				    d->index, d->index, entry->index);
		else if (is_wrapped(m, d))
			writer_line(m->w, "\t[%u] = STP_WRAPPER(wrapper_%u, NULL),", d->index,
				    d->index);
	}
	writer_line(m->w, "};");
}

/*
 * Emits hit_N and enter_N: the table of probes refers to them, and they refer to that
 * table.
 */
static void emit_own_hits(struct emit_module *m, const struct derived *d, bool declared)
{
	static const char prototype[] = "static bool %s_%u(const struct stp_probe *p, struct "
					"pt_regs *regs, const int64_t *args, int64_t *saved);";
	unsigned n = d->index, h = d->handler->index;

	if (d->family->runs_alone)
		return;
	if (!declared) {
		writer_line(m->w, prototype, "hit", n);
		if (saves_at_entry(d))
			writer_line(m->w, prototype, "enter", n);
		return;
	}
	if (is_traced(m, d))
		writer_line(m->w, "STP_ENTRY_OF(hit_%u, traced_%u, %u, handler_%u)", n, n, n, h);
	else if (is_wrapped(m, d))
		emit_wrapper(m, d);
	else
		writer_line(m->w, "STP_HIT_OF(hit_%u, %u, handler_%u, true)", n, n, h);
	if (saves_at_entry(d))
		writer_line(m->w, "STP_HIT_OF(enter_%u, %u, entry_%u, false)", n, n, h);
}

static void emit_probe_code(struct emit_module *m, const struct derived *d, bool own)
{
	unsigned n = d->index, h = d->handler->index;

	if (d->repeats)
		writer_line(m->w, ".repeat = stp_pages_repeat%s,",
			    d->family->waits ? ""
			    : d->ends_call   ? "_return"
					     : "_function");
	if (d->family->runs_alone || !own)
		writer_line(m->w, ".handler = handler_%u,", h);
	if (d->family->runs_alone)
		return;
	if (own)
		writer_line(m->w, ".hit = hit_%u,", n);
	else
		writer_line(m->w, ".hit = stp_hit,");
	if (saves_at_entry(d) && own)
		writer_line(m->w, ".enter = enter_%u,", n);
	else if (saves_at_entry(d))
		writer_line(m->w, ".entry = entry_%u, .enter = stp_hit_entry,", h);
}

/* Emits the table of the hits that ftrace may call. */
static void emit_traced(struct emit_module *m)
{
	const struct program *p = m->s->program;

	vec_each(&p->probes, i)
		m->has_traced |= is_traced(m, p->probes.data[i]);
	if (!m->has_traced)
		return;
	writer_line(m->w, "static STP_TRACED_TABLE(traced, %zu) = {", p->probes.count);
	vec_each(&p->probes, i) {
		unsigned n = p->probes.data[i]->index;

		if (is_traced(m, p->probes.data[i]))
			writer_line(m->w, "\t[%u] = STP_TRACED(traced_%u),", n, n);
	}
	writer_line(m->w, "};");
}

static void emit_probe_names(struct emit_module *m, const struct derived *d)
{
	if (!d->pn || !strcmp(d->pn, d->pp))
		writer_line(m->w, "STP_NAMED(%s),", quoted(m, d->pp));
	else
		writer_line(m->w, ".pp = %s, .pn = %s,", quoted(m, d->pp), quoted(m, d->pn));
	if (d->pfunc)
		writer_line(m->w, ".function = %s,", quoted(m, d->pfunc));
	if (d->pmodule)
		writer_line(m->w, ".module = %s,", quoted(m, executable_seen(m->s, d->pmodule)));
}

static void emit_probes(struct emit_module *m)
{
	struct program *p = m->s->program;
	bool own = has_own_hits(p);

	vec_each(&p->probes, i)
		p->probes.data[i]->family->emit(m->s, p->probes.data[i], m->w);
	if (own) {
		writer_line(m->w, "#include \"core/hit.h\"");
		vec_each(&p->probes, i)
			emit_own_hits(m, p->probes.data[i], false);
	}
	writer_open(m->w, "static const struct stp_probe probes[] =");
	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];
		unsigned n = d->index;

		writer_open(m->w, "%s", "");
		emit_probe_names(m, d);
		emit_probe_code(m, d, own);
		if (d->of_call)
			writer_line(m->w, ".of_call = true,");
		if (d->of_go)
			writer_line(m->w, ".of_go = true,");
		if (probe_is_return(d))
			writer_line(m->w, ".is_return = true,");
		if (d->unfiltered)
			writer_line(m->w, ".unfiltered = true,");
		if (d->begins_waiting)
			writer_line(m->w, ".begins_waiting = true,");
		if (d->condition)
			writer_line(m->w, ".condition = condition_%u,", n);
		writer_line(m->w, "STP_AT_POINT(%u, stp_family_%s),", n, d->family->name);
		if (lockplan_count(&m->locks, p, i))
			writer_line(m->w, "STP_LOCKS(%u, %u),", m->lock_tables[i],
				    lockplan_count(&m->locks, p, i));
		if (d->handler->row)
			writer_line(m->w, ".row = %u,", d->handler->row);
		writer_close(m->w, ",");
	}
	if (!p->probes.count)
		writer_line(m->w, "{ .pp = \"\" },");
	writer_close(m->w, ";\n");
	for (size_t i = 0; own && i < p->probes.count; i++)
		emit_own_hits(m, p->probes.data[i], true);
	if (own) {
		emit_traced(m);
		emit_wrappers(m);
	}
}

/* True: C functions of the script make text of system calls. */
static bool shows_calls(const struct program *p)
{
	vec_each(&p->functions, i)
		if (p->functions.data[i]->code && strstr(p->functions.data[i]->code, "stp_shown_"))
			return true;
	return false;
}

/* Emits the rows of system calls, by the probes, and the code that they lead to. */
static void emit_rows(struct emit_module *m)
{
	struct program *p = m->s->program;

	if (shows_calls(p))
		writer_line(m->w, "#include \"bpf/callshown.h\"");
	writer_line(m->w, "const struct stp_call *script_call(uint32_t probe)");
	writer_line(m->w, "{");
	writer_open(m->w, "switch (probe)");
	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];
		const struct function_point *f = probe_data(d, &probe_family_syscall);
		const char *row = f ? syscall_row(m->s, f) : NULL;

		if (row)
			writer_line(m->w, "case %u: return &call_%s;", d->index, row);
	}
	writer_close(m->w, "");
	writer_line(m->w, "return 0;");
	writer_line(m->w, "}");
}

/* Emits which kinds of hits there are: entry.h leaves the code of others out. */
static void emit_kinds(struct emit_module *m)
{
	const struct program *p = m->s->program;
	bool kinds[PROBE_HITS_KINDS] = { false }, returns = false;

	vec_each(&p->probes, i) {
		kinds[p->probes.data[i]->family->hits] = true;
		returns |= probe_is_return(p->probes.data[i]);
	}
	writer_line(m->w, "#define SCRIPT_TIMERS %d", kinds[PROBE_HITS_TIMER]);
	writer_line(m->w, "#define SCRIPT_EVENTS %d",
		    kinds[PROBE_HITS_EVENT] || kinds[PROBE_HITS_SYSCALL] ||
			    kinds[PROBE_HITS_PROCESS]);
	writer_line(m->w, "#define SCRIPT_RETURNS %d", returns);
	writer_line(m->w, "#define SCRIPT_SYSCALLS %d", kinds[PROBE_HITS_SYSCALL]);
	writer_line(m->w, "#define SCRIPT_PROCESSES %d", kinds[PROBE_HITS_PROCESS]);
}

static bool has_handler(const struct derived *d)
{
	return true;
}

static bool is_no_event(const struct derived *d)
{
	return d->family->hits != PROBE_HITS_EVENT;
}

/* Returns the place of the last probe from i on whose handlers are all the same. */
static size_t same_handlers(const struct program *p, size_t i,
			    bool (*takes)(const struct derived *d))
{
	const struct derived *first = p->probes.data[i];

	while (i + 1 < p->probes.count && takes(p->probes.data[i + 1]) &&
	       p->probes.data[i + 1]->handler == first->handler &&
	       p->probes.data[i + 1]->index == p->probes.data[i]->index + 1)
		i++;
	return i;
}

/*
 * Emits a call of each probe's handler, or of its entry. The verifier follows each case,
 * so the many probes of a pattern are one.
 */
static void emit_handler_calls(struct emit_module *m, const char *name,
			       bool (*takes)(const struct derived *d))
{
	struct program *p = m->s->program;

	writer_open(m->w, "switch (probe)");
	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];

		if (!takes(d))
			continue;
		i = same_handlers(p, i, takes);
		writer_line(m->w, "case %u ... %u: %s_%u(c); break;", d->index,
			    p->probes.data[i]->index, name, d->handler->index);
	}
	writer_close(m->w, "");
}

/*
 * The largest number of points in the kernel whose hits have code of their own in BPF
 * programs.
 */
#define OWN_EVENTS_MOST 4

/* True: the hits of such points do. A return that saves values has two parts. */
static bool has_own_events(const struct program *p)
{
	unsigned n = 0;

	vec_each(&p->probes, i) {
		n += p->probes.data[i]->family->hits == PROBE_HITS_EVENT;
		if (saves_at_entry(p->probes.data[i]))
			return false;
	}
	return n && n <= OWN_EVENTS_MOST;
}

static void emit_own_events(struct emit_module *m)
{
	const struct program *p = m->s->program;
	long only = -1;
	unsigned n = 0, number = 0;
	bool notes = uses_pragma(p, PRAGMA_TAGGED_DFA); /* which are valid in one hit */

	if (!has_own_events(p))
		return;
	vec_each(&p->probes, i)
		if (p->probes.data[i]->family->hits == PROBE_HITS_EVENT)
			only = n++ ? -1 : (long)p->probes.data[i]->index;
	vec_each(&p->globals, i)
		notes |= p->globals.data[i]->arity == 1 &&
			 p->globals.data[i]->key_types[0] == TYPE_LONG;
	writer_line(m->w, "#define SCRIPT_NOTES %d", notes);
	writer_line(m->w, "#define SCRIPT_OWN_EVENT %ld", only);
	writer_line(m->w, "#define SCRIPT_OWN_EVENTS(EVENT) \\");
	vec_each(&p->probes, i)
		if (p->probes.data[i]->family->hits == PROBE_HITS_EVENT)
			writer_line(m->w, "\tEVENT(%u, %u, handler_%u) \\", number++,
				    p->probes.data[i]->index, p->probes.data[i]->handler->index);
	writer_line(m->w, "%s", "");
}

/* Emits the calls of handlers and conditions, which BPF cannot call through pointers. */
static void emit_calls(struct emit_module *m)
{
	struct program *p = m->s->program;
	bool own = has_own_events(p);

	writer_line(m->w, "#ifdef __bpf__");
	writer_line(m->w, "void script_handler(struct stp_ctx *c, uint32_t probe)");
	writer_line(m->w, "{");
	emit_handler_calls(m, "handler", own ? is_no_event : has_handler);
	writer_line(m->w, "}");
	writer_line(m->w, "void script_entry(struct stp_ctx *c, uint32_t probe)");
	writer_line(m->w, "{");
	emit_handler_calls(m, "entry", saves_at_entry);
	writer_line(m->w, "}");
	writer_line(m->w, "bool script_condition(struct stp_ctx *c, uint32_t probe)");
	writer_line(m->w, "{");
	writer_open(m->w, "switch (probe)");
	vec_each(&p->probes, i)
		if (p->probes.data[i]->condition)
			writer_line(m->w, "case %u: return condition_%u(c);",
				    p->probes.data[i]->index, p->probes.data[i]->index);
	writer_close(m->w, "");
	writer_line(m->w, "return true;");
	writer_line(m->w, "}");
	emit_rows(m);
	emit_kinds(m);
	emit_own_events(m);
	writer_line(m->w, "#include \"bpf/entry.h\"");
	writer_line(m->w, "#endif");
}

static unsigned most_saved(struct emit_module *m)
{
	const struct program *p = m->s->program;
	unsigned most = 0;

	vec_each(&p->handlers, i) {
		unsigned words = body_saved_words(m->s, p->handlers.data[i]);

		most = words > most ? words : most;
	}
	return most;
}

/*
 * Emits the module's name, which the build chooses: by -m here, otherwise by a macro of
 * the compilation.
 */
static void emit_name(struct emit_module *m)
{
	const char *name = m->s->options->module_name;

	if (name) {
		writer_line(m->w, ".name = %s,", quoted(m, name));
		return;
	}
	writer_line(m->w, "#ifdef KBUILD_MODNAME");
	writer_line(m->w, ".name = KBUILD_MODNAME,");
	writer_line(m->w, "#else");
	writer_line(m->w, ".name = \"stap\",");
	writer_line(m->w, "#endif");
}

/* True: a C function of the script asks about namespaces. */
static bool asks_namespaces(const struct session *s)
{
	const struct program *p = s->program;

	if (s->options->runtime != RUNTIME_KERNEL)
		return false;
	vec_each(&p->functions, i)
		if (p->functions.data[i]->code && strstr(p->functions.data[i]->code, "STP_NS"))
			return true;
	return false;
}

/*
 * True: the script runs commands, as system() does. Otherwise no process is started to
 * run them.
 */
static bool runs_commands(const struct program *p)
{
	vec_each(&p->functions, i)
		if (p->functions.data[i]->code && strstr(p->functions.data[i]->code, "stp_command"))
			return true;
	vec_each(&p->embeds, i)
		if (memmem(p->embeds.data[i]->string, p->embeds.data[i]->string_len, "stp_command",
			   strlen("stp_command")))
			return true;
	return false;
}

/*
 * Emits the list of parts that are linked only to scripts that use them. Returns their
 * number.
 */
static size_t emit_parts(struct emit_module *m, bool program_modules, bool source_tables)
{
	const struct program *p = m->s->program;
	bool arrays = false, stats = false;

	vec_each(&p->globals, i) {
		arrays |= p->globals.data[i]->arity > 0;
		stats |= p->globals.data[i]->arity <= 0 && p->globals.data[i]->type == TYPE_STATS;
	}

	const struct {
		const char *name;
		bool used;
	} parts[] = {
		{ "arrays", arrays },
		{ "stats", stats },
		{ "variables", m->tables.variables.count > 0 },
		{ "program_stack", program_modules },
		{ "lines", source_tables },
		{ "namespaces", asks_namespaces(m->s) },
		{ "pages_return", m->puts_off },
	};
	size_t count = 0;

	writer_open(m->w, "static const struct stp_part *const parts[] =");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].used)
			writer_line(m->w, "&stp_%s_part,", parts[i].name);
		count += parts[i].used;
	}
	writer_line(m->w, "NULL");
	writer_close(m->w, ";\n");
	return count;
}

static bool is_in_modules(const struct program *p)
{
	vec_each(&p->probes, i)
		if (p->probes.data[i]->in_module)
			return true;
	return false;
}

/* True: wildcards of functions may mean some that are left out. */
/* BPF programs never set breakpoints for what a wildcard matches. */
static bool leaves_out(struct session *s)
{
	const struct program *p = s->program;

	if (s->options->runtime != RUNTIME_KERNEL)
		return false;
	vec_each(&p->probes, i)
		if (p->probes.data[i]->is_matched && !s->options->all_places)
			return true;
	return false;
}

static void emit_descriptor(struct emit_module *m)
{
	struct program *p = m->s->program;
	bool program_modules = programs_write(m), source_tables = sourcelines_write(m);

	size_t nparts;

	tables_write_variables(&m->tables, m->w);
	if (m->s->options->runtime == RUNTIME_BPF)
		tables_write_fields(&m->tables, m->w);
	nparts = emit_parts(m, program_modules, source_tables);
	writer_open(m->w, "const struct stp_script stp_script =");
	emit_name(m);
	writer_line(m->w, ".probes = probes, .nprobes = %zu,", p->probes.count);
	writer_line(m->w, ".globals = globals, .nglobals = %zu,", p->globals.count);
	if (m->s->options->globals_readable)
		writer_line(m->w, ".snapshot_reader = &stp_snapshot_reader,");
	writer_line(m->w, ".formats = formats, .nformats = %zu,", m->tables.formats.count);
	if (m->tables.variables.count)
		writer_line(m->w, ".variables = variables, .nvariables = %zu,",
			    m->tables.variables.count);
	if (m->s->options->runtime == RUNTIME_BPF)
		writer_line(m->w, ".own_hits = %s,", has_own_events(p) ? "true" : "false");
	writer_line(m->w, ".own_only = %s,",
		    m->s->options->privilege == PRIVILEGE_STAPUSR ? "true" : "false");
	writer_line(m->w, ".frame_pointers = %s,",
		    m->s->options->stack == STACK_FP ? "true" : "false");
	writer_line(m->w, ".is_mangled = %s,", m->s->options->no_demangle ? "true" : "false");
	writer_line(m->w, ".notes_matches = %s,",
		    uses_pragma(p, PRAGMA_TAGGED_DFA) ? "true" : "false");
	writer_line(m->w, ".runs_commands = %s,", runs_commands(p) ? "true" : "false");
	writer_line(m->w, ".parts = parts, .nparts = %zu,", nparts);
	if (program_modules)
		writer_line(m->w, ".program_modules = &program_modules,");
	if (m->s->options->runtime == RUNTIME_KERNEL && is_in_modules(p))
		writer_line(m->w, ".module_symbols = stp_module_symbols,");
	if (leaves_out(m->s))
		writer_line(m->w, ".leave_out = stp_function_leave_out,");
	if (m->has_traced)
		writer_line(m->w, ".traced = traced,");
	if (m->has_wrappers)
		writer_line(m->w, ".wrappers = wrappers, .wrapping = &stp_wrapping,");
	if (source_tables)
		writer_line(m->w, ".source_tables = &source_tables,");
	writer_line(m->w, ".frame_bytes = %" PRIu64 ", .max_saved = %u,", frames_bound(m),
		    most_saved(m));
	writer_open(m->w, ".limits =");
	limits_emit(m->s, m->w, frames_nesting_bound(m));
	writer_close(m->w, ",");
	writer_close(m->w, ";");
}

/* Numbers everything by its position. */
static void number_all(struct program *p)
{
	vec_each(&p->globals, i)
		p->globals.data[i]->index = i;
	vec_each(&p->handlers, i)
		p->handlers.data[i]->index = i;
	vec_each(&p->probes, i)
		p->probes.data[i]->index = i;
}

struct error *module_write(struct session *s, const char **ret)
{
	struct writer w;
	struct emit_module m = { .s = s, .w = &w };
	const char *unknown;

	limits_check(s);
	*ret = "";
	if (s->errors)
		return NULL;
	number_all(s->program);
	cnames_set(s);
	linkparts_begin(s);
	linkparts_writer(s, &w);
	tables_init(&m.tables, s);
	hashmap_init(&m.groups_by_code, s->arena);
	hashmap_init(&m.texts_by_name, s->arena);
	m.varies = !has_own_hits(s->program);
	lockplan_make(&m.locks, s); /* it determines the layout of globals */
	registers_mark(s);
	programreads_mark(&m);
	filterscope_mark(s->program);
	emit_head(&m);
	globals_write(&m);
	if (m.locks.elements.count)
		writer_line(m.w, "#include \"core/shards.h\"\n");
	emit_embeds(&m);
	emit_write_regexes(&m.tables, s->program, m.w);
	emit_bodies(&m);
	locks_write(&m);
	emit_probes(&m);
	if (m.s->options->runtime == RUNTIME_BPF)
		emit_calls(&m);
	globals_write_table(&m);
	emit_write_formats(&m.tables, m.w);
	emit_descriptor(&m);
	emit_set_lines(w.out.s);
	*ret = w.out.s;
	unknown = linkparts_end(s);
	return unknown ? error_create(s->arena, ERROR_SCRIPT,
				      "%s is written into the C file, and not in "
				      "runtime/parts.def",
				      unknown)
		       : NULL;
}

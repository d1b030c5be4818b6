/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.begin .end .thread.begin .thread.end .syscall .syscall.return: for all
 * programs, for process("PATH"), for process(PID). This reads no debuginfo: the runtime
 * compares the file that a process executes.
 */
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "probe/which_program.h"

extern const struct probe_family probe_family_process;

struct variable {
	const char *name;
	bool is_local; /* left out of $$parms */
};

static const struct variable of_syscall[] = { { "$syscall", true }, { "$arg1", false },
					      { "$arg2", false },   { "$arg3", false },
					      { "$arg4", false },   { "$arg5", false },
					      { "$arg6", false },   { 0 } };
static const struct variable of_return[] = { { "$syscall", true }, { "$return", false }, { 0 } };
static const struct variable none[] = { { 0 } };

/* The events, in the order in which the runtime passes them as arguments. */
struct event {
	const char *words[2];
	const char *name; /* enum stp_process_event */
	const struct variable *variables;
};

static const struct event events[] = {
	{ { "begin", NULL }, "STP_PROCESS_BEGIN", none },
	{ { "end", NULL }, "STP_PROCESS_END", none },
	{ { "thread", "begin" }, "STP_THREAD_BEGIN", none },
	{ { "thread", "end" }, "STP_THREAD_END", none },
	{ { "syscall", "return" }, "STP_SYSCALL_RETURN", of_return },
	{ { "syscall", NULL }, "STP_SYSCALL", of_syscall },
};

/* The family's derived->data. */
struct process {
	const struct event *event;
	const char *path; /* the program's path; NULL: any program */
	int64_t pid;
	bool optional;
};

/* ---- points ---- */

/*
 * Returns the number of components of the event's name; 0: the point is not for this
 * event.
 */
static unsigned length_of(const struct event *e, const struct point *p)
{
	unsigned n = 0;

	while (n < 2 && e->words[n]) {
		const struct component *c = probe_component(p, 1 + n);

		if (!c || strcmp(c->name, e->words[n]))
			return 0;
		n++;
	}
	return n;
}

static const struct event *find_event(const struct point *p, unsigned *length)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		*length = length_of(&events[i], p);
		if (*length)
			return &events[i];
	}
	return NULL;
}

static struct error *check_rest(struct session *s, const struct point *p, unsigned length)
{
	const struct component *c;

	for (unsigned i = 1; i <= length; i++) {
		c = probe_component(p, i);
		if (c->arg_kind != ARG_NONE)
			return probe_wrong(s, "'.%s' of a process takes nothing in parentheses",
					   c->name);
	}
	c = probe_component(p, 1 + length);
	return c ? probe_wrong(s, "nothing can follow as '.%s' here", c->name) : NULL;
}

static void add(struct session *s, const struct point *p, const struct event *e,
		const struct program_file *of, derived_list *ret)
{
	const struct component *c = probe_component(p, 0);
	struct process *data = arena_new(s->arena, struct process);
	struct derived *d = probe_derived_new(s, &probe_family_process, p, ret);

	*data = (struct process){ .event = e, .optional = p->optional || which_program_is_glob(p) };
	if (c->arg_kind == ARG_NUMBER)
		data->pid = c->number;
	if (of) {
		data->path = of->file->seen;
		d->pp = arena_printf(s->arena, "%s.%s%s%s", of->prefix, e->words[0],
				     e->words[1] ? "." : "", e->words[1] ? e->words[1] : "");
	}
	d->data = data;
}

static struct error *add_programs(struct session *s, const struct point *p, const struct event *e,
				  derived_list *ret)
{
	program_files files = { 0 };
	unsigned next;
	struct error *err = which_program_find(s, p, &next, &files);

	if (err)
		return err;
	vec_each(&files, i)
		add(s, p, e, &files.data[i], ret);
	return NULL;
}

/*
 * Refuses a process that does not exist: its events would never come. A guest and other
 * machines have processes of their own.
 */
static struct error *check_process(struct session *s, int64_t pid)
{
	if (pid < 1)
		return probe_wrong(s, "process(%lld): processes are numbered from 1",
				   (long long)pid);
	if (s->options->vm || s->options->remotes.count || *executable_tree(s))
		return NULL;
	return lookup_process_exists(s, pid);
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *c = probe_component(p, 0);
	const struct event *e;
	unsigned length;
	struct error *err;

	if (strcmp(c->name, "process"))
		return NULL;
	e = find_event(p, &length);
	if (!e)
		return NULL;
	err = check_rest(s, p, length);
	if (!err && c->arg_kind == ARG_NUMBER)
		err = check_process(s, c->number);
	if (err)
		return err;
	if (c->arg_kind == ARG_STRING)
		return add_programs(s, p, e, ret);
	add(s, p, e, NULL, ret);
	return NULL;
}

/* ---- target variables ---- */

static struct error *unknown(struct session *s, const struct process *data, const char *name)
{
	const struct variable *v = data->event->variables;
	struct strbuf list;

	if (!v->name)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': only .syscall and .syscall.return of a process have "
				    "target variables",
				    name);
	if (v == of_return && !strncmp(name, "$arg", 4))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': the arguments are known at .syscall, not at "
				    ".syscall.return; keep them by tid()",
				    name);
	strbuf_init(&list, s->arena);
	for (const struct variable *i = v; i->name; i++)
		strbuf_addf(&list, "%s%s", i > v ? ", " : "", i->name);
	return error_create(s->arena, ERROR_ABSENT,
			    "a process's %s has no variable '%s'; it has %s",
			    v == of_return ? ".syscall.return" : ".syscall", name, list.s);
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	const struct process *data = d->data;
	struct access *a = arena_new(s->arena, struct access);
	struct error *err = NULL;

	a->base = ACCESS_TRACE_ARG;
	a->c_type = "long";
	for (const struct variable *v = data->event->variables;
	     v->name && strcmp(v->name, n->target_name); v++)
		a->number++;
	if (!data->event->variables[a->number].name)
		err = unknown(s, data, n->target_name);
	else if (n->path.count)
		err = error_create(
			s->arena, ERROR_SCRIPT,
			"'%s' is a number: give a pointer's type with @cast(%s, \"TYPE\")",
			n->target_name, n->target_name);
	else if (n->address_of)
		err = error_create(s->arena, ERROR_SCRIPT, "'%s' has no address", n->target_name);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	const struct process *data = d->data;

	for (const struct variable *v = data->event->variables; v->name; v++) {
		struct target_variable one = { v->name, "long", v->is_local, false, false };

		vec_push(s->arena, ret, one);
	}
}

/* ---- emission ---- */

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct process *data = d->data;
	struct strbuf b;

	strbuf_init(&b, s->arena);
	if (data->path) {
		strbuf_adds(&b, ", .path = ");
		strbuf_addquoted(&b, data->path, strlen(data->path));
	}
	if (data->pid)
		strbuf_addf(&b, ", .pid = %lld", (long long)data->pid);
	if (data->optional)
		strbuf_adds(&b, ", .optional = true");
	writer_line(w, "static const struct stp_point_process point_%u = { .event = %s%s };",
		    d->index, data->event->name, b.s);
}

#define FORMS(of)                                                                                  \
	of ".begin\n" of ".end\n" of ".thread.begin\n" of ".thread.end\n" of ".syscall\n" of       \
	   ".syscall.return"

PROBE_FAMILY(process, FORMS("process") "\n" FORMS("process(string)") "\n" FORMS("process(number)"),
	     .resolve = resolve, .target = target, .vars = vars, .emit = emit, .bpf_runtime = true,
	     .whole_names = true, .hits = PROBE_HITS_PROCESS);

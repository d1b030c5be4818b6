/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as functions. "sys_read" has not been a kernel function since 4.17: the
 * call is entered through an entry point with the architecture's name, as in
 * __…_sys_read(regs), from 32-bit programs through others. The old name means all entries
 * that the kernel has; parameters come from the call's prototype and are read from regs.
 */
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "ast/program.h"
#include "base/diag.h"
#include "lib/error.h"
#include "ast/program.h"
#include "lib/hashmap.h"
#include "base/session.h"
#include "lib/strbuf.h"
#include "base/writer.h"
#include "lib/glob.h"
#include "drift/drift.h"
#include "base/options.h"
#include "kernel/config.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "probe/function/function.h"
#include "probe/function/parameterdrift.h"
#include "types/member.h"
#include "types/syscalls.h"
#include "types/types.h"

/* Names of functions of calls: before 4.17 the bodies of some had names of their own. */
static const struct old_prefix {
	const char *prefix;
	bool is_compat; /* of 32-bit programs alone */
	bool is_body;
} old_prefixes[] = {
	{ .prefix = "sys_" },
	{ .prefix = "SyS_" },
	{ .prefix = "SYSC_", .is_body = true },
	{ .prefix = "compat_sys_", .is_compat = true },
	{ .prefix = "compat_SyS_", .is_compat = true },
	{ .prefix = "C_SYSC_", .is_compat = true, .is_body = true },
};

static const struct old_prefix *prefix_of(const char *pattern)
{
	for (size_t i = 0; i < sizeof(old_prefixes) / sizeof(old_prefixes[0]); i++)
		if (!strncmp(pattern, old_prefixes[i].prefix, strlen(old_prefixes[i].prefix)))
			return &old_prefixes[i];
	return NULL;
}

bool syscall_is_pattern(const char *pattern)
{
	return prefix_of(pattern) != NULL;
}

/* Makes a point the entry of a call. A bare one stays bare: it has no variables. */
static void enter_call(struct function_point *f, const struct kernel_syscall *call, bool is_compat)
{
	f->syscall = call;
	f->is_compat = is_compat;
	if (!f->ops->is_bare)
		f->ops = &point_syscall_ops;
}

/*
 * True: calls are found by their numbers. In BPF programs this is so for all of them,
 * because tracepoints cost less than probes in functions, and more kernels allow them.
 */
static bool goes_by_number(struct session *s)
{
	return s->options->runtime == RUNTIME_BPF || syscalls_may_be_inlined(s);
}

static void add_entry(const struct lookup *l, const struct kernel_syscall *call, const char *entry,
		      bool is_compat)
{
	struct function_point f = *l->template;

	f.fn = (struct kernel_function){ .name = entry, .symbol = entry, .btf = call->btf };
	enter_call(&f, call, is_compat);
	f.is_twin = is_compat && call->entry;
	f.by_number = goes_by_number(l->s);
	function_add(l, &f)->of_call = true;
}

static struct error *absent(struct session *s, const char *pattern, const char *name)
{
	const char *const *names;
	size_t count;
	const char *near =
		syscalls_names(s, &names, &count) ? NULL : diag_near(s, name, names, count);

	return error_create(s->arena, ERROR_ABSENT, "no system call '%s' in kernel %s%s%s", pattern,
			    s->kernel->release, near ? "; did you mean the call " : "",
			    near ? near : "");
}

static struct error *resolve_one(const struct lookup *l, const char *name)
{
	struct kernel_syscall *call = arena_new(l->s->arena, struct kernel_syscall);
	struct error *err = syscalls_find(l->s, name, call);
	bool compat_only = prefix_of(l->pattern)->is_compat;

	if (err)
		return err;
	if (compat_only && !call->compat_entry)
		return absent(l->s, l->pattern, name);
	if (call->entry && !compat_only)
		add_entry(l, call, call->entry, false);
	if (call->compat_entry)
		add_entry(l, call, call->compat_entry, true);
	return NULL;
}

static bool names_call(const struct point *p, const char *call)
{
	vec_each(&p->components, i) {
		const struct component *c = &p->components.data[i];

		if (strstr(c->name, call) || (c->arg_kind == ARG_STRING && strstr(c->string, call)))
			return true;
	}
	return false;
}

/* True: the script itself has a probe of that call. */
static bool script_names(struct session *s, const char *call)
{
	vec_each(&s->program->units, i)
		vec_each(&s->program->units.data[i]->probes, k)
			vec_each(&s->program->units.data[i]->probes.data[k]->points, j)
				if (names_call(s->program->units.data[i]
						       ->probes.data[k]
						       ->points.data[j],
					       call))
					return true;
	return false;
}

/*
 * Adds the twin of a call: programs that call open() have entered through sys_openat for
 * years. Scripts that do not know this mean both. The library's points mean only one, and
 * so do kprobes, whose arguments are numbered.
 */
static void resolve_twin(const struct lookup *l, const char *name)
{
	struct session *s = l->s;
	const struct drift *row =
		s->options->list || l->template->decoded || l->template->ops->is_bare
			? NULL
			: drift_call(s->arena, name);

	const char *now = row ? row->now.data[0].name : NULL;

	if (now && !script_names(s, now) && !resolve_one(l, now))
		diag_taken(s, probe_component(l->p, 1)->arg_loc,
			   "programs call sys_%s for %s() %s; it is probed as well", now, name,
			   drift_story(s->arena, row));
}

/* Reports the present meaning of a name from kernels 3.8 to 4.16. */
static void say_body(const struct lookup *l, const struct old_prefix *prefix, const char *name)
{
	if (prefix->is_body || prefix->is_compat)
		diag_taken(
			l->s, probe_component(l->p, 1)->arg_loc,
			"'%s' has been no function since 4.17; the entry of the system call '%s' "
			"%sis probed",
			l->pattern, name, prefix->is_compat ? "for 32-bit programs " : "");
}

struct error *syscall_resolve(const struct lookup *l)
{
	struct session *s = l->s;
	const struct old_prefix *prefix = prefix_of(l->pattern);
	const char *name = l->pattern + strlen(prefix->prefix);
	const char *const *names;
	size_t count, before = l->ret->count;
	struct error *err;

	if (!glob_is(name)) {
		err = resolve_one(l, name);
		if (!err && !prefix->is_compat)
			resolve_twin(l, name);
		if (!err)
			say_body(l, prefix, name);
		return err && err->kind == ERROR_ABSENT ? absent(s, l->pattern, name) : err;
	}

	struct glob g = glob_make(name);

	err = syscalls_names(s, &names, &count);
	for (size_t i = 0; !err && i < count; i++)
		if (glob_match(&g, names[i]))
			err = resolve_one(l, names[i]);
	if (!err && l->ret->count == before)
		err = error_create(s->arena, ERROR_ABSENT,
				   "no system call matches '%s' in kernel %s", l->pattern,
				   s->kernel->release);
	return err;
}

/* Warns that the function that the script names may never be entered. */
static void say_inlined(const struct lookup *l, const struct kernel_syscall *call)
{
	struct session *s = l->s;

	if (s->options->list || s->listener || glob_is(l->pattern))
		return;
	diag_warning(s, probe_component(l->p, 1)->arg_loc,
		     "kernel %s is linked with optimisation (LTO): the entry of a system call may "
		     "be inlined, and then this function is never entered; "
		     "kernel.function(\"sys_%s\") sees the calls",
		     s->kernel->release, call->name);
}

void syscall_recognise(const struct lookup *l, struct function_point *f)
{
	struct session *s = l->s;

	if (f->fn.module || f->fn.params.count != 1)
		return;
	for (const struct arch_entry *e = arch_of(s)->syscalls->entries; e->prefix; e++) {
		size_t n = strlen(e->prefix);

		if (strncmp(f->fn.name, e->prefix, n))
			continue;

		struct kernel_syscall *call = arena_new(s->arena, struct kernel_syscall);

		if (syscalls_find(s, f->fn.name + n, call))
			return;
		enter_call(f, call, e->is_compat);
		f->by_number = s->options->runtime == RUNTIME_BPF ||
			       (f->decoded && syscalls_may_be_inlined(s));
		if (!f->by_number && syscalls_may_be_inlined(s))
			say_inlined(l, call);
		return;
	}
}

/*
 * Returns an argument's size. A long of a 32-bit program has 32 bits; long long types
 * (loff_t) never come in one register there.
 */
static unsigned size_of(const struct function_point *f, size_t i)
{
	const struct kernel_syscall *call = f->syscall;

	return f->is_compat && call->sizes.data[i] > 4 ? 4 : call->sizes.data[i];
}

static struct error *access_param(const struct parameterdrift *d, size_t i, const path_steps *path,
				  bool address_of)
{
	const struct function_point *f = d->point;
	const struct kernel_syscall *call = f->syscall;
	struct session *s = d->s;
	struct access *a = d->a;
	const struct kernel_param *p = &call->params.data[i];
	struct access_step cut = { .kind = ACCESS_TRUNCATE,
				   .size = size_of(f, i),
				   .is_signed = call->is_signed.data[i] };
	struct path_start start = { .btf = call->btf, .type_id = p->type_id, .place = PATH_VALUE };

	a->base = ACCESS_SYSCALL_ARG;
	a->number = i;
	if (cut.size < 8)
		vec_push(s->arena, &a->steps, cut);
	/* Pointers among a system call's arguments lead to the program's memory. */
	a->user = true;
	if (!p->type_id && (path->count || address_of))
		return error_create(s->arena, ERROR_SCRIPT,
				    "the type '%s' of '%s' is not known to BTF: only its value can "
				    "be read; use @cast",
				    call->c_types.data[i], d->n->target_name);

	struct error *err = p->type_id ? member_follow(s, &start, path, address_of, a) : NULL;

	if (!err && !path->count)
		a->c_type = call->c_types.data[i];
	return err;
}

/* Returns the parameter's place among the call's, or -1. */
static int param_called(const struct kernel_syscall *call, const char *name)
{
	vec_each(&call->params, i)
		if (!strcmp(call->params.data[i].name, name))
			return (int)i;
	return -1;
}

static bool follow_drift(struct parameterdrift *d, const char *name, const path_steps *path,
			 bool address_of)
{
	const struct function_point *f = d->point;
	int i = param_called(f->syscall, name);

	if (i < 0)
		return false;
	d->hindered = access_param(d, (size_t)i, path, address_of);
	return !d->hindered;
}

static struct error *unknown_param(struct session *s, const struct kernel_syscall *call,
				   const char *name)
{
	VEC(const char *) names = { 0 };
	const char *near;

	vec_each(&call->params, i)
		vec_push(s->arena, &names,
			 arena_printf(s->arena, "$%s", call->params.data[i].name));
	near = names.count ? diag_near(s, name, names.data, names.count) : NULL;
	return error_create(s->arena, ERROR_ABSENT,
			    "the system call '%s' has no parameter '%s'%s%s", call->name, name,
			    near ? "; did you mean " : "", near ? near : "");
}

static struct error *access_call(struct session *s, struct function_point *f, const struct node *n,
				 struct access *a)
{
	const struct kernel_syscall *call = f->syscall;
	struct kernel_function like = { .name = f->fn.name, .btf = call->btf };
	struct parameterdrift d = {
		.s = s,
		.key = arena_printf(s->arena, "sys_%s", call->name),
		.subject = arena_printf(s->arena, "the system call '%s'", call->name),
		.own_only = true,
		.n = n,
		.a = a,
		.follow = follow_drift,
		.point = f,
	};
	int i = param_called(call, n->target_name + 1);

	if (!strcmp(n->target_name, "$return") && f->suffix.is_return) {
		like.return_type = types_known(s, "long");
		return calling_return(s, &like, &n->path, n->address_of, a);
	}
	if (i >= 0)
		return access_param(&d, (size_t)i, &n->path, n->address_of);
	if (parameterdrift_find(&d))
		return NULL;
	return d.hindered ? d.hindered : unknown_param(s, call, n->target_name);
}

static void call_vars(struct session *s, struct function_point *f, target_variables *ret)
{
	const struct kernel_syscall *call = f->syscall;

	place_locals(s, f, ret);
	vec_each(&call->params, i) {
		struct target_variable v = { arena_printf(s->arena, "$%s",
							  call->params.data[i].name),
					     call->c_types.data[i], false, false, false };

		vec_push(s->arena, ret, v);
	}
}

static uint32_t call_return_type(struct session *s, struct function_point *f)
{
	return types_known(s, "long");
}

POINT_OPS(syscall, access_call, call_vars, call_return_type, functionpoint_emit_symbol);

/* ---- texts ---- */

/*
 * True: a function of the tapset reads rows. Rows refer to the kinds of arguments; these
 * are in a part of the runtime that is linked only for such functions (build/objects.c).
 */
static bool asks_for_texts(struct session *s)
{
	vec_each(&s->program->functions, i) {
		const struct function *f = s->program->functions.data[i];

		if (!strncmp(f->name, "_call_", 6) && f->code && strstr(f->code, "stp_shown_"))
			return true;
	}
	return false;
}

/* Returns the enum stp_call_type of a kind, without its prefix. */
static const char *kind_type(const char *kind, size_t len)
{
	static const struct {
		const char *name, *type;
	} kinds[] = {
#include "kinds.inc"
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(kinds[i].name, kind, len) && !kinds[i].name[len])
			return kinds[i].type;
	return "TYPES"; /* no such kind: the module is not linked either */
}

/*
 * Emits the row of "read int bytes_out ulong": .name = "read", .name_len = 4, .nargs = 3,
 * .types = { STP_CALL_INT, … }, .args = { &stp_kind_int, … }
 */
static void emit_row(struct session *s, const char *text, const char *row, struct writer *w)
{
	size_t len = strcspn(text, " "), n = 0;
	struct strbuf args, types;

	strbuf_init(&args, s->arena);
	strbuf_init(&types, s->arena);
	writer_line(w, "#ifndef CALL_%s\n#define CALL_%s", row, row);
	for (const char *p = text + len; *p; n++) {
		p++;
		size_t word = strcspn(p, " ");

		if (s->options->runtime != RUNTIME_BPF)
			writer_line(w, "extern const struct stp_kind stp_kind_%.*s;", (int)word, p);
		strbuf_addf(&args, "%s&stp_kind_%.*s", n ? ", " : "", (int)word, p);
		strbuf_addf(&types, "%sSTP_CALL_%s", n ? ", " : "", kind_type(p, word));
		p += word;
	}
	writer_line(w,
		    "static const struct stp_call call_%s STP_LOCAL(call_%s) = { .name = \"%.*s\", "
		    ".name_len = %zu, .nargs = %zu, .types = { %s }, .args = { %s } };",
		    row, row, (int)len, text, len, n, types.s ? types.s : "", args.s ? args.s : "");
	writer_line(w, "#endif");
}

const char *syscall_row(struct session *s, const struct function_point *f)
{
	if (!f->decoded || !asks_for_texts(s))
		return NULL;
	return arena_printf(s->arena, "%016llx", (unsigned long long)hashmap_hash(f->decoded));
}

void syscall_emit(struct session *s, const struct function_point *f, struct writer *w,
		  struct strbuf *point)
{
	const char *row = syscall_row(s, f);

	if (!row)
		return;
	if (s->options->runtime == RUNTIME_BPF) {
		writer_line(w, "#ifdef __bpf__\n#include \"bpf/callshown.h\"");
		emit_row(s, f->decoded, row, w);
		writer_line(w, "#endif");
	} else {
		emit_row(s, f->decoded, row, w);
		strbuf_addf(point, ", .call = &call_%s", row);
	}
	for (const struct arch_entry *e = arch_of(s)->syscalls->entries; e->prefix; e++)
		if (e->is_narrow && !strncmp(f->fn.name, e->prefix, strlen(e->prefix)))
			strbuf_adds(point, ", .is_narrow = true");
}

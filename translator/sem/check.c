/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of the whole program beyond types: bodies by the constructs' own checks
 * (lang/checking.h), points by their privilege, functions in C.
 */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/ops.h"
#include "probe/probe.h"
#include "sem/kernelnames.h"
#include "sem/sem.h"

/* ---- points: uapi/privilege.h ---- */

static const struct {
	const char *begins;
	enum stp_privilege least;
} least_for_points[] = {
#define POINTS(begins, least) { begins, PRIVILEGE_##least },
	STP_PRIVILEGE_POINTS(POINTS)
#undef POINTS
};

/*
 * True: the point begins with the components: "timer.profile" fits timer.profile.tick,
 * but not timer.profiles.
 */
static bool begins_with(const char *point, const char *begins)
{
	size_t len = strlen(begins);

	return !len || (!strncmp(point, begins, len) && (!point[len] || strchr(".(", point[len])));
}

static void check_point(struct checking *ck, const struct derived *d)
{
	size_t i = 0;

	while (!begins_with(d->pp, least_for_points[i].begins))
		i++;
	checking_need_level(ck, d->loc, least_for_points[i].least,
			    arena_printf(ck->in.s->arena, "'%s'", d->pp));
}

/* ---- functions in C ---- */

/* Finds a global that C has no type for. */
static void note_aggregate(struct symbol *sym, unsigned use, void *ctx)
{
	const struct symbol **aggregate = ctx;

	(void)use;
	if (sym->type == TYPE_STATS)
		*aggregate = sym;
}

static void check_c_globals(struct checking *ck, struct function *f)
{
	const struct symbol *aggregate = NULL;

	uses_visit_function(ck->in.s->program, f, note_aggregate, &aggregate);
	if (aggregate)
		typing_error(&ck->in, f->code_loc,
			     "'%s' is an aggregate, which C can neither read "
			     "nor set; pass its values as arguments, @count(%s%s)",
			     aggregate->name, aggregate->name, aggregate->arity > 0 ? "[…]" : "");
}

/* True: some probe can be hit while a task other than the run's process is running. */
static bool has_events(const struct session *s)
{
	vec_each(&s->program->probes, i)
		if (!s->program->probes.data[i]->family->user_runtime)
			return true;
	return false;
}

/* ---- functions that BPF programs lack ---- */

struct call_search {
	const struct program *p;
	struct arena *arena;
	const struct function *f;
	const struct node *call; /* of f */
	VEC(const struct function *) seen;
};

/* True for what @probewrite has become where a script does not change the variable. */
static bool is_never(const struct node *cond)
{
	return cond->kind == NODE_LOGICAL && cond->op == OP_LAND
		       ? is_never(cond->lhs)
		       : cond->kind == NODE_NUMBER && !cond->number;
}

/* True: the call means the function, perhaps after others with as many parameters. */
static bool may_call(const struct node *n, const struct function *f)
{
	const struct function *g = n->kind == NODE_CALL ? n->function : NULL;

	while (g && (g != f || g->params.count != node_count(n->list)))
		g = g->overload;
	return g;
}

static int find_call(struct node *n, void *ctx)
{
	struct call_search *search = ctx;

	if (n->kind == NODE_IF && !n->els && is_never(n->cond))
		return 1;
	if (!may_call(n, search->f))
		return 0;
	search->call = n;
	return -1;
}

static const struct node *call_in(struct call_search *search, struct node *body,
				  const struct function *f)
{
	search->f = f;
	search->call = NULL;
	if (body)
		ast_walk(body, find_call, NULL, search);
	return search->call;
}

static const struct node *call_in_handler(struct call_search *search, const struct handler *h,
					  const struct function *f)
{
	const struct node *ret = call_in(search, h->body, f);

	for (size_t i = 0; !ret && i < h->saved.count; i++)
		ret = call_in(search, h->saved.data[i], f);
	return ret;
}

/*
 * Finds the place in the script from where the function is called, directly or not: a
 * call, or a point whose alias calls it. False: no call of it is left.
 */
static bool find_caller(struct call_search *search, const struct function *f, struct node *ret)
{
	const struct node *call = NULL;

	vec_each(&search->seen, i)
		if (search->seen.data[i] == f)
			return false;
	vec_push(search->arena, &search->seen, f);
	vec_each(&search->p->handlers, i) {
		const struct handler *h = search->p->handlers.data[i];

		call = call_in_handler(search, h, f);
		if (!call)
			continue;
		*ret = *call;
		ret->loc = call->loc.source->is_tapset ? h->loc : call->loc;
		return true;
	}
	vec_each(&search->p->functions, i) {
		const struct function *g = search->p->functions.data[i];

		call = call_in(search, g->body, f);
		if (!call || !find_caller(search, g, ret))
			continue;
		if (!call->loc.source->is_tapset)
			*ret = *call;
		return true;
	}
	return false;
}

/* Reports the script's call of the function, if one is left. */
static void lacks_in_bpf(struct checking *ck, const struct function *f, const char *what)
{
	struct session *s = ck->in.s;
	struct call_search search = { .p = s->program, .arena = s->arena };
	struct node call;

	if (find_caller(&search, f, &call))
		typing_error(&ck->in, call.loc,
			     "%s() needs a module, --runtime=kernel: --runtime=bpf %s", call.name,
			     what);
}

/*
 * Parts of the runtime that BPF programs lack, by the beginnings of names in C functions.
 * Some only points in the kernel need: elsewhere there is nothing to look at.
 */
static const struct {
	const char *begins, *what;
	bool at_points;
	unsigned pragma; /* or by this one of theirs */
} lacking_in_bpf[] = {
	{ "stp_program_", "stacks and symbols of programs", true, PRAGMA_USER_SYMBOLS },
	{ NULL, "source lines of the kernel", true, PRAGMA_SOURCE_LINES },
	{ "stp_user_register", "registers of the program at a point in the kernel", true, 0 },
	{ "stp_thread_pointer", "variables of threads", false, 0 },
	{ "stp_return_address", "return addresses", false, 0 },
	{ "stp_store", "writing to memory", false, 0 },
	{ "stp_set_arg(", "writing to arguments", false, 0 },
	{ "store_kderef", "writing to memory", false, 0 },
	{ "_stp_kmalloc", "memory for C", false, 0 },
	{ "_stp_kzalloc", "memory for C", false, 0 },
	{ "_stp_vzalloc", "memory for C", false, 0 },
};

/* Returns whether it is refused. */
static bool check_bpf_calls(struct checking *ck, const struct function *f)
{
	if (ck->in.s->options->runtime != RUNTIME_BPF)
		return false;
	for (size_t i = 0; i < sizeof(lacking_in_bpf) / sizeof(lacking_in_bpf[0]); i++) {
		bool has = lacking_in_bpf[i].pragma & f->pragmas ||
			   (lacking_in_bpf[i].begins && strstr(f->code, lacking_in_bpf[i].begins));

		if (!has || (lacking_in_bpf[i].at_points && !has_events(ck->in.s)))
			continue;
		lacks_in_bpf(ck, f,
			     arena_printf(ck->in.s->arena, "has no %s", lacking_in_bpf[i].what));
		return true;
	}
	return false;
}

/*
 * Refuses a function that asks the kernel in a module, but the process of the run
 * elsewhere: this process knows nothing about the task that a BPF program runs for.
 */
static void check_bpf_function(struct checking *ck, const struct function *f)
{
	if (ck->in.s->options->runtime != RUNTIME_BPF || !has_events(ck->in.s) ||
	    strstr(f->code, "__bpf__") ||
	    (!strstr(f->code, "__KERNEL__") && !kernelnames_used(ck->in.s->program, f->code)))
		return;
	lacks_in_bpf(ck, f, "cannot do this yet at points in the kernel and in programs");
}

static void check_c_function(struct checking *ck, struct function *f)
{
	/* For a list of points, functions do not matter. */
	if (!ck->in.s->options->list && !check_bpf_calls(ck, f))
		check_bpf_function(ck, f);
	if ((f->pragmas & (PRAGMA_STABLE | PRAGMA_PURE)) == PRAGMA_STABLE)
		typing_error(&ck->in, f->code_loc,
			     "a function that is 'stable' has to be 'pure' as well");
	if (f->pragmas & PRAGMA_BPF)
		typing_error(&ck->in, f->code_loc,
			     "'%s()' is written for eBPF, a runtime that this stap does not have",
			     f->name);
	check_c_globals(ck, f);
}

/* ---- the whole program ---- */

static void check_functions(struct checking *ck)
{
	vec_each(&ck->in.s->program->functions, i) {
		struct function *f = ck->in.s->program->functions.data[i];

		ck->is_in_library = f->source->is_tapset;
		if (f->body && f->used)
			checking_node(ck, f->body);
		else if (!f->body)
			check_c_function(ck, f);
	}
	ck->is_in_library = false;
}

/* Returns what --runtime=bpf lacks for the point; "": a module; NULL: nothing. */
static const char *bpf_lacks(const struct derived *d)
{
	const struct probe_family *f = d->family;
	const char *ret = f->bpf_obstacle ? f->bpf_obstacle(d) : NULL;

	return ret || f->bpf_runtime || f->user_runtime ? ret : "";
}

static void check_runtime(struct checking *ck, const struct derived *d)
{
	enum runtime_kind runtime = ck->in.s->options->runtime;
	const char *lacks = runtime == RUNTIME_BPF ? bpf_lacks(d) : "";

	if (runtime == RUNTIME_KERNEL || d->family->user_runtime || !lacks)
		return;
	if (*lacks)
		typing_error(&ck->in, d->loc, "'%s': --runtime=bpf has no %s", d->pp, lacks);
	else
		typing_error(&ck->in, d->loc, "'%s' needs a module; %s has begin, end, error%s",
			     d->pp, options_runtime(runtime),
			     runtime == RUNTIME_BPF ? ", timer and perf probes, and points in the "
						      "kernel and in programs"
						    : " and timer probes");
}

/* A list has those points that the runtime can probe, unless there are none. */
static void drop_refused(struct session *s)
{
	struct program *p = s->program;
	size_t n = 0;

	if (s->options->runtime != RUNTIME_BPF || !s->options->list)
		return;
	vec_each(&p->probes, i)
		n += !bpf_lacks(p->probes.data[i]);
	if (!n)
		return;
	n = 0;
	vec_each(&p->probes, i)
		if (!bpf_lacks(p->probes.data[i]))
			p->probes.data[n++] = p->probes.data[i];
	p->probes.count = n;
}

void sem_check(struct session *s)
{
	struct program *p = s->program;
	struct checking ck = { .in = { .s = s, .reported = &p->reported } };

	drop_refused(s);
	checking_mark(s);
	check_functions(&ck);
	vec_each(&p->handlers, i)
		checking_node(&ck, p->handlers.data[i]->body);
	vec_each(&p->probes, i) {
		check_runtime(&ck, p->probes.data[i]);
		check_point(&ck, p->probes.data[i]);
		if (p->probes.data[i]->condition)
			checking_node(&ck, p->probes.data[i]->condition);
	}
}

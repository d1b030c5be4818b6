/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks beyond types: where statements may stand, what a loop may not change, and what
 * needs -g.
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/hashmap.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "base/options.h"
#include "probe/probe.h"
#include "sem/sem.h"

struct check {
	struct infer in;                 /* for messages given once */
	unsigned loops;
	VEC(const struct symbol *) iterated; /* arrays of the foreach loops around */
};

static bool is_user(struct loc loc)
{
	return loc.source && !loc.source->is_tapset;
}

static void parser_need_guru(struct check *ck, struct loc loc, const char *what)
{
	if (is_user(loc) && !ck->in.s->options->guru)
		typing_error(&ck->in, loc, "%s; it needs stap -g", what);
}

/* ---- privilege: uapi/privilege.h ---- */

static const enum stp_privilege least_for_use[PRIVILEGE_USE_COUNT] = {
#define USE(name, least) [PRIVILEGE_USE_##name] = PRIVILEGE_##least,
	STP_PRIVILEGE_USES(USE)
#undef USE
};

static const struct {
	const char *begins;
	enum stp_privilege least;
} least_for_points[] = {
#define POINTS(begins, least) { begins, PRIVILEGE_##least },
	STP_PRIVILEGE_POINTS(POINTS)
#undef POINTS
};

static void need_level(struct check *ck, struct loc loc, enum stp_privilege least, const char *what)
{
	enum stp_privilege level = ck->in.s->options->privilege;

	if (level < least)
		typing_error(&ck->in, loc, "%s is not for --privilege=%s", what,
			     privilege_names[level]);
}

static void need_use(struct check *ck, struct loc loc, enum stp_privilege_use use, const char *what)
{
	need_level(ck, loc, least_for_use[use], what);
}

/*
 * True: the point begins with the components: "timer.profile" fits timer.profile.tick,
 * but not timer.profiles.
 */
static bool begins_with(const char *point, const char *begins)
{
	size_t len = strlen(begins);

	return !len || (!strncmp(point, begins, len) && (!point[len] || strchr(".(", point[len])));
}

static void check_point(struct check *ck, const struct derived *d)
{
	size_t i = 0;

	while (!begins_with(d->pp, least_for_points[i].begins))
		i++;
	need_level(ck, d->loc, least_for_points[i].least,
		   arena_printf(ck->in.s->arena, "'%s'", d->pp));
}

/* ---- assignments ---- */

static void check_iterated(struct check *ck, const struct node *place, struct loc loc)
{
	const struct node *name = place->kind == NODE_INDEX ? place->base : place;

	if (name->kind != NODE_NAME || !name->symbol)
		return;
	vec_each(&ck->iterated, i) {
		if (ck->iterated.data[i] == name->symbol)
			typing_error(&ck->in, loc, "'%s' is changed inside a foreach loop over it",
				     name->name);
	}
}

static void check_target_write(struct check *ck, const struct node *target)
{
	const struct access *a = target->access;

	if (target->type == TYPE_ERROR)
		return;
	if (a && a->own && !a->own->set) {
		typing_error(&ck->in, target->loc, "'%s' cannot be set: %s", target->target_name,
			     a->own->unwritten);
		return;
	}
	if (a && a->own)
		return;
	if (a && !targetwrite_is_allowed(a))
		typing_error(
			&ck->in, target->loc,
			"'%s' cannot be written: it is neither in memory nor in a register here",
			unparse_node(ck->in.s->arena, target));
	else
		parser_need_guru(ck, target->loc, "this writes to the probed program");
}

static void check_place(struct check *ck, const struct node *place, struct loc loc)
{
	if (place->kind == NODE_ENTRY)
		typing_error(
			&ck->in, place->loc,
			"'%s' cannot be written: here it is the value that was saved when the "
			"function was entered",
			unparse_node(ck->in.s->arena, place->entry_of->saved.data[place->slot]));
	else if (place->kind == NODE_TARGET)
		check_target_write(ck, place);
	else
		check_iterated(ck, place, loc);
}

/* ---- calls and C ---- */

#define FOR_EVERYBODY (PRAGMA_UNPRIVILEGED | PRAGMA_MYPROC_UNPRIVILEGED)

static void check_embed(struct check *ck, const struct node *n)
{
	if (!strstr(n->string, "/* unprivileged */"))
		need_use(ck, n->loc, PRIVILEGE_USE_PLAIN_C, "this embedded C");
}

/* Checks a read of the kernel's memory, through its types. */
static void check_target_read(struct check *ck, const struct node *n)
{
	if (n->access && n->access->own && n->access->own->unread && n->type != TYPE_ERROR)
		typing_error(&ck->in, n->loc, "'%s' cannot be read: %s", n->target_name,
			     n->access->own->unread);
	if (n->access && !n->access->user && n->access->steps.count)
		need_use(ck, n->loc, PRIVILEGE_USE_KERNEL_MEMORY, "the kernel's memory");
}

/* ---- changes that a function makes, with all functions that it calls ---- */

struct changes {
	struct check *ck;
	struct hashmap seen; /* functions, by C name */
	const struct symbol *array;
	bool found;
};

static void find_changes(struct changes *ch, struct function *f);

static void note_change(struct symbol *sym, unsigned use, void *ctx)
{
	struct changes *ch = ctx;

	ch->found |= sym == ch->array && (use & (USE_WRITE | USE_ADD));
}

static int follow_call(struct node *n, void *ctx)
{
	struct function *f;

	for (unsigned i = 0; n->kind == NODE_CALL && (f = overload_candidate(n, i)); i++)
		find_changes(ctx, f);
	return 0;
}

static void find_changes(struct changes *ch, struct function *f)
{
	const char *key = arena_printf(ch->ck->in.s->arena, "%p", (void *)f);

	if (ch->found || hashmap_get(&ch->seen, key))
		return;
	hashmap_put(&ch->seen, key, f);
	uses_visit_function(ch->ck->in.s->program, f, note_change, ch);
	ast_walk(f->body, follow_call, NULL, ch);
}

static void check_call_in_loop(struct check *ck, const struct node *n, struct function *f)
{
	vec_each(&ck->iterated, i) {
		struct changes ch = { .ck = ck, .array = ck->iterated.data[i] };

		hashmap_init(&ch.seen, ck->in.s->arena);
		find_changes(&ch, f);
		if (ch.found)
			typing_error(&ck->in, n->loc,
				     "'%s()' changes '%s' inside a foreach loop over it", n->name,
				     ch.array->name);
	}
}

static void check_call(struct check *ck, const struct node *n)
{
	struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++) {
		check_call_in_loop(ck, n, f);
		if (f->pragmas & PRAGMA_GURU)
			parser_need_guru(ck, n->loc,
					 arena_printf(ck->in.s->arena, "'%s()' can harm the system",
						      n->name));
		if (f->code && !(f->pragmas & FOR_EVERYBODY))
			need_use(ck, n->loc, PRIVILEGE_USE_PLAIN_C,
				 arena_printf(ck->in.s->arena, "'%s()'", n->name));
	}
}

/* ---- statements ---- */

static void check(struct check *ck, struct node *n);

static void check_children(struct check *ck, struct node *n)
{
	for (unsigned i = 0; i < 4; i++) {
		if (n->kid[i])
			check(ck, n->kid[i]);
	}
	for (struct node *item = n->list; item; item = item->next)
		check(ck, item);
}

static void check_keys(struct check *ck, const struct node *index)
{
	for (const struct node *key = index->list; key; key = key->next)
		if (key->kind == NODE_STAR)
			typing_error(&ck->in, key->loc,
				     "'*' stands only for a key of delete, foreach or in");
}

static void check_foreach(struct check *ck, struct node *n)
{
	bool is_array = n->array->kind == NODE_NAME && n->array->symbol;

	if (n->limit)
		check(ck, n->limit);
	for (struct node *key = n->list; key; key = key->next)
		check(ck, key);
	if (is_array)
		vec_push(ck->in.s->arena, &ck->iterated, n->array->symbol);
	ck->loops++;
	check(ck, n->each_body);
	ck->loops--;
	if (is_array)
		ck->iterated.count--;
}

static void check(struct check *ck, struct node *n)
{
	bool is_loop = n->kind == NODE_WHILE || n->kind == NODE_FOR;

	switch (n->kind) {
	case NODE_FOREACH:
		check_foreach(ck, n);
		return;
	case NODE_BREAK:
	case NODE_CONTINUE:
		if (!ck->loops)
			typing_error(&ck->in, n->loc, "'%s' stands outside any loop",
				    n->kind == NODE_BREAK ? "break" : "continue");
		return;
	case NODE_IF: /* a branch that is never taken may stand anywhere */
		if (n->cond->kind == NODE_NUMBER) {
			if (n->cond->number ? n->then : n->els)
				check(ck, n->cond->number ? n->then : n->els);
			return;
		}
		break;
	case NODE_ASSIGN:
		check_place(ck, n->lhs, n->loc);
		if (n->lhs->kind == NODE_TARGET && n->lhs->access && n->lhs->access->own) {
			check(ck, n->rhs);
			return;
		}
		break;
	case NODE_INCDEC:
		check_place(ck, n->operand, n->loc);
		break;
	case NODE_DELETE:
		check_place(ck, n->operand, n->loc);
		check_children(ck, n->operand);
		return;
	case NODE_INDEX:
		check_keys(ck, n);
		break;
	case NODE_CALL:
		check_call(ck, n);
		break;
	case NODE_EMBED:
		check_embed(ck, n);
		break;
	case NODE_TARGET:
		check_target_read(ck, n);
		break;
	default:
		break;
	}
	ck->loops += is_loop;
	check_children(ck, n);
	ck->loops -= is_loop;
}

/* ---- the whole ---- */

/* Finds a global that C has no type for. */
static void note_aggregate(struct symbol *sym, unsigned use, void *ctx)
{
	const struct symbol **aggregate = ctx;

	(void)use;
	if (sym->type == TYPE_STATS)
		*aggregate = sym;
}

static void check_c_globals(struct check *ck, struct function *f)
{
	const struct symbol *aggregate = NULL;

	uses_visit_function(ck->in.s->program, f, note_aggregate, &aggregate);
	if (aggregate)
		typing_error(&ck->in, f->code_loc,
			    "'%s' is an aggregate, which C neither reads nor sets; "
			    "pass what it is to know as an argument, @count(%s%s)",
			    aggregate->name, aggregate->name, aggregate->arity > 0 ? "[…]" : "");
}

static void check_c_function(struct check *ck, struct function *f)
{
	if ((f->pragmas & (PRAGMA_STABLE | PRAGMA_PURE)) == PRAGMA_STABLE)
		typing_error(&ck->in, f->code_loc,
			     "a function that is 'stable' has to be 'pure' as well");
	if (f->pragmas & PRAGMA_BPF)
		typing_error(&ck->in, f->code_loc,
			     "'%s()' is written for eBPF, which is no runtime of this stap",
			     f->name);
	check_c_globals(ck, f);
}

static void check_functions(struct check *ck)
{
	vec_each(&ck->in.s->program->functions, i) {
		struct function *f = ck->in.s->program->functions.data[i];

		if (f->body && f->used)
			check(ck, f->body);
		else if (!f->body)
			check_c_function(ck, f);
	}
}

static void check_runtime(struct check *ck, const struct derived *d)
{
	if (ck->in.s->options->runtime == RUNTIME_USER && !d->family->user_runtime)
		typing_error(&ck->in, d->loc,
			     "'%s' probes the kernel; --runtime=user has begin, end, error and "
			     "timer probes",
			     d->pp);
}

void sem_check(struct session *s)
{
	struct program *p = s->program;
	struct check ck = { .in = { .s = s, .reported = &p->reported } };

	check_functions(&ck);
	vec_each(&p->handlers, i)
		check(&ck, p->handlers.data[i]->body);
	vec_each(&p->probes, i) {
		check_runtime(&ck, p->probes.data[i]);
		check_point(&ck, p->probes.data[i]);
		if (p->probes.data[i]->condition)
			check(&ck, p->probes.data[i]->condition);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point is an alias's name (or a pattern of such names), or a point of a probe family:
 * each alias on the way is a link of the chain around the body (bodies.c).
 */
#include "sem/derive.h"

#include <fnmatch.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "sem/advice.h"
#include "sem/bodies.h"
#include "sem/callpoints.h"
#include "sem/listing.h"
#include "sem/match.h"
#include "sem/newcalls.h"
#include "sem/tapset.h"
#include "target/hint.h"

#define ALIAS_DEPTH_MAX 30
#define ALIAS_USES_MAX	50000
#define NOT_KNOWN	((size_t)-1)

static size_t derive_point(struct derivation *dv, const struct point *p, const struct chain *chain,
			   const char *pn, bool quiet);

static const char *bare_point(struct session *s, const struct point *p)
{
	struct point bare = *p;

	bare.optional = bare.sufficient = false;
	bare.condition = NULL;
	return unparse_point(s->arena, &bare);
}

/* Returns the first `count` components, without arguments: "syscall.read". */
static const char *name_prefix(struct session *s, const struct point *p, size_t count)
{
	const char *text = "";

	for (size_t i = 0; i < count; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? "." : "",
				    p->components.data[i].name);
	return text;
}

/*
 * Returns how many leading components some name has: the component after them is the
 * unknown one.
 */
static size_t known_prefix(struct session *s, const struct point *p, const char *const *names,
			   size_t count)
{
	size_t k = p->components.count;

	while (--k > 0) {
		const char *prefix = name_prefix(s, p, k);
		size_t len = strlen(prefix);

		for (size_t i = 0; i < count; i++)
			if (!strncmp(names[i], prefix, len) && names[i][len] == '.')
				return k;
	}
	return 0;
}

/*
 * True for process.insn and .insn.block of old scripts, which SystemTap no longer
 * supports either: no kernel exports the functions that step a program
 * (user_enable_single_step(), user_enable_block_step()) to modules.
 */
static bool is_stepping(const struct point *p)
{
	vec_each(&p->components, i)
		if (i && (!strcmp(p->components.data[i].name, "insn") ||
			  !strcmp(p->components.data[i].name, "itrace")))
			return !strcmp(p->components.data[0].name, "process");
	return false;
}

static struct error *unknown_point(struct session *s, const struct point *p, size_t *at)
{
	static const char *const builtin[] = { "begin", "end",	  "error", "never",
					       "timer", "kernel", "module" };
	const char *const *library, *near, *remedy = advice_point(p->components.data[0].name);
	VEC(const char *) names = { 0 };
	size_t count;

	*at = 0;
	if (remedy)
		return error_create(s->arena, ERROR_ABSENT, "unknown probe point '%s'; write %s",
				    bare_point(s, p), remedy);
	if (is_stepping(p))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': kernels let no module step through a program; probe its "
				    "lines, .statement(\"FUNCTION@FILE:*\"), "
				    "or addresses, .statement(0x1234)",
				    bare_point(s, p));
	if (!strcmp(p->components.data[0].name, "process"))
		return diag_error_page(
			error_create(s->arena, ERROR_ABSENT,
				     "there is no probe point '%s'; in programs there are "
				     ".function(\"NAME\"), .statement(\"PLACE\"), .mark(\"NAME\"), "
				     ".plt(\"NAME\"), .begin, .end, "
				     ".thread.begin, .thread.end, .syscall and .syscall.return",
				     bare_point(s, p)),
			PAGE_PROCESS_TRACKING);
	*at = NOT_KNOWN;
	if (match_is_wildcard(p))
		return error_create(s->arena, ERROR_ABSENT, "no probe point matches '%s'",
				    bare_point(s, p));
	for (size_t i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++)
		vec_push(s->arena, &names, builtin[i]);
	tapset_alias_names(s, &library, &count);
	for (size_t i = 0; i < count; i++)
		vec_push(s->arena, &names, library[i]);
	for (size_t i = 0; i < s->program->units.count; i++)
		for (size_t k = 0; k < s->program->units.data[i]->aliases.count; k++)
			vec_push(s->arena, &names,
				 unparse_components(
					 s->arena,
					 &s->program->units.data[i]->aliases.data[k]->name));
	*at = known_prefix(s, p, names.data, names.count);
	near = diag_near(s, bare_point(s, p), names.data, names.count);
	if (!near)
		near = diag_near(s, p->components.data[0].name, names.data, names.count);
	if (!near && s->options->list && p->components.count == 1)
		return error_create(s->arena, ERROR_ABSENT,
				    "unknown probe point '%s'; stap -l '*%s*' looks in all names",
				    bare_point(s, p), p->components.data[0].name);
	return error_create(
		s->arena, ERROR_ABSENT, "unknown probe point '%s'; %s%s", bare_point(s, p),
		near ? "did you mean " : "stap --dump-probe-types lists them", near ? near : "");
}

/*
 * Returns a copy of an alias's point for `use`: the suffixes that the alias's name did
 * not take are appended, and messages lead to the use.
 */
static struct point *point_of_alias(struct session *s, const struct point *of,
				    const struct alias *a, const struct point *use, int taken)
{
	struct point *p = arena_new(s->arena, struct point);
	struct loc_via *via = arena_new(s->arena, struct loc_via);

	*p = *of;
	memset(&p->components, 0, sizeof(p->components));
	via->what = arena_printf(s->arena, "through the alias '%s' used here",
				 unparse_components(s->arena, &a->name));
	via->at = use->loc;
	p->loc.via = via;
	for (size_t i = 0; i < of->components.count + use->components.count - (size_t)taken; i++) {
		struct component c =
			i < of->components.count
				? of->components.data[i]
				: use->components.data[(size_t)taken + i - of->components.count];

		c.loc.via = via;
		c.arg_loc.via = via;
		vec_push(s->arena, &p->components, c);
	}
	p->optional |= use->optional;
	/* vm.*.call means the points that can have .call. */
	p->of_pattern = use->of_pattern ||
			(match_is_wildcard(use) && (size_t)taken < use->components.count);
	return p;
}

/*
 * Derives the points of a list, in order, up to a sufficient one that resolves. Returns
 * the number of concrete points.
 */
static size_t derive_alias(struct derivation *dv, const struct alias *a, const struct point *use,
			   const struct chain *outer, const char *pn, int taken, bool quiet)
{
	size_t found = 0;

	for (size_t i = 0; i < a->points.count; i++) {
		struct point *p = point_of_alias(dv->s, a->points.data[i], a, use, taken);
		struct chain chain = {
			.outer = outer, .alias = a, .condition = p, .depth = outer->depth + 1
		};

		if (outer->derivation)
			chain.derivation = arena_printf(dv->s->arena, "%s  <- %s",
							listing_alias(dv->s, a), outer->derivation);

		size_t n = derive_point(dv, p, &chain, pn, quiet || p->optional || p->sufficient);

		found += n;
		if (n && p->sufficient)
			break;
	}
	return found;
}

static const char *alias_pn(struct session *s, const struct alias *a, const struct point *use,
			    int taken)
{
	struct point p = { 0 };

	for (size_t i = 0; i < a->name.count; i++)
		vec_push(s->arena, &p.components, a->name.data[i]);
	for (size_t i = (size_t)taken; i < use->components.count; i++)
		vec_push(s->arena, &p.components, use->components.data[i]);
	return unparse_point(s->arena, &p);
}

static void match_unit(struct session *s, const struct point *p, const struct unit *u,
		       alias_list *all)
{
	for (size_t k = 0; u && k < u->aliases.count; k++)
		if (match_alias(p, u->aliases.data[k]) >= 0)
			vec_push(s->arena, all, u->aliases.data[k]);
}

static void find_aliases(struct session *s, const struct point *p, bool is_wild, alias_list *all)
{
	alias_list exact = { 0 };

	for (size_t i = 0; i < s->program->units.count; i++)
		match_unit(s, p, s->program->units.data[i], all);
	tapset_aliases(s, p, all);
	if (newcalls_may(p) && (is_wild || !all->count))
		match_unit(s, p, newcalls_unit(s), all);
	/*
	 * syscall.read.return is the alias of that name, not syscall.read with a suffix.
	 */
	for (size_t i = 0; i < all->count; i++)
		if (match_alias(p, all->data[i]) == (int)p->components.count)
			vec_push(s->arena, &exact, all->data[i]);
	if (exact.count)
		*all = exact;
}

/*
 * Reports the error. `at`: the component at fault, if it is known; a family's message
 * names it.
 */
static void report(struct derivation *dv, const struct point *p, const struct error *err, size_t at)
{
	struct session *s = dv->s;
	bool in_library = source_is_library(p->loc);
	struct loc loc = p->loc;

	for (size_t i = 1; i < p->components.count && at == NOT_KNOWN; i++)
		if (strstr(err->text, arena_printf(s->arena, ".%s'", p->components.data[i].name)))
			at = i;
	/*
	 * The caret belongs in the user's line if that has components after the library's
	 * point.
	 */
	for (size_t i = 1; in_library && i < p->components.count && at == NOT_KNOWN; i++)
		if (strstr(err->text, arena_printf(s->arena, "'.%s(", p->components.data[i].name)))
			at = i;
	if (at != NOT_KNOWN)
		loc = p->components.data[at].loc;

	/* The caret points at the text of the argument at fault. */
	for (size_t i = 0; i < p->components.count && err->kind == ERROR_ABSENT; i++) {
		const struct component *c = &p->components.data[i];

		if (c->arg_kind == ARG_STRING &&
		    strstr(err->text, arena_printf(s->arena, "'%s'", c->string)))
			loc = c->arg_loc;
	}
	if (dv->is_optional)
		diag_warning(s, loc, "%s; the point is optional, and left out", err->text);
	else
		diag_failure(s, loc, err);
}

static bool reads_targets(const struct derivation *dv, const struct chain *chain)
{
	bool reads = bind_has_targets(dv->probe->body);

	for (; chain && !reads; chain = chain->outer)
		reads = chain->alias && (bind_has_targets(chain->alias->prologue) ||
					 bind_has_targets(chain->alias->epilogue));
	return reads;
}

/* Tells the families whether target variables are read: not all places have them. */
static const struct point *point_reading(struct derivation *dv, const struct point *p,
					 const struct chain *chain)
{
	struct point *copy;

	if (!reads_targets(dv, chain))
		return p;
	copy = ast_copy_point(dv->s->arena, p);
	copy->reads = true;
	return copy;
}

static size_t derive_resolved(struct derivation *dv, const struct point *one, const struct loc *loc,
			      const struct chain *chain, const char *pn)
{
	derived_list list = { 0 };

	if (probe_resolve(dv->s, point_reading(dv, one, chain), &list) || !list.count)
		return 0;
	vec_each(&list, i)
		list.data[i]->loc = *loc;
	bodies_give(dv, &list, chain, pn);
	return list.count;
}

/*
 * Returns "timer.jiffies(number)" for "ti**es(1)": components before the wildcard get
 * their arguments from the front, those after it from the end, and the wildcard's last
 * component has its own. NULL: they do not fit together.
 */
static struct point *point_by_help(struct session *s, const struct point *p, const char *help)
{
	struct point *one = ast_copy_point(s->arena, p);
	size_t at = 0, more, n = p->components.count;
	component_list parts = { 0 };

	while (!strstr(p->components.data[at].name, "**"))
		at++;
	for (const char *end; *help && *help != '\n'; help = end + (*end == '.')) {
		size_t len = strcspn(help, ".(\n");
		struct component c = { .name = arena_strndup(s->arena, help, len), .loc = p->loc };

		end = help + len;
		if (*end == '(')
			end = strchr(end, ')') + 1;
		vec_push(s->arena, &parts, c);
	}
	if (parts.count < n)
		return NULL;
	more = parts.count - n;
	for (size_t i = 0; i < n; i++) {
		struct component *c = &parts.data[i < at ? i : i + more];
		const char *name = c->name;

		*c = p->components.data[i];
		c->name = name;
	}
	one->components = parts;
	return one;
}

/*
 * Derives a wildcard over dots: it matches each form of the families' points that fits
 * its names.
 */
static size_t derive_deep(struct derivation *dv, const struct point *p, const struct chain *chain,
			  const char *pn)
{
	size_t found = 0;

	for (unsigned i = 0; i < probe_family_count; i++)
		for (const char *line = probe_families[i]->help, *end; line;
		     line = *end ? end + 1 : NULL) {
			struct point *one = point_by_help(dv->s, p, line);

			end = line + strcspn(line, "\n");
			if (one && match_names(p, name_prefix(dv->s, one, one->components.count)))
				found += derive_resolved(dv, one, &p->loc, chain, pn);
		}
	return found;
}

/*
 * Derives the first wildcard component: it is replaced with each word that it matches.
 * Only points that a family accepts count.
 */
static size_t derive_words(struct derivation *dv, const struct point *p, const struct chain *chain,
			   const char *pn)
{
	struct session *s = dv->s;
	size_t at = 0, found = 0;

	while (!strchr(p->components.data[at].name, '*'))
		at++;
	for (const char *const *word = probe_words; *word; word++) {
		struct point *one;

		if (fnmatch(p->components.data[at].name, *word, 0))
			continue;
		one = ast_copy_point(s->arena, p);
		one->components.data[at].name = *word;
		if (match_is_wildcard(one))
			found += derive_words(dv, one, chain, pn);
		else
			found += derive_resolved(dv, one, &p->loc, chain, pn);
	}
	return found;
}

static size_t derive_wild(struct derivation *dv, const struct point *p, const struct chain *chain,
			  const char *pn)
{
	size_t found = match_is_deep(p) ? derive_deep(dv, p, chain, pn) : 0;

	/* After an alias, points have components of the library itself. */
	return found ? found : derive_words(dv, p, chain, pn);
}

static bool in_chain(const struct chain *chain, const struct alias *a)
{
	for (; chain; chain = chain->outer)
		if (chain->alias == a)
			return true;
	return false;
}

/* Makes kernel.MEMBER("PATTERN") from a pattern on its own. */
static struct point *point_in_kernel(struct session *s, const struct point *p, const char *member)
{
	const struct component *word = &p->components.data[0];
	struct component kernel = { .name = "kernel", .loc = word->loc },
			 names = { .name = member,
				   .arg_kind = ARG_STRING,
				   .string = word->name,
				   .loc = word->loc,
				   .arg_loc = word->loc };
	struct point *ret = ast_copy_point(s->arena, p);

	ret->components.count = 0;
	vec_push(s->arena, &ret->components, kernel);
	vec_push(s->arena, &ret->components, names);
	return ret;
}

/* Changes the last component's "*" to "**". */
static struct point *point_deeper(struct session *s, const struct point *p)
{
	struct point *ret = ast_copy_point(s->arena, p);
	struct component *last = &ret->components.data[ret->components.count - 1];
	struct strbuf name;

	strbuf_init(&name, s->arena);
	for (const char *c = last->name; *c; c++)
		strbuf_addf(&name, "%c%s", *c, *c == '*' ? "*" : "");
	last->name = name.s;
	return ret;
}

/*
 * For -l: a pattern that matches no name, such as "netfilter.*", is tried at deeper
 * levels; a single word, "*retransmit*", is tried in all names, tracepoints and
 * functions.
 */
static size_t derive_further(struct derivation *dv, const struct point *p,
			     const struct chain *chain, const char *pn)
{
	struct session *s = dv->s;
	call_points further = { 0 };
	size_t found = 0;

	if (!s->options->list || chain->outer || match_is_deep(p))
		return 0;
	vec_each(&p->components, i)
		if (p->components.data[i].arg_kind != ARG_NONE)
			return 0;
	vec_push(s->arena, &further, point_deeper(s, p));
	if (p->components.count == 1 && s->options->runtime == RUNTIME_KERNEL) {
		vec_push(s->arena, &further, point_in_kernel(s, p, "trace"));
		vec_push(s->arena, &further, point_in_kernel(s, p, "function"));
	}
	vec_each(&further, i)
		found += derive_point(dv, further.data[i], chain, pn, true);
	return found;
}

/* True: the error is not reported. */
static bool is_silent(const struct point *p, const struct error *err, bool quiet)
{
	return (quiet && err->kind == ERROR_ABSENT) || p->of_pattern;
}

/*
 * Returns false, after a message, when the probe uses too many aliases, or one in itself.
 */
static bool may_use(struct derivation *dv, const struct point *p, const struct alias *a,
		    const struct chain *chain)
{
	bool is_in_itself = in_chain(chain, a);

	if (dv->gave_up)
		return false;
	dv->gave_up = true;
	if (is_in_itself || chain->depth > ALIAS_DEPTH_MAX)
		diag_error(dv->s, p->loc,
			   is_in_itself ? "the alias '%s' refers to itself"
					: "the alias '%s' is an alias of aliases more than 30 deep",
			   bare_point(dv->s, p));
	else if (++dv->uses > ALIAS_USES_MAX)
		diag_error(dv->s, dv->probe->points.data[0]->loc,
			   "this probe uses more than %d aliases", ALIAS_USES_MAX);
	else
		dv->gave_up = false;
	return !dv->gave_up;
}

static size_t derive_aliases(struct derivation *dv, const alias_list *aliases,
			     const struct point *p, const struct chain *chain, const char *pn,
			     bool quiet)
{
	size_t found = 0;

	vec_each(aliases, i) {
		const struct alias *a = aliases->data[i];
		int taken = match_alias(p, a);

		if (!may_use(dv, p, a, chain))
			return 1;
		found += derive_alias(dv, a, p, chain, pn ? pn : alias_pn(dv->s, a, p, taken),
				      taken, quiet || aliases->count > 1);
	}
	return found;
}

/* Derives a point of a family; reports one that no family has. */
static size_t derive_family(struct derivation *dv, const struct point *p, bool is_wild,
			    const struct chain *chain, const char *pn, bool quiet)
{
	size_t at = NOT_KNOWN;
	derived_list list = { 0 };
	struct error *err =
		is_wild ? NULL : probe_resolve(dv->s, point_reading(dv, p, chain), &list);

	if (!err && !list.count)
		err = unknown_point(dv->s, p, &at);
	if (err && !is_silent(p, err, quiet))
		report(dv, p, err, at);
	vec_each(&list, i)
		list.data[i]->loc = p->loc;
	if (!err)
		bodies_give(dv, &list, chain, pn);
	return err ? 0 : list.count;
}

static size_t derive_spelt(struct derivation *dv, const struct point *p, const struct chain *chain,
			   const char *pn, bool quiet)
{
	struct session *s = dv->s;
	bool is_wild = match_is_wildcard(p);
	alias_list aliases = { 0 };
	const struct point *named;
	size_t found;

	find_aliases(s, p, is_wild, &aliases);
	if (aliases.count && !chain->outer)
		callpoints_note(s, p);
	if (!aliases.count && (named = callpoints_by_library_name(s, p)) != NULL)
		return derive_point(dv, named, chain, pn, quiet);
	found = is_wild ? derive_wild(dv, p, chain, pn) : 0;
	found += derive_aliases(dv, &aliases, p, chain, pn, quiet);
	if (is_wild && !aliases.count && !found)
		found = derive_further(dv, p, chain, pn);
	if (!aliases.count && !found)
		return derive_family(dv, p, is_wild, chain, pn, quiet);
	if (!found && !quiet && !s->errors)
		diag_error(s, p->loc, "'%s' matches nothing in this kernel", bare_point(s, p));
	return found;
}

static size_t derive_point(struct derivation *dv, const struct point *p, const struct chain *chain,
			   const char *pn, bool quiet)
{
	call_points points = { 0 };
	size_t found = 0;

	callpoints_spell(dv->s, p, &points);
	vec_each(&points, i)
		found += derive_spelt(dv, points.data[i], chain, pn, quiet);
	return found;
}

static int spoil_target(struct node *n, void *ctx)
{
	if (n->kind == NODE_TARGET || n->kind == NODE_ENTRY || n->kind == NODE_DEFINED)
		n->type = TYPE_ERROR;
	return 0;
}

/*
 * Keeps the body of a probe whose point is wrong, so that mistakes in the body that have
 * nothing to do with the point are still reported.
 */
static void keep_body(struct derivation *dv)
{
	struct handler *h = bodies_new_handler(dv, ast_clone(dv->s->arena, dv->probe->body));

	h->lacks_point = true;
	ast_walk(h->body, spoil_target, NULL, h);
}

/*
 * Decides about the places of a pattern that lack variables: those with the variables
 * that the body needs are probed; if there are none, one place is reported.
 */
static void settle_lacking(struct derivation *dv, const struct point *p)
{
	const struct derived *d = dv->first_lacking;

	if (dv->lacking && dv->served) {
		diag_taken(dv->s, p->loc, "%zu of %zu places are left out; the first is %s: %s%s",
			   dv->lacking, dv->lacking + dv->served, d->pp, d->lacks,
			   target_hint(dv->s, d->lacking));
	} else if (dv->lacking) {
		diag_error(dv->s, d->lacking->loc, "%s%s", d->lacks,
			   target_hint(dv->s, d->lacking));
		diag_page(dv->s, PAGE_CONTEXTVARS);
	}
	dv->lacking = dv->served = 0;
}

static bool is_pattern(const struct point *p)
{
	bool wild = match_is_wildcard(p);

	vec_each(&p->components, i)
		wild |= p->components.data[i].arg_kind == ARG_STRING &&
			strpbrk(p->components.data[i].string, "*?[");
	return wild;
}

/*
 * Derives a list of alternatives, none of which exists, by the first one that has a
 * successor in this kernel.
 */
static void derive_drifted(struct derivation *dv)
{
	for (size_t i = 0; i < dv->probe->points.count; i++) {
		struct point *p = ast_copy_point(dv->s->arena, dv->probe->points.data[i]);
		struct chain chain = { .condition = p };

		p->drifts = true;
		if (dv->s->options->last_pass == 2)
			chain.derivation = unparse_points(dv->s->arena, dv->probe->points.data,
							  dv->probe->points.count, ",");
		if (derive_point(dv, p, &chain, NULL, true))
			return;
	}
}

void derive_probe(struct session *s, const struct probe *probe)
{
	struct derivation dv = { .s = s, .probe = probe };
	unsigned errors = s->errors;
	size_t handlers = s->program->handlers.count, found = 0;

	hashmap_init(&dv.bodies, s->arena);
	for (size_t i = 0; i < probe->points.count; i++) {
		const struct point *p = probe->points.data[i];
		struct chain chain = { .condition = p };

		if (s->options->last_pass == 2)
			chain.derivation = unparse_points(s->arena, probe->points.data,
							  probe->points.count, ",");

		dv.is_wild = is_pattern(p);
		dv.is_optional = p->optional;

		size_t n = derive_point(&dv, p, &chain, NULL, p->optional || p->sufficient);

		settle_lacking(&dv, p);
		found += n;
		if (n && p->sufficient)
			break;
	}
	if (!found && s->errors == errors && !probe->source->is_tapset)
		derive_drifted(&dv);
	if (s->errors > errors && s->program->handlers.count == handlers)
		keep_body(&dv);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/listing.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "probe/probe.h"

static int compare_lines(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts lines, removes duplicates, and returns the number of lines left. */
static size_t sort_unique(const char **lines, size_t count)
{
	size_t n = 0;

	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++)
		if (!n || strcmp(lines[i], lines[n - 1]))
			lines[n++] = lines[i];
	return n;
}

void listing_sorted(const char **lines, size_t count)
{
	count = sort_unique(lines, count);
	for (size_t i = 0; i < count; i++)
		puts(lines[i]);
}

/*
 * Returns the type for listings: SystemTap's show "unknown" for a function that returns
 * nothing.
 */
static const char *type_listed(enum type t)
{
	return node_type_name(t == TYPE_VOID || t == TYPE_ERROR ? TYPE_UNKNOWN : t);
}

/*
 * Adds the variables that the aliases on the way set: "name:string". The listed probes
 * have no script text.
 */
static void add_locals(struct strbuf *line, const struct handler *h)
{
	vec_each(&h->locals, i)
		if (source_is_library(h->locals.data[i]->loc) || h->locals.data[i]->written)
			strbuf_addf(line, " %s:%s", h->locals.data[i]->name,
				    node_type_name(h->locals.data[i]->type));
}

/*
 * Returns "struct file *" as "struct file*": the lines are split at blanks, and scripts
 * that read them know SystemTap's spelling.
 */
static const char *type_without_blanks(struct session *s, const char *c_type)
{
	char *copy = arena_strdup(s->arena, c_type), *to = copy;

	for (const char *from = copy; *from; from++)
		if (from[0] != ' ' || from[1] != '*')
			*to++ = *from;
	*to = 0;
	return copy;
}

/*
 * Adds, with -v, the place of the point: copies of one function do not differ otherwise.
 */
static void add_address(struct session *s, struct strbuf *line, struct derived *d)
{
	const char *pc = s->options->verbose && d->family->pc ? d->family->pc(s, d) : NULL;

	if (pc)
		strbuf_addf(line, " /* pc=%s */", pc);
}

static const char *point_line(struct session *s, struct derived *d, bool variables)
{
	target_variables list = { 0 };
	struct strbuf line;

	strbuf_init(&line, s->arena);
	strbuf_adds(&line, d->pn);
	if (!variables)
		return line.s;
	if (!strcmp(d->pn, d->pp)) {
		add_address(s, &line, d);
		if (d->family->vars)
			d->family->vars(s, d, &list);
	}
	vec_each(&list, i)
		if (!list.data[i].is_absent)
			strbuf_addf(&line, " %s:%s", list.data[i].name,
				    type_without_blanks(s, list.data[i].c_type));
	add_locals(&line, d->handler);
	return line.s;
}

size_t listing_lines(struct session *s, bool variables, const char ***ret)
{
	VEC(const char *) lines = { 0 };

	/* Library files that are read have their own probes. */
	vec_each(&s->program->probes, i)
		if (!source_is_library(s->program->probes.data[i]->handler->loc))
			vec_push(s->arena, &lines,
				 point_line(s, s->program->probes.data[i], variables));
	*ret = lines.data;
	return sort_unique(lines.data, lines.count);
}

bool listing_points(struct session *s, bool variables)
{
	const char **lines;
	size_t count = listing_lines(s, variables, &lines);

	for (size_t i = 0; i < count; i++)
		puts(lines[i]);
	return count;
}

/* ---- -p2 ---- */

const char *listing_function(struct session *s, const struct function *f)
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	strbuf_addf(&out, "%s:%s (", f->name, type_listed(f->type));
	vec_each(&f->params, i)
		strbuf_addf(&out, "%s%s:%s", i ? ", " : "", f->params.data[i]->name,
			    type_listed(f->params.data[i]->type));
	strbuf_addc(&out, ')');
	return out.s;
}

const char *listing_alias(struct session *s, const struct alias *a)
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	strbuf_addf(&out, "%s %s ", unparse_components(s->arena, &a->name),
		    a->prologue ? "=" : "+=");
	strbuf_adds(&out, unparse_points(s->arena, a->points.data, a->points.count, ", "));
	return out.s;
}

static void print_global(struct session *s, const struct symbol *g)
{
	printf("%s%s", g->name, g->wrap ? "%" : "");
	if (g->max_entries)
		printf("[%lld]", (long long)g->max_entries);
	printf(":%s", type_listed(g->type));
	for (int k = 0; k < g->arity; k++)
		printf("%s%s%s", k ? ", " : " [", type_listed(g->key_types[k]),
		       k + 1 == g->arity ? "]" : "");
	if (g->init && s->options->verbose)
		printf(" = %s", unparse_node(s->arena, g->init));
	putchar('\n');
}

static void print_locals(struct symbol *const *locals, size_t count)
{
	if (count)
		puts("  # locals");
	for (size_t i = 0; i < count; i++)
		printf("  %s:%s\n", locals[i]->name, type_listed(locals[i]->type));
}

/* Prints, with -v, the body as it is executed: pass 2 has simplified it. */
static void print_body(struct session *s, const struct node *body)
{
	struct strbuf out;

	if (!s->options->verbose)
		return;
	strbuf_init(&out, s->arena);
	ast_print_statement(&out, body, 0);
	fwrite(out.s, 1, out.len, stdout);
}

static void print_function(struct session *s, const struct function *f)
{
	puts(listing_function(s, f));
	print_locals(f->locals.data, f->locals.count);
	if (f->body)
		print_body(s, f->body);
	else if (s->options->verbose)
		printf("%%{%.*s%%}\n", (int)f->code_len, f->code);
}

static void print_probe(struct session *s, const struct derived *d)
{
	const char *own = strstr(d->pp, " if (");

	/* Aliases add their conditions to the point's own. */
	printf("%.*s", (int)(own ? own - d->pp : (ptrdiff_t)strlen(d->pp)), d->pp);
	if (d->condition)
		printf(" if (%s)", unparse_node(s->arena, d->condition));
	printf(" /*  <- %s */\n", d->derivation ? d->derivation : d->pp);
	print_locals(d->handler->locals.data, d->handler->locals.count);
	print_body(s, d->handler->body);
}

static int compare_functions(const void *a, const void *b)
{
	return strcmp((*(const struct function *const *)a)->name,
		      (*(const struct function *const *)b)->name);
}

static void print_functions(struct session *s)
{
	const struct program *p = s->program;
	const struct function **sorted =
		arena_array(s->arena, const struct function *, p->functions.count + 1);

	if (p->functions.count)
		puts("# functions");
	vec_each(&p->functions, i)
		sorted[i] = p->functions.data[i];
	qsort(sorted, p->functions.count, sizeof(*sorted), compare_functions);
	vec_each(&p->functions, i)
		print_function(s, sorted[i]);
}

void listing_program(struct session *s)
{
	const struct program *p = s->program;

	if (p->globals.count)
		puts("# globals");
	vec_each(&p->globals, i)
		print_global(s, p->globals.data[i]);
	print_functions(s);
	if (p->probes.count)
		puts("# probes");
	vec_each(&p->probes, i)
		print_probe(s, p->probes.data[i]);
}

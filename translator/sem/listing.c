/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/arena.h"
#include "base/session.h"
#include "base/strbuf.h"
#include "options.h"
#include "probe/probe.h"
#include "sem/tapset.h"

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_sorted(const char **lines, size_t count)
{
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(lines[i], lines[i - 1]))
			puts(lines[i]);
}

/* Variables that the aliases on the way set: "name:string". */
static void add_locals(struct strbuf *line, const struct handler *h)
{
	vec_each(&h->locals, i)
		if (h->locals.data[i]->source && h->locals.data[i]->source->is_tapset)
			strbuf_addf(line, " %s:%s", h->locals.data[i]->name, type_name(h->locals.data[i]->type));
}

/*
 * "struct file *" as "struct file*": the lines are split at blanks, and scripts that read them know SystemTap's
 * spelling.
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

static const char *point_line(struct session *s, struct derived *d, bool variables)
{
	target_variables list = { 0 };
	struct strbuf line;

	strbuf_init(&line, s->arena);
	strbuf_adds(&line, d->pn);
	if (!variables)
		return line.s;
	if (d->family->vars && !strcmp(d->pn, d->pp))
		d->family->vars(s, d, &list);
	vec_each(&list, i)
		strbuf_addf(&line, " %s:%s", list.data[i].name, type_without_blanks(s, list.data[i].c_type));
	add_locals(&line, d->handler);
	return line.s;
}

bool listing_points(struct session *s, bool variables)
{
	VEC(const char *) lines = { 0 };

	vec_each(&s->program->probes, i)
		vec_push(s->arena, &lines, point_line(s, s->program->probes.data[i], variables));
	print_sorted(lines.data, lines.count);
	return lines.count;
}

/* ---- -p2 ---- */

static void print_global(const struct symbol *g)
{
	printf("%s:%s", g->name, type_name(g->type));
	for (int k = 0; k < g->arity; k++)
		printf("%s%s%s", k ? ", " : " [", type_name(g->key_types[k]), k + 1 == g->arity ? "]" : "");
	putchar('\n');
}

static void print_function(const struct function *f)
{
	printf("%s:%s (", f->name, type_name(f->type));
	vec_each(&f->params, i)
		printf("%s%s:%s", i ? ", " : "", f->params.data[i]->name, type_name(f->params.data[i]->type));
	puts(")");
}

static void print_probe(struct session *s, const struct derived *d)
{
	printf("%s", d->pp);
	if (d->pn && strcmp(d->pn, d->pp))
		printf(" /* %s */", d->pn);
	putchar('\n');
	vec_each(&d->handler->locals, i)
		printf("  # local %s:%s\n", d->handler->locals.data[i]->name,
		       type_name(d->handler->locals.data[i]->type));
}

void listing_program(struct session *s)
{
	const struct program *p = s->program;

	if (p->globals.count)
		puts("# globals");
	vec_each(&p->globals, i)
		print_global(p->globals.data[i]);
	if (p->functions.count)
		puts("# functions");
	vec_each(&p->functions, i)
		print_function(p->functions.data[i]);
	puts("# probes");
	vec_each(&p->probes, i)
		print_probe(s, p->probes.data[i]);
}

/* ---- --dump-… ---- */

void listing_dump(struct session *s)
{
	const char *const *names;
	size_t count;

	if (s->options->dump == DUMP_TYPES) {
		for (unsigned i = 0; i < probe_family_count; i++)
			puts(probe_families[i]->help);
		return;
	}
	if (s->options->dump == DUMP_ALIASES)
		tapset_alias_names(s, &names, &count);
	else
		tapset_function_names(s, &names, &count);
	print_sorted((const char **)names, count);
}

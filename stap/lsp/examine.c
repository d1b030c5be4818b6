/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/examine.h"

#include "ast/program.h"
#include "lib/arena.h"
#include "sem/sem.h"
#include "stap/lsp/lsp.h"
#include "stap/pass.h"

/*
 * The number of arguments. An editor does not know which arguments a script will get:
 * provide more than any script needs, and let each be a number.
 */
#define ARGUMENTS 16

static void copy_options(struct lsp *l, const struct document *d, struct options *ret)
{
	*ret = *l->s->options;
	ret->last_pass = 2;
	ret->script_text = d->text;
	for (int i = 0; i < ARGUMENTS; i++)
		vec_push(l->s->arena, &ret->args, "1");
}

struct error *examine_parse(struct lsp *l, const struct document *d, struct diag_listener *listener,
			    struct examined *ret)
{
	struct error *err;

	*ret = (struct examined){ .s = { .arena = l->s->arena,
					 .program = program_create(l->s->arena),
					 .data_dir = l->s->data_dir,
					 .bin_dir = l->s->bin_dir,
					 .tmp_dir = l->s->tmp_dir,
					 .guard = l->s->guard,
					 .listener = listener,
					 .options = &ret->options } };
	copy_options(l, d, &ret->options);
	err = passes_parse(&ret->s);
	if (ret->s.program->units.count)
		ret->unit = ret->s.program->units.data[0];
	return err;
}

static bool is_possible(const struct examined *c)
{
	return c->unit && !c->unit->is_too_deep &&
	       (c->s.kernel || c->options.runtime != RUNTIME_KERNEL);
}

struct error *examine_elaborate(struct examined *c)
{
	return is_possible(c) ? passes_elaborate(&c->s) : NULL;
}

void examine_types(struct examined *c)
{
	if (!is_possible(c))
		return;
	sem_elaborate(&c->s);
	sem_type(&c->s);
}

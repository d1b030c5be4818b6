/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler and its flags, from the recipe. Every function and variable gets its own
 * section: layout.c has the reason.
 */
#include "arch/arch.h"
#include "base/session.h"
#include "build/recipe.h"
#include "lib/arena.h"

words flags_recorded(struct build *b, const struct recipe *r, enum recipe_kind kind)
{
	static const char *const more[] = { "-g0", "-fno-ident", "-ffunction-sections",
					    "-fdata-sections" };
	/*
	 * The compiler must not search for equal functions and tables: with 10,000 probe
	 * points that takes half a minute. It must not split functions: the second part
	 * would be another symbol, with an unwinder table. clang does neither.
	 */
	static const char *const of_gcc[] = { "-fno-ipa-icf", "-fno-reorder-blocks-and-partition" };
	struct arena *a = b->s->arena;
	words argv = recipe_expand(b, &recipe_step(r, kind)->argv, NULL);

	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		vec_push(a, &argv, more[i]);
	/* A table for linkers that fold functions; it names symbols by their numbers. */
	if (b->compiler.is_clang)
		vec_push(a, &argv, "-fno-addrsig");
	for (size_t i = 0; !b->compiler.is_clang && i < sizeof(of_gcc) / sizeof(*of_gcc); i++)
		vec_push(a, &argv, of_gcc[i]);
	return argv;
}

const char *flags_former_headers(const struct build *b)
{
	return arena_printf(b->s->arena, "-idirafter%s/former", b->runtime);
}

const char *flags_arch(const struct session *s, const char *runtime)
{
	return arena_printf(s->arena, "-I%s/arch/%s", runtime, arch_of(s)->name);
}

words flags_with_runtime(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	words argv = flags_recorded(b, r, RECIPE_COMPILE);

	vec_push(a, &argv, arena_printf(a, "-I%s", b->runtime));
	vec_push(a, &argv, flags_arch(b->s, b->runtime));
	vec_push(a, &argv, arena_printf(a, "-I%s", b->kernel_dir));
	vec_push(a, &argv, flags_former_headers(b));
	return argv;
}

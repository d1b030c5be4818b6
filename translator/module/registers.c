/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the handlers that read registers which ftrace saves only on request. At a
 * function's entry it saves the argument registers; saving all of them takes longer.
 * Finds also those that may read the address of the point, such as walks of the kernel's
 * stack: among ftrace's registers is the address where execution continues.
 */
#include <string.h>

#include "arch/arch.h"
#include "ast/access.h"
#include "ast/ast.h"
#include "base/session.h"
#include "module/module.h"
#include "lang/uses.h"
#include "base/options.h"

#define RESULT_NUMBER 7 /* bit of `reads_arguments`, behind those of all arguments */

/* Registers are named by DWARF's numbers and by the library's names. */
static bool is_saved_number(const struct arch_registers *arch, int64_t number)
{
	for (const struct arch_register *r = arch->all; r->name; r++)
		if (r->at_entry && r->number == number)
			return true;
	return false;
}

static bool is_saved_name(const struct arch_registers *arch, const char *name)
{
	for (const struct arch_register *r = arch->all; r->name; r++)
		if (r->at_entry && !strcmp(r->name, name))
			return true;
	return false;
}

/*
 * True: the text reads registers. The script's own C counts if it contains the word
 * `regs`.
 */
static bool text_reads(const char *text, size_t len)
{
	return memmem(text, len, "regs", strlen("regs")) != NULL;
}

static bool code_reads(const struct program *p, const struct function *f)
{
	if (f->source->is_tapset)
		return f->pragmas & PRAGMA_REGISTERS;
	vec_each(&p->embeds, i) {
		const struct node *n = p->embeds.data[i];

		if (!n->loc.source->is_tapset && text_reads(n->string, n->string_len))
			return true;
	}
	return text_reads(f->code, strlen(f->code));
}

/* True: the register that the call names is one that is saved. */
static bool call_is_of_saved(const struct function *f, const struct node *call, void *ctx)
{
	const struct node *name = call->list;

	return f->pragmas & PRAGMA_REGISTERS && name && name->kind == NODE_STRING &&
	       is_saved_name(ctx, name->string);
}

typedef bool wanted_register(const struct arch_registers *arch, int64_t number);

/* True: the place is computed from such a register. */
static bool place_reads(const struct arch_registers *arch, const struct access *a,
			wanted_register *is_wanted)
{
	if (!a || a->base != ACCESS_EXPRESSION)
		return false;
	vec_each(&a->expression->operations, i) {
		const struct access_operation *o = &a->expression->operations.data[i];

		if (o->kind == ACCESS_REGISTER && is_wanted(arch, o->number))
			return true;
	}
	return false;
}

/* True: the node names such a register, in a place or in @kregister. */
static bool node_reads(const struct arch_registers *arch, struct node *n,
		       wanted_register *is_wanted)
{
	if (n->kind == NODE_TARGET)
		return place_reads(arch, n->access, is_wanted);
	return n->kind == NODE_ATOP && !strcmp(n->atop, "kregister") &&
	       is_wanted(arch, n->list->number);
}

static bool is_unsaved_number(const struct arch_registers *arch, int64_t number)
{
	return !is_saved_number(arch, number);
}

static int find_read(struct node *n, void *ctx)
{
	bool reads = n->kind == NODE_EMBED ? text_reads(n->string, n->string_len)
					   : node_reads(ctx, n, is_unsaved_number);

	return reads ? -1 : 0;
}

static bool *mark(struct function *f)
{
	return &f->reads_registers;
}

/* ---- the address of the point ---- */

/* True: the C may read it. The script's own C may do anything. */
static bool code_reads_place(const struct function *f)
{
	static const char *const words[] = { "regs", "register", "stack", "backtrace" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(f->code, words[i]))
			return true;
	return !f->source->is_tapset;
}

static bool is_place_number(const struct arch_registers *arch, int64_t number)
{
	return number == arch->ip;
}

static int find_place_read(struct node *n, void *ctx)
{
	return n->kind == NODE_EMBED || node_reads(ctx, n, is_place_number) ? -1 : 0;
}

static bool *mark_place(struct function *f)
{
	return &f->reads_place;
}

static void mark_places(struct session *s)
{
	struct program *p = s->program;
	const struct reading reading = { find_place_read, mark_place, NULL,
					 (void *)arch_of(s)->registers };

	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		f->reads_place = f->code && code_reads_place(f);
	}
	readers_mark_callers(&reading, p);
	vec_each(&p->probes, i)
		p->probes.data[i]->reads_place = readers_of_probe(&reading, p->probes.data[i]);
}

/* ---- arguments, for points that would copy them ---- */

/* True: the C may read any. */
static bool code_reads_arguments(const struct function *f)
{
	static const char *const words[] = { "arg", "retval", "c->", "CONTEXT->" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(f->code, words[i]))
			return true;
	return code_reads_place(f);
}

/* ctx: the number of an argument, or RESULT_NUMBER. */
static int find_argument(struct node *n, void *ctx)
{
	unsigned number = *(const unsigned *)ctx;
	const struct access *a = n->kind == NODE_TARGET ? n->access : NULL;

	if (a && a->base == ACCESS_ARG)
		return a->number == number ? -1 : 0;
	if (a && a->base == ACCESS_RETURN)
		return number == RESULT_NUMBER ? -1 : 0;
	return n->kind == NODE_EMBED || n->kind == NODE_ATOP || n->kind == NODE_TARGET ? -1 : 0;
}

static bool *mark_arguments(struct function *f)
{
	return &f->reads_argument;
}

static void mark_argument(struct program *p, unsigned number)
{
	const struct reading reading = { find_argument, mark_arguments, NULL, &number };

	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		f->reads_argument = f->code && code_reads_arguments(f);
	}
	readers_mark_callers(&reading, p);
	vec_each(&p->probes, i)
		if (readers_of_probe(&reading, p->probes.data[i]))
			p->probes.data[i]->reads_arguments |= 1u << number;
}

void registers_mark(struct session *s)
{
	struct program *p = s->program;
	const struct reading reading = { find_read, mark, call_is_of_saved,
					 (void *)arch_of(s)->registers };

	if (s->options->runtime == RUNTIME_USER)
		return;
	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		f->reads_registers = f->code && code_reads(p, f);
	}
	readers_mark_callers(&reading, p);
	vec_each(&p->probes, i)
		p->probes.data[i]->reads_registers = readers_of_probe(&reading, p->probes.data[i]);
	mark_places(s);
	for (unsigned i = 0; i <= RESULT_NUMBER && s->options->runtime == RUNTIME_BPF; i++)
		mark_argument(p, i);
}

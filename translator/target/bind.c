/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables of one concrete point. In this order:
 *
 *   1 bind     every TARGET gets its access, or the message that says why not; $$parms
 *              and so on become sprintf() calls
 *   2 fold     @defined becomes 0 or 1, and branches that can then never run go away
 *   3 report   targets that are still unresolved are errors
 *   4 save     in return probes, @entry(…) and parameters become slots that are filled
 *              at entry
 */
#include <string.h>

#include "ast/access.h"
#include "ast/decisions.h"
#include "ast/ast.h"
#include "ast/constants.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "kernel/modules.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "probe/counter.h"
#include "probe/probe.h"
#include "target/bpfparts.h"
#include "target/cast.h"
#include "target/kernelchoice.h"
#include "target/enumops.h"
#include "target/hint.h"
#include "types/shape.h"

struct binding {
	struct session *s;
	struct derived *d;
	bool found, open;
};

/* Replaces n with `with`, in the list that contains n. */
static void replace(struct node *n, const struct node *with)
{
	struct node *next = n->next;
	struct loc loc = n->loc;

	*n = *with;
	n->next = next;
	n->loc = loc;
}

/* ---- 1: binding ---- */

static void bind_variable(struct binding *b, struct node *n)
{
	if (b->d->family->target)
		b->d->family->target(b->s, b->d, n);
	else
		n->unresolved = arena_printf(b->s->arena, "'%s': '%s' has no target variables",
					     n->target_name, b->d->pp);
	if (n->unresolved && n->access && n->access->is_sought)
		enumops_bind_variable(b->s, b->d->pmodule, n);
	if (!n->access)
		n->access = arena_new(b->s->arena, struct access);
}

/* True: the named module or program is the one that contains the probe. */
static bool is_own_module(struct binding *b, const char *module)
{
	const char *own = b->d->pmodule, *real;

	if (!module || !own)
		return !module;
	real = *own == '/' ? path_canonical(b->s->arena, module) : kernel_module_name(b->s, module);
	return real && !strcmp(real, own);
}

static bool bind_as_variable(struct binding *b, struct node *n, const char *name)
{
	struct node variable = *n;

	variable.target = TARGET_VAR;
	variable.target_name = name;
	bind_variable(b, &variable);
	if (variable.unresolved) {
		n->unresolved = variable.unresolved;
		n->access = variable.access;
		return false;
	}
	*n = variable;
	return true;
}

/*
 * Binds @var("x"), which is another way to write $x and also reaches global variables of
 * the program; a variable that the program lacks is looked for in the kernel.
 */
static void bind_atvar(struct binding *b, struct node *n)
{
	const char *nearer = NULL;
	struct access *near = NULL;
	bool has_file = strchr(n->target_name, '@') != NULL,
	     in_kernel = !b->d || !b->d->pmodule || !strcmp(b->d->pmodule, "kernel");

	if (b->d && b->d->family->target && is_own_module(b, n->module)) {
		const char *global =
			arena_printf(b->s->arena, has_file ? "$%s" : "$%s@", n->target_name);

		/*
		 * At a return the function's own variables are gone, but the program's
		 * global variables are still available.
		 */
		n->lives_on = probe_is_return(b->d);
		if (n->lives_on && bind_as_variable(b, n, global))
			return;
		n->lives_on = false;
		if (!n->module && !has_file &&
		    bind_as_variable(b, n, arena_printf(b->s->arena, "$%s", n->target_name)))
			return;
		if (bind_as_variable(b, n, global))
			return;
		nearer = in_kernel ? NULL : n->unresolved;
		near = n->access;
	}
	n->unresolved = NULL;
	cast_bind_atvar(b->s, n);
	if (n->unresolved && nearer) {
		n->unresolved = nearer;
		n->access = near;
	}
}

static struct node *variable_node(struct binding *b, const char *name, const struct node *summary)
{
	struct node *n = node_new(b->s->arena, NODE_TARGET, summary->loc);

	n->target = TARGET_VAR;
	n->target_name = name;
	vec_each(&summary->path, i)
		vec_push(b->s->arena, &n->path, summary->path.data[i]);
	bind_variable(b, n);
	return n;
}

enum listed { LIST_PARAMETERS = 1, LIST_LOCALS = 2, LIST_RETURN = 4 };

static enum listed kind_of(const struct binding *b, const struct target_variable *v)
{
	return v->is_result || !strcmp(v->name, "$return") ? LIST_RETURN
	       : v->is_local				   ? LIST_LOCALS
							   : LIST_PARAMETERS;
}

/* A variable that BPF programs cannot read is shown as ?, with a note. */
static const char *text_of_lacking(struct session *s, const struct node *value)
{
	const char *lacks = bpfparts_lacking(s, value->access);

	if (lacks)
		diag_taken(s, value->loc,
			   "some of these variables are shown as ?: --runtime=bpf has no %s",
			   lacks);
	return lacks ? "?" : NULL;
}

/*
 * Returns the text that $$vars prints instead of a variable's value; NULL: the value is
 * printed.
 */
static const char *stands_for(struct session *s, const struct target_variable *v,
			      const struct node *value, bool is_whole)
{
	bool is_record = !strncmp(v->c_type, "struct ", 7) || !strncmp(v->c_type, "union ", 6);
	size_t len = strlen(v->c_type);

	if (!is_whole && len && v->c_type[len - 1] == ']')
		return "[...]";
	if (!value->unresolved)
		return text_of_lacking(s, value);
	return is_record && v->c_type[len - 1] != '*' && !v->is_absent ? "{...}" : "?";
}

/*
 * Makes sprintf("a=%#x b=%#x", $a, $b); with '$' at the end, sprintf("a=%s b=%s", $a$,
 * $b$).
 */
static void expand_list(struct binding *b, struct node *n, unsigned wanted)
{
	struct node *print = node_new(b->s->arena, NODE_PRINT, n->loc);
	const char *conversion = n->path.count ? "%s" : "%#x";
	target_variables list = { 0 };
	struct strbuf format;

	strbuf_init(&format, b->s->arena);
	b->d->family->vars(b->s, b->d, &list);
	vec_each(&list, i) {
		const char *name = list.data[i].name;

		if (!(kind_of(b, &list.data[i]) & wanted))
			continue;

		struct node *value = variable_node(b, name, n);
		const char *text = stands_for(b->s, &list.data[i], value, n->path.count);

		strbuf_addf(&format, "%s%s=%s", format.len ? " " : "",
			    name + !b->d->family->whole_names,
			    text						  ? text
			    : value->access->own && value->access->own->is_string ? "%s"
										  : conversion);
		if (!text) {
			value->access->in_summary = true;
			print->list = node_append(print->list, value);
		}
	}
	print->to_string = true;
	print->with_format = true;
	print->format = format.s;
	print->format_len = format.len;
	replace(n, print);
}

static void expand_string(struct binding *b, struct node *n, const char *text)
{
	struct node *string = node_new(b->s->arena, NODE_STRING, n->loc);

	string->string = text;
	string->string_len = strlen(text);
	replace(n, string);
}

static void refuse(struct binding *b, struct node *n, const char *text)
{
	n->unresolved = arena_printf(b->s->arena, "'%s': %s", n->target_name, text);
}

static void expand_some(struct binding *b, struct node *n, unsigned wanted)
{
	if (b->d->family->vars)
		expand_list(b, n, wanted);
	else
		refuse(b, n, arena_printf(b->s->arena, "'%s' has no target variables", b->d->pp));
}

static void expand_parameters(struct binding *b, struct node *n)
{
	expand_some(b, n, LIST_PARAMETERS);
}

static void expand_variables(struct binding *b, struct node *n)
{
	expand_some(b, n, LIST_PARAMETERS | LIST_LOCALS);
}

static void expand_return(struct binding *b, struct node *n)
{
	if (probe_is_return(b->d))
		expand_list(b, n, LIST_RETURN);
	else
		refuse(b, n, "it is known in return probes only: function(\"...\").return");
}

/*
 * Expands $$locals. A script that shows them among other things continues if nothing is
 * known about locals.
 */
static void expand_locals(struct binding *b, struct node *n)
{
	const struct probe_family *family = b->d->family;
	struct error *err = family->need_locals ? family->need_locals(b->s, b->d) : NULL;

	if (err)
		diag_taken(b->s, n->loc, "'$$locals' is empty: %s", err->text);
	expand_some(b, n, LIST_LOCALS);
}

typedef const char *name_callback(const struct derived *d);

static void expand_word(struct binding *b, struct node *n, name_callback *word, const char *why_not)
{
	const char *text = word ? word(b->d) : NULL;

	if (text)
		expand_string(b, n, text);
	else
		refuse(b, n, why_not);
}

static void expand_name(struct binding *b, struct node *n)
{
	expand_word(b, n, b->d->family->its_name,
		    "tracepoints, markers and slots (.plt) have a name; other probes have pn() and "
		    "pp()");
}

static void expand_provider(struct binding *b, struct node *n)
{
	expand_word(b, n, b->d->family->its_provider,
		    "markers have a provider; other probes do not");
}

static void expand_system(struct binding *b, struct node *n)
{
	name_callback *system = b->d->family->its_system;

	expand_word(b, n, system,
		    !system ? "tracepoints belong to a system; other probes do not"
			    : "the kernel's headers do not show the system of this one; "
			      "name it in the probe: kernel.trace(\"SYSTEM:...\")");
}

static const struct summary {
	const char *name;
	void (*expand)(struct binding *b, struct node *n);
	bool plain; /* the value is text already: nothing to pretty-print */
} summaries[] = {
	{ "parms", expand_parameters, .plain = false },
	{ "vars", expand_variables, .plain = false },
	{ "locals", expand_locals, .plain = false },
	{ "return", expand_return, .plain = false },
	{ "name", expand_name, .plain = true },
	{ "provider", expand_provider, .plain = true },
	{ "system", expand_system, .plain = true },
};

/* Binds $$parms $$vars $$locals $$return; $$name and $$system of tracepoints. */
static void bind_summary(struct binding *b, struct node *n)
{
	bool is_pretty = n->path.count == 1 && n->path.data[0].kind == STEP_PRETTY;

	for (size_t i = 0; i < sizeof(summaries) / sizeof(summaries[0]); i++) {
		if (strcmp(n->target_name + 2, summaries[i].name))
			continue;
		if (n->address_of || (n->path.count && (!is_pretty || summaries[i].plain)))
			refuse(b, n, "it is a string, which has no members, elements or address");
		else
			summaries[i].expand(b, n);
		return;
	}
	n->unresolved =
		arena_printf(b->s->arena,
			     "unknown '%s'; there are $$parms, $$locals, $$vars, $$return, for "
			     "tracepoints and slots $$name, for markers $$name and $$provider",
			     n->target_name);
}

static int bind_node(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_ATOP) {
		enumops_bind(b->s, b->d ? b->d->pmodule : NULL, n);
		counter_bind(b->s, b->d, n);
	}
	if (n->kind != NODE_TARGET || n->access || n->unresolved)
		return 0;
	switch (n->target) {
	case TARGET_VAR:
		if (!strncmp(n->target_name, "$$", 2))
			bind_summary(b, n);
		else
			bind_variable(b, n);
		break;
	case TARGET_CAST:
		cast_bind(b->s, n,
			  b->d && b->d->pmodule && strcmp(b->d->pmodule, "kernel") ? b->d->pmodule
										   : NULL);
		break;
	case TARGET_ATVAR:
		bind_atvar(b, n);
		break;
	case TARGET_AUTO: /* lang/autocast.c, when types are inferred */
		break;
	}
	return 0;
}

/* ---- 2: @defined ---- */

static int find_unresolved(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	b->found |= node_unresolved(n) != NULL || node_has_drifted(n);
	b->open |= node_is_open(n);
	return 0;
}

static int defer(struct node *n, void *ctx)
{
	const struct binding *b = ctx;

	if (!b->d || !probe_is_return(b->d))
		kernelchoice_defer(b->s, n);
	return 0;
}

static int fold_defined(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind != NODE_DEFINED)
		return 0;

	struct node *number = node_new(b->s->arena, NODE_NUMBER, n->loc);

	b->found = b->open = false;
	ast_walk(n->operand, find_unresolved, NULL, b);
	if (b->open && !b->found)
		return 0;
	number->number = !b->found;
	decisions_defined(b->s, n->operand, !b->found);
	replace(n, number);
	return 0;
}

/* ---- 3: reports ---- */

static bool may_be_left_out(const struct binding *b, const struct node *n)
{
	return n->kind == NODE_TARGET && !b->s->options->skip_badvars && !b->s->options->list &&
	       !(b->d && (b->d->may_lack || probe_is_twin(b->d)));
}

static int report(struct node *n, void *ctx)
{
	struct binding *b = ctx;
	const char *why = node_unresolved(n);

	if (!why)
		return 0;
	/*
	 * Reported with the types, if the node is still there: code that does nothing is
	 * left out before.
	 */
	if (may_be_left_out(b, n)) {
		n->type = TYPE_ERROR;
		return 1;
	}
	if (b->s->options->skip_badvars && n->kind == NODE_TARGET) {
		diag_warning(b->s, n->loc, "%s; it is taken as 0", why);
		decisions_defined(b->s, n, false);
		*n = (struct node){
			.kind = NODE_NUMBER, .type = TYPE_LONG, .loc = n->loc, .next = n->next
		};
		return 1;
	}
	if (b->d && b->d->may_lack) {
		if (!b->d->lacks)
			b->d->lacking = n;
		b->d->lacks = b->d->lacks ? b->d->lacks : why;
	} else if (!b->d || !probe_is_twin(b->d)) {
		diag_error(b->s, n->loc, "%s%s", why, target_hint(b->s, n));
		diag_page(b->s, PAGE_CONTEXTVARS);
	}
	if (n->kind == NODE_TARGET)
		n->unresolved = NULL; /* it was reported */
	n->type = TYPE_ERROR;
	return 1;
}

/* ---- 4: values saved at entry ---- */

/* Returns the slot of the expression; a variable that is used twice is saved once. */
static unsigned save(struct binding *b, struct node *value)
{
	struct handler *h = b->d->handler;
	const char *text = unparse_node(b->s->arena, value);

	vec_each(&h->saved, i)
		if (value->kind == NODE_TARGET && !value->list &&
		    !strcmp(unparse_node(b->s->arena, h->saved.data[i]), text))
			return i;
	vec_push(b->s->arena, &h->saved, value);
	return h->saved.count - 1;
}

static bool is_result(const struct node *n)
{
	if (n->access && n->access->of_result)
		return true;
	return n->target == TARGET_VAR && !strcmp(n->target_name, "$return") &&
	       !(n->access && (n->access->at_entry || n->access->place_at_entry));
}

static bool is_entry_value(const struct node *n)
{
	return n->kind == NODE_TARGET && n->target == TARGET_VAR && n->access && !is_result(n) &&
	       (n->access->base == ACCESS_ARG || n->access->base == ACCESS_SYSCALL_ARG ||
		n->access->base == ACCESS_EXPRESSION);
}

/* Returns a node for what the variable has there at entry. */
static struct node *at_entry(struct binding *b, const struct node *n, struct access *at)
{
	struct node *ret = node_new(b->s->arena, NODE_TARGET, n->loc);

	ret->target = TARGET_VAR;
	ret->target_name = n->target_name;
	ret->access = at;
	return ret;
}

/* Returns the variable's access, which begins with the number in that slot. */
static struct access *access_of_saved(struct binding *b, const struct node *n, unsigned slot)
{
	struct node *entry = node_new(b->s->arena, NODE_ENTRY, n->loc);
	struct access *ret = arena_new(b->s->arena, struct access);

	entry->slot = slot;
	entry->entry_of = b->d->handler;
	entry->type = TYPE_LONG;
	*ret = *n->access;
	ret->base = ACCESS_VALUE;
	ret->value = entry;
	return ret;
}

/*
 * Saves the address of a variable that can be found only by the registers at entry, and
 * that is read at the return.
 */
static void save_address(struct binding *b, struct node *n)
{
	struct access *at = arena_new(b->s->arena, struct access);
	struct node *address = at_entry(b, n, at);

	*at = (struct access){ .base = n->access->base,
			       .number = n->access->number,
			       .expression = n->access->expression,
			       .user = n->access->user,
			       .c_type = "long" };
	address->address_of = true;
	n->access = access_of_saved(b, n, save(b, address));
}

/* True: its text needs only a number, which is read without a load that may fail. */
static bool is_number_text(struct session *s, const struct access *a)
{
	if (!a->pretty_number || !shape_is_number(s, a))
		return false;
	vec_each(&a->steps, i)
		if (a->steps.data[i].kind == ACCESS_LOAD || a->steps.data[i].kind == ACCESS_INTO)
			return false;
	for (size_t i = 0; a->expression && i < a->expression->operations.count; i++)
		if (a->expression->operations.data[i].kind == ACCESS_MEMORY)
			return false;
	return true;
}

/* Saves a number that is shown as text at the return: the text would take more room. */
static void save_number(struct binding *b, struct node *n)
{
	struct handler *h = b->d->handler;
	struct access *at = arena_new(b->s->arena, struct access);

	*at = *n->access;
	at->pretty = PRETTY_NONE;
	at->pretty_number = false;
	vec_push(b->s->arena, &h->saved, at_entry(b, n, at));
	n->access = access_of_saved(b, n, h->saved.count - 1);
	memset(&n->access->steps, 0, sizeof(n->access->steps));
}

static int find_return(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_TARGET && n->access &&
	    (n->access->base == ACCESS_RETURN || n->access->place_at_entry || is_result(n)))
		b->found = true;
	return 0;
}

/* Replaces @entry inside @entry with its operand, which is computed at entry anyway. */
static int unwrap_entry(struct node *n, void *ctx)
{
	if (n->kind == NODE_ENTRY && n->operand)
		replace(n, n->operand);
	return 0;
}

static int save_node(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_ENTRY) {
		if (!n->operand)
			return 1;
		b->found = false;
		ast_walk(n->operand, find_return, unwrap_entry, b);
		if (!probe_is_return(b->d) || b->found)
			return 1; /* reported by inference, unless the code is dropped */
		if (b->d->no_entry) {
			diag_error(b->s, n->loc, "@entry: %s", b->d->no_entry);
			return 1;
		}
		n->slot = save(b, n->operand);
		n->entry_of = b->d->handler;
		n->operand = NULL;
		return 1;
	}
	if (!probe_is_return(b->d) || b->d->no_entry || !is_entry_value(n))
		return 0;
	if (n->lives_on || n->access->place_at_entry) {
		save_address(b, n);
		return 0;
	}
	if (is_number_text(b->s, n->access)) {
		save_number(b, n);
		return 0;
	}

	struct node *entry = node_new(b->s->arena, NODE_ENTRY, n->loc);
	struct node *value = node_new(b->s->arena, NODE_TARGET, n->loc);

	*value = *n;
	value->next = NULL;
	entry->slot = save(b, value);
	entry->entry_of = b->d->handler;
	entry->type = n->type;
	replace(n, entry);
	return 1;
}

static void walk(struct node *body, int (*pre)(struct node *n, void *ctx),
		 int (*post)(struct node *n, void *ctx), struct binding *b)
{
	if (body)
		ast_walk(body, pre, post, b);
}

void bind_targets(struct session *s, struct derived *d, struct node *body)
{
	struct binding b = { .s = s, .d = d };

	walk(body, NULL, bind_node, &b);
	walk(body, defer, fold_defined, &b);
	constants_fold(s, body);
	walk(body, report, NULL, &b);
	walk(body, save_node, NULL, &b);
}

/* ---- without a probe ---- */

static int bind_cast(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_TARGET && n->target == TARGET_VAR)
		return 0;
	return bind_node(n, b);
}

void bind_casts(struct session *s, struct node *body)
{
	struct binding b = { .s = s };

	if (!bind_has_targets(body))
		return;
	walk(body, NULL, bind_cast, &b);
	walk(body, defer, fold_defined, &b);
	constants_fold(s, body);
	walk(body, report, NULL, &b);
}

static int find_targets(struct node *n, void *ctx)
{
	if (n->kind == NODE_ATOP && (enumops_are_asked(n) || !strcmp(n->atop, "perf")))
		return -1;
	return n->kind == NODE_DEFINED || n->kind == NODE_ENTRY || n->kind == NODE_TARGET ? -1 : 0;
}

bool bind_has_targets(const struct node *body)
{
	return body && ast_walk((struct node *)body, find_targets, NULL, NULL) < 0;
}

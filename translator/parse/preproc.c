/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of %( … %? … %: … %): comparisons joined by && and ||, && binding tighter.
 * To add a variable: a row in `variables`.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/arch.h"
#include "ast/decisions.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "parse/token.h"

static const char *running_release(struct session *s)
{
	struct utsname u;

	return uname(&u) ? "0" : arena_strdup(s->arena, u.release);
}

static const char *full_release(struct session *s)
{
	if (s->arch)
		return s->kernel->release;
	if (s->options && s->options->release && s->options->release[0] != '/')
		return s->options->release;
	return running_release(s);
}

/* Returns "6.1.0" of "6.1.0-56-cloud-amd64". */
static const char *kernel_v(struct session *s)
{
	const char *release = full_release(s);

	return arena_strndup(s->arena, release, strcspn(release, "-"));
}

static const char *arch(struct session *s)
{
	struct utsname u;

	if (s->arch)
		return s->arch->machine->script_name;
	return uname(&u) ? "unknown" : arena_strdup(s->arena, u.machine);
}

static const char *runtime(struct session *s)
{
	return s->options ? options_runtime(s->options->runtime) + strlen("--runtime=") : "kernel";
}

static const char *systemtap_v(struct session *s)
{
	return s->options ? s->options->compatible : SYSTEMTAP_VERSION;
}

static const char *privilege(struct session *s)
{
	return privilege_names[s->options ? s->options->privilege : PRIVILEGE_STAPDEV];
}

/* Ways to compare a variable, beyond `==` and `!=`. */
enum { BY_ORDER = 1 /* as a version */, BY_WILDCARD = 2 };

static const struct variable {
	const char *name;
	unsigned ways;
	const char *(*get)(struct session *s);
} variables[] = {
	{ "kernel_v", BY_ORDER | BY_WILDCARD, kernel_v },
	{ "kernel_vr", BY_ORDER | BY_WILDCARD, full_release },
	{ "systemtap_v", BY_ORDER | BY_WILDCARD, systemtap_v },
	{ "arch", BY_WILDCARD, arch },
	{ "runtime", BY_WILDCARD, runtime },
	{ "systemtap_privilege", 0, privilege },
};

static const struct variable *find_variable(const struct token *t)
{
	for (size_t i = 0; t->kind == TOKEN_WORD && i < sizeof(variables) / sizeof(variables[0]);
	     i++)
		if (!strcmp(t->text, variables[i].name))
			return &variables[i];
	return NULL;
}

static bool is_config(const struct token *t)
{
	return t->kind == TOKEN_WORD && !strncmp(t->text, "CONFIG_", 7);
}

/* Returns the value of a configuration variable; "" when it is not set. */
static const char *config_value(struct session *s, const struct token *t)
{
	const char *value = s->kernel ? kernel_config(s, t->text) : NULL;
	struct error *unknown = NULL;

	/* Options that the library tests are those of the architecture. */
	if (s->kernel && !t->loc.source->is_tapset)
		unknown = kernel_need_config(s, t->text);
	if (unknown)
		diag_error(s, t->loc, "%s", unknown->text);
	return value ? value : "";
}

/* Reads a number; a variable that is not set counts as 0. */
static bool parse_number(const char *text, int64_t *ret)
{
	char *end;

	*ret = (int64_t)strtoll(text, &end, 0);
	return !*end;
}

static bool is_order(const char *op)
{
	return op[0] == '<' || op[0] == '>';
}

/* Decides a comparison. order: the sign of left against right */
static bool decide(const char *op, int64_t order)
{
	switch (op[0]) {
	case '=':
		return order == 0;
	case '!':
		return order != 0;
	case '<':
		return op[1] ? order <= 0 : order < 0;
	default:
		return op[1] ? order >= 0 : order > 0;
	}
}

static int64_t number_order(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static bool is_comparison(const struct token *op)
{
	return op->kind == TOKEN_PUNCT &&
	       (!strcmp(op->text, "==") || !strcmp(op->text, "!=") ||
		(is_order(op->text) && strlen(op->text) <= 2 && op->text[1] != op->text[0]));
}

static bool refuse(struct session *s, const struct token *at, const char *message)
{
	diag_error(s, at->loc, "%s", message);
	return false;
}

static bool want_comparison(struct session *s, const struct token *op)
{
	return is_comparison(op) || refuse(s, op, "expected a comparison: == != < > <= >=");
}

/*
 * Refuses everything except == and != for "arch" and similar variables: names have no
 * order.
 */
static bool want_equality(struct session *s, const struct token *op, const char *left)
{
	if (!want_comparison(s, op))
		return false;
	if (is_order(op->text))
		diag_error(s, op->loc, "'%s' is compared with '==' or '!=' only", left);
	return !is_order(op->text);
}

/* Notes a decision that another kernel may change, for --runtime=bpf. */
static bool by_kernel(struct session *s, const struct token *t, const char *variable, bool decision)
{
	const struct access_field version = { .kind = FIELD_VERSION,
					      .type = t[1].text,
					      .path = t[2].text,
					      .is = variable,
					      .number = decision };
	const struct access_field bound = { .kind = FIELD_KERNEL,
					    .type = "",
					    .path = "",
					    .is = arena_printf(s->arena, "%s has decided",
							       t->text) };

	decisions_add(s, variable ? &version : &bound, t->loc);
	return decision;
}

static bool decide_variable(struct session *s, const struct token *t, const struct variable *v)
{
	const struct token *op = t + 1, *right = t + 2;
	const char *value = v->get(s);
	/* Compares either name: ours is the one of uname. */
	const char *other = v->get == arch && s->arch ? s->arch->name : value;
	bool wildcard = right->kind == TOKEN_STRING && right->text[strcspn(right->text, "*?[")];

	if (right->kind != TOKEN_STRING)
		return refuse(s, right,
			      arena_printf(s->arena, "'%s' is compared with a string", v->name));
	if (v->ways & BY_ORDER ? !want_comparison(s, op) : !want_equality(s, op, v->name))
		return false;
	if (wildcard && is_order(op->text))
		return refuse(s, op, "wildcards are compared with '==' or '!=' only");
	if (wildcard && (v->ways & BY_WILDCARD))
		return decide(op->text,
			      fnmatch(right->text, value, 0) && fnmatch(right->text, other, 0));
	if (!strcmp(right->text, other))
		value = other;
	return decide(op->text, v->ways & BY_ORDER ? strverscmp(value, right->text)
						   : strcmp(value, right->text));
}

static bool compare_variable(struct session *s, const struct token *t, const struct variable *v)
{
	bool decision = decide_variable(s, t, v);

	return v->get == kernel_v || v->get == full_release ? by_kernel(s, t, v->name, decision)
							    : decision;
}

static bool compare_guru_mode(struct session *s, const struct token *t)
{
	int64_t guru = s->options && s->options->guru;

	if (t[2].kind != TOKEN_NUMBER || t[2].number < 0 || t[2].number > 1)
		return refuse(s, t + 2, "guru_mode is compared with 0 or 1");
	return want_equality(s, t + 1, "guru_mode") &&
	       decide(t[1].text, number_order(guru, t[2].number));
}

/* Compares a configuration value, as a number if both sides are numbers. */
static bool decide_config(struct session *s, const struct token *t)
{
	const struct token *op = t + 1, *right = t + 2;
	const char *value = config_value(s, t), *other;
	int64_t a, b;

	if (right->kind == TOKEN_STRING)
		return want_equality(s, op, t->text) &&
		       decide(op->text, fnmatch(right->text, value, 0));
	if (right->kind != TOKEN_NUMBER && !is_config(right))
		return refuse(
			s, right,
			arena_printf(s->arena,
				     "'%s' is compared with a string, a number or another CONFIG_…",
				     t->text));
	if (!want_comparison(s, op))
		return false;
	if (is_config(right)) {
		other = config_value(s, right);
		if (*value && *other && parse_number(value, &a) && parse_number(other, &b))
			return decide(op->text, number_order(a, b));
		return decide(op->text, strcmp(value, other));
	}
	if (!parse_number(value, &a))
		return refuse(s, t,
			      arena_printf(s->arena, "'%s' is \"%s\", no number", t->text, value));
	return decide(op->text, number_order(a, right->number));
}

static bool is_literal(const struct token *t)
{
	return t->kind == TOKEN_STRING || t->kind == TOKEN_NUMBER;
}

static bool compare_literals(struct session *s, const struct token *t)
{
	const struct token *op = t + 1, *right = t + 2;

	if (t->kind != right->kind)
		return refuse(s, right, "a number is compared with a string");
	if (!want_comparison(s, op))
		return false;
	return decide(op->text, t->kind == TOKEN_NUMBER ? number_order(t->number, right->number)
							: strcmp(t->text, right->text));
}

static void report_value(struct session *s, const struct token *bad)
{
	static const char *const names[] = { "kernel_v", "kernel_vr", "systemtap_v",
					     "arch",	 "runtime",   "systemtap_privilege",
					     "guru_mode" };
	const char *near = bad->kind == TOKEN_WORD ? diag_near(s, bad->text, names,
							       sizeof(names) / sizeof(names[0]))
						   : NULL;

	if (near)
		diag_error(s, bad->loc, "unknown name '%s'; did you mean %s", bad->text, near);
	else
		diag_error(s, bad->loc,
			   "expected a number, a string or one of kernel_v, kernel_vr, arch, "
			   "runtime, systemtap_v, "
			   "systemtap_privilege, guru_mode, CONFIG_…");
}

static bool compare(struct session *s, const struct token *t)
{
	const struct variable *v = find_variable(t);

	if (v)
		return compare_variable(s, t, v);
	if (token_is(t, TOKEN_WORD, "guru_mode"))
		return compare_guru_mode(s, t);
	if (is_config(t))
		return by_kernel(s, t, NULL, decide_config(s, t));
	if (is_literal(t) && is_literal(t + 2))
		return compare_literals(s, t);
	if (is_literal(t) && (is_config(t + 2) || find_variable(t + 2)))
		return refuse(s, t,
			      arena_printf(s->arena, "'%s' belongs on the left of a comparison",
					   t[2].text));
	report_value(s, is_literal(t) ? t + 2 : t);
	return false;
}

bool preproc_condition(struct session *s, const struct token *begin, const struct token *end,
		       struct loc loc)
{
	bool any = false, all = true;

	for (const struct token *t = begin;; t += 4) {
		if (end - t < 3) {
			diag_error(s, t < end ? t->loc : loc,
				   "expected a comparison of two values");
			return false;
		}
		all = compare(s, t) && all;
		if (t + 3 == end)
			return any || all;
		if (token_is(t + 3, TOKEN_PUNCT, "||")) {
			any = any || all;
			all = true;
		} else if (!token_is(t + 3, TOKEN_PUNCT, "&&")) {
			diag_error(s, t[3].loc, "expected '&&', '||' or '%%?'");
			return false;
		}
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of %( … %? … %: … %): comparisons joined by && and ||, && binding tighter. To add a variable: a row in
 * `variables`.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/session.h"
#include "debuginfo/kernel.h"
#include "options.h"
#include "parse/token.h"

/* The release of SystemTap whose language this is. */

enum value_kind { VALUE_STRING, VALUE_VERSION, VALUE_NUMBER, VALUE_CONFIG };

struct value {
	enum value_kind kind;
	const char *string;
	int64_t number;
};

static const char *running_release(struct session *s)
{
	struct utsname u;

	return uname(&u) ? "0" : arena_strdup(s->arena, u.release);
}

static const char *full_release(struct session *s)
{
	if (s->kernel)
		return s->kernel->release;
	if (s->options && s->options->release && s->options->release[0] != '/')
		return s->options->release;
	return running_release(s);
}

/* "6.1.0" of "6.1.0-56-cloud-amd64" */
static const char *kernel_v(struct session *s)
{
	const char *release = full_release(s);

	return arena_strndup(s->arena, release, strcspn(release, "-"));
}

static const char *arch(struct session *s)
{
	struct utsname u;

	if (s->kernel)
		return s->kernel->arch;
	return uname(&u) ? "unknown" : arena_strdup(s->arena, u.machine);
}

static const char *runtime(struct session *s)
{
	return s->options && s->options->runtime == RUNTIME_USER ? "user" : "kernel";
}

static const char *systemtap_v(struct session *s)
{
	return s->options ? s->options->compatible : SYSTEMTAP_VERSION;
}

static const char *privilege(struct session *s)
{
	return privilege_names[s->options ? s->options->privilege : PRIVILEGE_STAPDEV];
}

static const struct variable {
	const char *name;
	enum value_kind kind;
	const char *(*get)(struct session *s);
} variables[] = {
	{ "kernel_v", VALUE_VERSION, kernel_v },
	{ "kernel_vr", VALUE_VERSION, full_release },
	{ "systemtap_v", VALUE_VERSION, systemtap_v },
	{ "arch", VALUE_STRING, arch },
	{ "runtime", VALUE_STRING, runtime },
	{ "systemtap_privilege", VALUE_STRING, privilege },
};

static bool read_value(struct session *s, const struct token *t, struct value *ret)
{
	*ret = (struct value){ .kind = VALUE_STRING, .string = "" };
	if (t->kind == TOKEN_NUMBER) {
		*ret = (struct value){ .kind = VALUE_NUMBER, .number = t->number };
		return true;
	}
	if (t->kind == TOKEN_STRING) {
		ret->string = t->text;
		return true;
	}
	if (t->kind != TOKEN_WORD)
		return false;
	if (!strcmp(t->text, "guru_mode")) {
		*ret = (struct value){ .kind = VALUE_NUMBER, .number = s->options && s->options->guru };
		return true;
	}
	if (!strncmp(t->text, "CONFIG_", 7)) {
		const char *value = s->kernel ? kernel_config(s, t->text) : NULL;

		*ret = (struct value){ .kind = VALUE_CONFIG, .string = value ? value : "" };
		return true;
	}
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (!strcmp(t->text, variables[i].name)) {
			*ret = (struct value){ .kind = variables[i].kind, .string = variables[i].get(s) };
			return true;
		}
	}
	return false;
}

static bool parse_number(const char *text, int64_t *ret)
{
	char *end;

	*ret = (int64_t)strtoll(text, &end, 0);
	return *text && !*end;
}

static bool is_order(const char *op)
{
	return op[0] == '<' || op[0] == '>';
}

/* order: the sign of left against right */
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

static bool compare_strings(struct session *s, const struct token *op, struct value left, struct value right)
{
	if (right.string[strcspn(right.string, "*?[")]) {
		if (is_order(op->text)) {
			diag_error(s, op->loc, "wildcards are compared with '==' or '!=' only");
			return false;
		}
		return decide(op->text, fnmatch(right.string, left.string, 0));
	}
	if (left.kind == VALUE_VERSION)
		return decide(op->text, strverscmp(left.string, right.string));
	return decide(op->text, strcmp(left.string, right.string));
}

static void report_value(struct session *s, const struct token *bad)
{
	static const char *const names[] = { "kernel_v", "kernel_vr", "systemtap_v", "arch", "runtime",
					     "systemtap_privilege", "guru_mode" };
	const char *near = bad->kind == TOKEN_WORD ? diag_near(s, bad->text, names, sizeof(names) / sizeof(names[0]))
			   : NULL;

	if (near)
		diag_error(s, bad->loc, "nothing is known of '%s' here; did you mean %s", bad->text, near);
	else
		diag_error(s, bad->loc,
			   "expected a number, a string or one of kernel_v, kernel_vr, arch, runtime, systemtap_v, "
			   "systemtap_privilege, guru_mode, CONFIG_…");
}

static bool compare(struct session *s, const struct token *t)
{
	struct value left, right;
	const struct token *op = t + 1;

	if (!read_value(s, t, &left) || !read_value(s, t + 2, &right)) {
		const struct token *bad = read_value(s, t, &left) ? t + 2 : t;

		report_value(s, bad);
		return false;
	}
	if (op->kind != TOKEN_PUNCT || (strcmp(op->text, "==") && strcmp(op->text, "!=") &&
					!(is_order(op->text) && strlen(op->text) <= 2 && op->text[1] != op->text[0]))) {
		diag_error(s, op->loc, "expected a comparison: == != < > <= >=");
		return false;
	}
	/* A configuration value is a number where both sides are. */
	if (left.kind == VALUE_CONFIG && right.kind == VALUE_CONFIG) {
		int64_t a, b;

		if (parse_number(left.string, &a) && parse_number(right.string, &b))
			return decide(op->text, a < b ? -1 : a > b);
		return decide(op->text, strcmp(left.string, right.string));
	}
	if (left.kind == VALUE_CONFIG && right.kind == VALUE_NUMBER) {
		if (!parse_number(left.string, &left.number)) {
			diag_error(s, t->loc, "'%s' is \"%s\", no number", t->text, left.string);
			return false;
		}
		left.kind = VALUE_NUMBER;
	}
	if (left.kind == VALUE_NUMBER && right.kind == VALUE_NUMBER)
		return decide(op->text, left.number < right.number ? -1 : left.number > right.number);
	if (left.kind == VALUE_NUMBER || right.kind == VALUE_NUMBER) {
		diag_error(s, op->loc, "a number is compared with a string");
		return false;
	}
	return compare_strings(s, op, left, right);
}

bool preproc_condition(struct session *s, const struct token *begin, const struct token *end, struct loc loc)
{
	bool any = false, all = true;

	for (const struct token *t = begin;; t += 4) {
		if (end - t < 3) {
			diag_error(s, t < end ? t->loc : loc, "expected a comparison of two values");
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

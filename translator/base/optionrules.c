/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/optionrules.h"

#include <stdint.h>
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/strbuf.h"

/* True: it restricts the run to a control group, which is staprun's work. */
static bool is_of_group(const char *arg)
{
	return !strcmp(arg, "--cgroup") || !strcmp(arg, "--container");
}

/*
 * True: programs take the option, too. Files of output from other machines are rotated
 * here, whatever runs there.
 */
static bool is_of_programs(const struct options *o, const char *arg)
{
	return !strcmp(arg, "--json") || (o->remotes.count && !strcmp(arg, "--compress")) ||
	       (o->runtime == RUNTIME_BPF && !o->remotes.count && !strcmp(arg, "-F"));
}

/* Returns a given option that works only for modules, or NULL. */
static const char *option_of_modules(const struct options *o)
{
	if (o->estimate)
		return "--estimate";
	vec_each(&o->run_args, i) {
		const char *arg = o->run_args.data[i];

		if ((o->remotes.count && !strcmp(arg, "-S")) ||
		    (o->runtime == RUNTIME_BPF && is_of_group(arg)))
			i++; // the next one is its value
		else if (!is_of_programs(o, arg))
			return arg;
	}
	return NULL;
}

/* ---- things that rules name ---- */

#define THING(name, shown, test) NAMED(name, shown, test)
#define EXCLUDES(name, others, text)
#define NEEDS(name, others, text)

#define NAMED(name, usual, word) NUMBER_##name,
enum {
#include "base/rules.def"
	THINGS
};
#undef NAMED

#define NAMED(name, usual, word) name = 1u << NUMBER_##name,
enum {
#include "base/rules.def"
};
#undef NAMED
#undef THING

_Static_assert(THINGS <= 32, "a set of things is an unsigned");

#define THING(name, shown, test) NAMED(name, shown, test ? shown : NULL)
#define NAMED(name, usual, word)                                                                   \
	static const char *name_##name(const struct options *o)                                    \
	{                                                                                          \
		return word;                                                                       \
	}
#include "base/rules.def"
#undef NAMED
#undef THING

/* `usual`: its name if it was not given; otherwise the name may depend on the options. */
static const struct {
	const char *usual;
	const char *(*name)(const struct options *o); /* NULL: not given */
} things[] = {
#define THING(name, shown, test) NAMED(name, shown, test)
#define NAMED(name, usual, word) { usual, name_##name },
#include "base/rules.def"
#undef NAMED
#undef THING
};
#undef NEEDS
#undef EXCLUDES

/* ---- the rules ---- */

static const struct rule {
	unsigned thing; /* its number */
	unsigned others;
	bool needs_others;
	const char *text;
} rules[] = {
#define THING(name, shown, test)
#define NAMED(name, usual, word)
#define EXCLUDES(name, others, text) { NUMBER_##name, others, false, text },
#define NEEDS(name, others, text)    { NUMBER_##name, others, true, text },
#include "base/rules.def"
#undef NEEDS
#undef EXCLUDES
#undef NAMED
#undef THING
};

static const char *show(const struct options *o, unsigned thing)
{
	const char *name = things[thing].name(o);

	return name ? name : things[thing].usual;
}

/* Returns "--vm, --remote or -F". */
static const char *list(struct session *s, const struct options *o, unsigned set)
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	for (unsigned i = 0; i < THINGS; i++) {
		if (!(set & 1u << i))
			continue;
		set &= ~(1u << i);
		strbuf_addf(&out, "%s%s", !out.len ? "" : set ? ", " : " or ", show(o, i));
	}
	return out.s;
}

struct error *optionrules_check(struct session *s, const struct options *o)
{
	unsigned given = 0;

	for (unsigned i = 0; i < THINGS; i++)
		given |= things[i].name(o) ? 1u << i : 0;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if (given & 1u << r->thing && r->needs_others == !(given & r->others))
			return error_create(s->arena, ERROR_USAGE, r->text, show(o, r->thing),
					    list(s, o, r->others));
	}
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/limits.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/word.h"

#define SLOW_FACTOR	 10 /* MAXACTION_INTERRUPTIBLE divided by MAXACTION */
#define OVERLOAD_PERCENT 90 /* most of a processor that probes may use, without -g */

#define NONE(...)

/* `easy`: the largest value without -g */
static const struct {
	const char *macro, *member;
	uint64_t initial, least, easy, most;
} limits[LIMIT_COUNT] = {
#define LIMIT(kind, macro, member, initial, least, easy, most)                                     \
	[LIMIT_##kind] = { macro, member, initial, least, easy, most },
#define SWITCH NONE
#define IDLE   NONE
#include "emit/limits.def"
#undef LIMIT
#undef SWITCH
#undef IDLE
};

enum {
#define LIMIT			  NONE
#define SWITCH(kind, macro, guru) SWITCH_##kind,
#define IDLE			  NONE
#include "emit/limits.def"
#undef LIMIT
#undef SWITCH
#undef IDLE
	SWITCH_COUNT
};

static const struct {
	const char *macro;
	bool guru;
} switches[SWITCH_COUNT] = {
#define LIMIT			  NONE
#define SWITCH(kind, macro, guru) [SWITCH_##kind] = { macro, guru },
#define IDLE			  NONE
#include "emit/limits.def"
#undef LIMIT
#undef SWITCH
#undef IDLE
};

static const struct idle {
	const char *macro, *instead;
} idles[] = {
#define LIMIT		     NONE
#define SWITCH		     NONE
#define IDLE(macro, instead) { macro, instead },
#include "emit/limits.def"
#undef LIMIT
#undef SWITCH
#undef IDLE
};

/* ---- names ---- */

/* Returns the last -D of the name. */
static const struct definition *find(const struct session *s, const char *name)
{
	for (size_t i = s->options->macros.count; i > 0; i--) {
		if (!strcmp(s->options->macros.data[i - 1].name, name))
			return &s->options->macros.data[i - 1];
	}
	return NULL;
}

/* Returns the limit of that name, or LIMIT_COUNT. */
static enum limit limit_of(const char *name)
{
	unsigned i = 0;

	while (i < LIMIT_COUNT && strcmp(limits[i].macro, name))
		i++;
	return i;
}

static unsigned switch_of(const char *name)
{
	unsigned i = 0;

	while (i < SWITCH_COUNT && strcmp(switches[i].macro, name))
		i++;
	return i;
}

static const struct idle *idle_of(const char *name)
{
	for (size_t i = 0; i < sizeof(idles) / sizeof(idles[0]); i++) {
		const char *macro = idles[i].macro;
		size_t len = strcspn(macro, "*");

		if (macro[len] ? !strncmp(macro, name, len) : !strcmp(macro, name))
			return &idles[i];
	}
	return NULL;
}

/* ---- values ---- */

/* Reads a number of C: decimal, octal or hexadecimal, with or without a suffix. */
static bool parse(const char *text, uint64_t *ret)
{
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	end += strspn(end, "uUlL");
	return !errno && !*end;
}

static bool is_identifier(const char *text)
{
	return !isdigit((unsigned char)*text) && *text && !text[word_length(text)];
}

/* Reads a limit's value. -DHIST_ELISION=-1 means: leave out nothing. */
static bool parse_limit(enum limit which, const char *text, uint64_t *ret)
{
	if (which == LIMIT_HIST_ELISION && text && *text == '-' && parse(text + 1, ret))
		*ret = limits[which].most;
	else if (!parse(text, ret))
		return false;
	return *ret >= limits[which].least && *ret <= limits[which].most;
}

static uint64_t most_allowed(const struct session *s, enum limit which)
{
	return s->options->guru ? limits[which].most : limits[which].easy;
}

uint64_t limit_value(struct session *s, enum limit which)
{
	const struct definition *d = find(s, limits[which].macro);
	uint64_t value;

	if (d && parse_limit(which, d->value, &value))
		return value;
	if (which != LIMIT_ACTION_SLOW)
		return limits[which].initial;
	value = SLOW_FACTOR * limit_value(s, LIMIT_ACTION);
	return value < most_allowed(s, which) ? value : most_allowed(s, which);
}

bool limit_is_set(struct session *s, enum limit which)
{
	return find(s, limits[which].macro) != NULL;
}

/* ---- refusals ---- */

static void check_limit(struct session *s, const struct definition *d, enum limit which)
{
	uint64_t value;

	if (!parse_limit(which, d->value, &value))
		diag_error(s, (struct loc){ 0 },
			   "-D%s=%s: a number from %" PRIu64 " to %" PRIu64 " is expected", d->name,
			   d->value ? d->value : "", limits[which].least, most_allowed(s, which));
	else if (value > most_allowed(s, which))
		diag_error(s, (struct loc){ 0 },
			   "-D%s=%s: more than %" PRIu64
			   " can take the machine's processors for seconds; it needs -g, as "
			   "--suppress-time-limits does",
			   d->name, d->value, limits[which].easy);
}

static void check_switch(struct session *s, const struct definition *d, unsigned which)
{
	uint64_t value;

	if (d->value && !parse(d->value, &value))
		diag_error(s, (struct loc){ 0 }, "-D%s=%s: a number is expected, or nothing",
			   d->name, d->value);
	else if (switches[which].guru && !s->options->guru)
		diag_error(s, (struct loc){ 0 },
			   "-D%s removes a limit that keeps the machine responsive; it needs -g, "
			   "as --suppress-time-limits does",
			   d->name);
}

static void warn_idle(struct session *s, const struct definition *d, const struct idle *idle)
{
	diag_warning(s, (struct loc){ 0 }, "-D%s does nothing here%s%s", d->name,
		     idle->instead ? "; " : "", idle->instead ? idle->instead : "");
}

/* Returns a suggestion for a misspelt name, "; did you mean 'MAXACTION'", or "". */
static const char *near(struct session *s, const char *name)
{
	const char *names[LIMIT_COUNT + SWITCH_COUNT], *found;

	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		names[i] = limits[i].macro;
	for (unsigned i = 0; i < SWITCH_COUNT; i++)
		names[LIMIT_COUNT + i] = switches[i].macro;
	found = diag_near(s, name, names, LIMIT_COUNT + SWITCH_COUNT);
	return found ? arena_printf(s->arena, "; did you mean %s", found) : "";
}

/* True: the text contains the name as a word. */
static bool mentions(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len)
		if ((at == text || !word_char(at[-1])) && !word_char(at[len]))
			return true;
	return false;
}

/* True: C code in the module may use the macro. */
static bool is_used(const struct session *s, const char *name)
{
	const struct program *p = s->program;

	vec_each(&p->units, i)
		if (mentions(p->units.data[i]->source->text, name))
			return true;
	vec_each(&p->functions, i)
		if (p->functions.data[i]->code && mentions(p->functions.data[i]->code, name))
			return true;
	vec_each(&p->embeds, i)
		if (p->embeds.data[i]->string && mentions(p->embeds.data[i]->string, name))
			return true;
	return false;
}

/* Checks a macro of the user, for C in the script. */
static void check_macro(struct session *s, const struct definition *d)
{
	uint64_t value;

	if (!s->options->guru)
		diag_error(s, (struct loc){ 0 },
			   "-D%s sets no limit%s; a macro for C in the script needs -g", d->name,
			   near(s, d->name));
	else if (d->value && !parse(d->value, &value) && !is_identifier(d->value))
		diag_error(s, (struct loc){ 0 }, "-D%s=%s: a number or an identifier is expected",
			   d->name, d->value);
	else if (!is_used(s, d->name))
		diag_warning(s, (struct loc){ 0 },
			     "-D%s sets no limit%s; no C in the script mentions it", d->name,
			     near(s, d->name));
}

static void check(struct session *s, const struct definition *d)
{
	enum limit limit = limit_of(d->name);
	unsigned which = switch_of(d->name);
	const struct idle *idle = idle_of(d->name);

	if (limit != LIMIT_COUNT)
		check_limit(s, d, limit);
	else if (which != SWITCH_COUNT)
		check_switch(s, d, which);
	else if (idle)
		warn_idle(s, d, idle);
	else
		check_macro(s, d);
}

/*
 * Returns the percentage of a processor that the user requests. In a guest, returns the
 * maximum: the guest serves nobody else, and an emulated hit costs many times more.
 */
static uint64_t overload_asked(struct session *s)
{
	if (s->options->vm && !find(s, limits[LIMIT_OVERLOAD_THRESHOLD].macro))
		return OVERLOAD_PERCENT;
	return limit_value(s, LIMIT_OVERLOAD_THRESHOLD) * 100 /
	       limit_value(s, LIMIT_OVERLOAD_INTERVAL);
}

void limits_check(struct session *s)
{
	unsigned errors = s->errors;

	vec_each(&s->options->macros, i)
		check(s, &s->options->macros.data[i]);
	vec_each(&s->options->make_variables, i)
		diag_warning(s, (struct loc){ 0 },
			     "-B%s does nothing here; -D defines a macro, -r /DIR takes another "
			     "build tree",
			     s->options->make_variables.data[i]);
	if (s->errors > errors)
		diag_page(s, PAGE_RESOURCE_LIMITS);
	/*
	 * This is not refused: for years, people who want no limit have run scripts this
	 * way.
	 */
	if (!s->options->guru && overload_asked(s) > OVERLOAD_PERCENT)
		diag_warning(s, (struct loc){ 0 },
			     "-D%s: more than %d %% of %s needs -g; %d %% is taken",
			     limits[LIMIT_OVERLOAD_THRESHOLD].macro, OVERLOAD_PERCENT,
			     limits[LIMIT_OVERLOAD_INTERVAL].macro, OVERLOAD_PERCENT);
}

/* ---- the runtime's limits ---- */

const char *limits_macro(struct session *s, const struct definition *d)
{
	enum limit limit = limit_of(d->name);
	bool is_own = limit == LIMIT_COUNT && switch_of(d->name) == SWITCH_COUNT;
	uint64_t value = 1;

	if (is_own && idle_of(d->name))
		return NULL;
	if (is_own)
		return d->value ? d->value : "1"; /* a number or an identifier */
	if (limit != LIMIT_COUNT)
		value = limit_value(s, limit);
	else if (d->value)
		parse(d->value, &value);
	return arena_printf(s->arena, "%" PRIu64, value);
}

/* Returns the runtime's limit as a percentage; 0: none. */
static uint64_t overload_percent(struct session *s)
{
	uint64_t percent = overload_asked(s);

	if (find(s, switches[SWITCH_NO_OVERLOAD].macro) || s->options->suppress_time_limits)
		return 0;
	if (s->options->guru)
		return percent > 100 ? 0 : percent ? percent : 1;
	return percent > OVERLOAD_PERCENT ? OVERLOAD_PERCENT : percent ? percent : 1;
}

/*
 * Returns the limit's value for the runtime. SystemTap's handlers can be interrupted
 * unless -DINTERRUPTIBLE=0 is given, and then all have the larger budget. Handlers here
 * cannot be interrupted, but scripts must work the same.
 */
static uint64_t runtime_value(struct session *s, enum limit which, uint64_t nesting)
{
	if (which == LIMIT_NESTING && !limit_is_set(s, which))
		return nesting;
	if ((which == LIMIT_ACTION || which == LIMIT_ACTION_SLOW) &&
	    s->options->suppress_time_limits)
		return UINT32_MAX;
	if (which == LIMIT_ACTION && limit_value(s, LIMIT_INTERRUPTIBLE))
		return limit_value(s, LIMIT_ACTION_SLOW);
	if (which == LIMIT_TRYLOCK && s->options->suppress_time_limits)
		return UINT32_MAX;
	return limit_value(s, which);
}

void limits_emit(struct session *s, struct writer *w, uint64_t nesting)
{
	uint64_t string = limit_value(s, LIMIT_STRING);

	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		if (limits[i].member)
			writer_line(w, ".%s = %" PRIu64 ",", limits[i].member,
				    runtime_value(s, i, nesting));
	}
	writer_line(w, ".string_short = %" PRIu64 ",",
		    string < STRING_SHORT ? string - 1 : STRING_SHORT - 1);
	writer_line(w, ".suppress_errors = %s,", s->options->suppress_errors ? "true" : "false");
	writer_line(w, ".buffer_mb = %u,", s->options->buffer_mb);
	writer_line(w, ".overload_percent = %" PRIu64 ",", overload_percent(s));
}

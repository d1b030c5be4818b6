/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "base/writer.h"
#include "base/options.h"

#define SLOW_FACTOR 10 /* MAXACTION_INTERRUPTIBLE divided by MAXACTION */

static const struct {
	const char *macro, *member;
	uint64_t initial, least, most;
} limits[LIMIT_COUNT] = {
#define LIMIT(kind, macro, member, initial, least, most)                                           \
	[LIMIT_##kind] = { macro, member, initial, least, most },
#include "emit/limits.def"
#undef LIMIT
};

/* Returns the last -D of the name. */
static const struct definition *find(const struct session *s, const char *name)
{
	for (size_t i = s->options->macros.count; i > 0; i--) {
		if (!strcmp(s->options->macros.data[i - 1].name, name))
			return &s->options->macros.data[i - 1];
	}
	return NULL;
}

static bool parse(const char *text, uint64_t *ret)
{
	char *end;

	if (!text || !*text)
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	end += strspn(end, "uUlL");
	return !errno && !*end && *text != '-';
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

uint64_t limit_value(struct session *s, enum limit which)
{
	const struct definition *d = find(s, limits[which].macro);
	uint64_t value;

	if (d && parse_limit(which, d->value, &value))
		return value;
	if (which == LIMIT_ACTION_SLOW)
		return SLOW_FACTOR * limit_value(s, LIMIT_ACTION);
	return limits[which].initial;
}

bool limit_is_set(struct session *s, enum limit which)
{
	return find(s, limits[which].macro) != NULL;
}

/*
 * Warns of a name that is nearly a limit's: it is a macro like any other, but hardly
 * meant so.
 */
static void warn_near(struct session *s)
{
	const char *names[LIMIT_COUNT];

	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		names[i] = limits[i].macro;
	for (size_t i = 0; i < s->options->macros.count; i++) {
		const char *name = s->options->macros.data[i].name,
			   *near = diag_near(s, name, names, LIMIT_COUNT);
		bool is_limit = false;

		for (unsigned k = 0; k < LIMIT_COUNT; k++)
			is_limit |= !strcmp(name, names[k]);
		if (near && !is_limit)
			diag_warning(s, (struct loc){ 0 }, "-D%s sets no limit; did you mean %s",
				     name, near);
	}
}

void limits_check(struct session *s)
{
	warn_near(s);
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		const struct definition *d = find(s, limits[i].macro);
		uint64_t value;

		if (!d || parse_limit(i, d->value, &value))
			continue;
		diag_error(s, (struct loc){ 0 },
			   "-D%s=%s: a number from %" PRIu64 " to %" PRIu64 " is expected", d->name,
			   d->value ? d->value : "", limits[i].least, limits[i].most);
		diag_page(s, PAGE_RESOURCE_LIMITS);
	}
}

static uint64_t overload_percent(struct session *s)
{
	uint64_t percent;

	if (find(s, "STP_NO_OVERLOAD") || s->options->suppress_time_limits)
		return 0;
	percent = limit_value(s, LIMIT_OVERLOAD_THRESHOLD) * 100 /
		  limit_value(s, LIMIT_OVERLOAD_INTERVAL);
	return percent > 100 ? 0 : percent;
}

/*
 * Returns the limit's value for the runtime. SystemTap's handlers can be interrupted
 * unless -DINTERRUPTIBLE=0 is given, and then all have the larger budget. Handlers here
 * cannot be interrupted, but scripts are to work the same.
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

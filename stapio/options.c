/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "stapio/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/dburl.h"
#include "lib/terminal.h"
#include "trace/messages.h"
#include "trace/source/module.h"

static const char usage_text[] =
	"Usage: stapio [options] --fds=CTL,FORMATS,PROBES,BOOKS,RING... MODULE\n"
	"Reads the output of a loaded module. staprun starts it; see staprun -h.\n";

static bool parse_number(const char *s, long min, long max, char **end, long *ret)
{
	errno = 0;
	*ret = strtol(s, end, 10);
	return *end != s && !errno && *ret >= min && *ret <= max;
}

/* Sets the n-th descriptor of --fds. */
static bool add_fd(struct module *m, unsigned n, int fd)
{
	int *const first[] = { &m->ctl, &m->formats, &m->probes, &m->books };

	if (n < 4) {
		*first[n] = fd;
		return true;
	}
	if (m->nrings == MODULE_MAX_RINGS)
		return false;
	m->rings[m->nrings++] = fd;
	return true;
}

static bool parse_fds(const char *s, struct module *m)
{
	m->nrings = 0;
	for (unsigned n = 0;; n++) {
		char *end;
		long fd;

		if (!parse_number(s, 3, INT_MAX, &end, &fd) || !add_fd(m, n, (int)fd))
			return false;
		if (!*end)
			return n >= 4;
		if (*end != ',')
			return false;
		s = end + 1;
	}
}

static bool wrong(const char *what)
{
	message_error("%s (stapio -h lists the options)", what);
	return false;
}

static bool check_output(const struct options *o)
{
	const char *why = filename_check(o->output, o->keep_raw);

	if (why)
		message_error("-o %s: %s", o->output, why);
	else if (filename_looks_like_date(o->output))
		message_warning("-o %s: %%m is the module's name; the month is %%Om, and %%F is a "
				"whole date",
				o->output);
	return !why;
}

static const char *const on_full_names[STP_ON_FULL_COUNT] = {
	[STP_DROP] = "drop",
	[STP_OVERWRITE] = "overwrite",
	[STP_THROTTLE] = "throttle",
};

static bool set_on_full(struct options *o, const struct run_option *row)
{
	for (int i = 0; i < STP_ON_FULL_COUNT; i++) {
		if (strcmp(optarg, on_full_names[i]))
			continue;
		o->on_full = i;
		o->on_full_given = true;
		return true;
	}
	return wrong("--on-full is drop, overwrite or throttle");
}

static bool set_on_disk_full(struct options *o, const struct run_option *row)
{
	o->waits_for_room = !strcmp(optarg, "wait");
	if (o->waits_for_room || !strcmp(optarg, "end"))
		return true;
	return wrong("--on-disk-full is end or wait");
}

static bool parse_whole(const char *s, long min, long max, long *ret)
{
	char *end;

	return parse_number(s, min, max, &end, ret) && !*end;
}

static bool set_color(struct options *o, const struct run_option *row)
{
	o->color = *optarg == 'n' ? COLOR_NEVER : optarg[1] == 'l' ? COLOR_ALWAYS : COLOR_AUTO;
	if (!strcmp(optarg, "always") || !strcmp(optarg, "never"))
		message_color(*optarg == 'a');
	else if (strcmp(optarg, "auto"))
		return wrong("-C is auto, always or never");
	return true;
}

static bool set_rotation(struct options *o, const struct run_option *row)
{
	const char *why = series_parse_rotation(optarg, &o->rotation);

	return !why || wrong(why);
}

static bool set_fds(struct options *o, const struct run_option *row)
{
	return parse_fds(optarg, o->files) ||
	       wrong("--fds needs at least five descriptors above 2");
}

static bool set_output(struct options *o, const struct run_option *row)
{
	o->output = optarg;
	return *optarg || wrong("-o needs the name of a file");
}

#define ASKED(form) (1u << RUNFORM_##form)

static bool set_bulk(struct options *o, const struct run_option *row)
{
	o->asked |= ASKED(bulk);
	return true;
}

static bool set_looks(struct options *o, const struct run_option *row)
{
	struct module *m = o->files;
	long globals, about;
	char *end;

	if (!parse_number(optarg, 3, INT_MAX, &end, &globals) || *end != ',' ||
	    !parse_number(end + 1, 3, INT_MAX, &end, &about) || *end)
		return wrong("--looks needs two descriptors above 2");
	m->globals = (int)globals;
	m->about = (int)about;
	return true;
}

static bool set_json(struct options *o, const struct run_option *row)
{
	o->asked |= ASKED(json);
	return true;
}

static bool set_top(struct options *o, const struct run_option *row)
{
	o->asked |= ASKED(table);
	return true;
}

static bool set_to(struct options *o, const struct run_option *row)
{
	const char *colon = strchr(optarg, ':');

	o->asked |= ASKED(sink);
	o->sink = optarg;
	dburl_hide_password(optarg);
	return (colon && colon > optarg && colon[1]) || wrong("--to needs KIND:WHERE");
}

static bool set_stream(struct options *o, const struct run_option *row)
{
	if (!streamform_parse(optarg, &o->stream))
		return wrong(STREAMFORM_WRONG);
	o->asked &= ~(ASKED(textstream) | ASKED(datastream));
	o->asked |= o->stream.is_data ? ASKED(datastream) : ASKED(textstream);
	return true;
}

static bool set_compress(struct options *o, const struct run_option *row)
{
	return o->rotation.compress = true;
}

static bool set_command(struct options *o, const struct run_option *row)
{
	o->command = optarg;
	return *optarg || wrong("-c needs a command");
}

static bool set_target(struct options *o, const struct run_option *row)
{
	return parse_whole(optarg, 1, INT_MAX, &o->target) ||
	       wrong("-x needs the number of a process");
}

static bool set_ready(struct options *o, const struct run_option *row)
{
	long fd;

	if (!parse_whole(optarg, 3, INT_MAX, &fd))
		return wrong("--ready takes a descriptor");
	o->ready = (int)fd;
	return true;
}

static bool set_wait(struct options *o, const struct run_option *row)
{
	return parse_whole(optarg, 1, 3600000, &o->wait_ms) ||
	       wrong("-T takes milliseconds, at least 1");
}

static bool set_timeout(struct options *o, const struct run_option *row)
{
	o->has_timeout = true;
	return parse_whole(optarg, 0, 100000000, &o->timeout) ||
	       wrong("--timeout takes seconds; 0: as soon as the script runs");
}

static bool set_verbose(struct options *o, const struct run_option *row)
{
	o->verbose++;
	return true;
}

static const struct run_option rows[] = {
#define IN_STAPIO(words) words
#define RUN_OPTION(id, letter, name, arg, stap, staprun, stapio, help)                             \
	ROW_##stapio(id, letter, name, arg, help)
#include "uapi/run_options.def"
};

static const struct run_program program = {
	.usage = usage_text,
	.version = "stapio (stap), module interface %d\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
};

/* Returns the first of these forms in the order of the rows. */
static enum runform first_of(unsigned asked)
{
	return (enum runform)(ffs((int)asked) - 1);
}

/* There is no terminal in the background, and -b does not show tables on one. */
static void choose_form(struct options *o)
{
	unsigned asked = o->asked | ASKED(text);

	if (o->ready >= 0 || asked & ASKED(bulk))
		asked &= ~ASKED(table);
	o->form = first_of(asked);
	o->joined = first_of(asked & ~ASKED(bulk));
}

/* Returns an error text if the forms conflict with other options, or NULL. */
static const char *check_forms(const struct options *o)
{
	bool raw = o->asked & ASKED(bulk), json = o->asked & ASKED(json);

	if (o->waits_for_room && (!o->output || raw))
		return "--on-disk-full=wait is for the file of -o, and cannot be combined with -b";
	if (o->leave && (o->command || o->output || raw || json))
		return "-L cannot be combined with -c, -o, -b or --json: staprun -A sets where "
		       "the output goes";
	if (o->keep_raw && !raw)
		return "-M keeps the raw files of -b, which is not given";
	if (o->keep_raw && json)
		return "--json is for text; of raw files it is made by stap-merge --json";
	if (o->sink && (o->output || raw || json || o->leave || o->ready >= 0))
		return "--to cannot be combined with -o, -b, -L, -F, -D or --json";
	if (o->asked & (ASKED(textstream) | ASKED(datastream)) &&
	    (o->output || o->keep_raw || o->sink || o->leave || o->ready >= 0))
		return "--records cannot be combined with -o, -M, -L, -D or --to";
	return NULL;
}

/*
 * Returns an error text if options lack others that they need, or exclude each other; or
 * NULL.
 */
static const char *check_together(const struct options *o)
{
	if (o->command && o->target)
		return "-c and -x exclude each other";
	if ((o->rotation.bytes || o->rotation.seconds || o->rotation.compress) && !o->output &&
	    !o->keep_raw)
		return "-S and --compress need -o";
	if (o->attach && (o->leave || o->command || o->target || o->on_full_given))
		return "-A cannot be combined with -L, -c, -x or --on-full: "
		       "the module is already running";
	return check_forms(o);
}

enum options_result options_parse(int argc, char **argv, struct options *ret, struct module *m)
{
	enum options_result result;
	const char *why;

	*ret = (struct options){ .ready = -1, .files = m };
	message_color(terminal_draws(STDERR_FILENO) && !getenv("NO_COLOR"));
	result = run_options_parse(&program, argc, argv, ret);
	if (result != OPTIONS_RUN)
		return result;
	ret->module = argv[optind];
	if (!ret->module || argv[optind + 1])
		wrong("name one module");
	else if (!m->nrings)
		wrong("--fds is missing: stapio is started by staprun");
	else if ((why = check_together(ret)))
		wrong(why);
	else if (!ret->output || check_output(ret)) {
		choose_form(ret);
		return OPTIONS_RUN;
	}
	return OPTIONS_WRONG;
}

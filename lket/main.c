/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lket-b2a: converts traces of the Linux Kernel Event Trace to text or to a database.
 *
 * Exit status: 0 success; 1 something was missing or damaged and the readable rest was
 * written, or wrong usage.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "lib/dburl.h"
#include "lib/streams.h"
#include "trace/messages.h"
#include "trace/sink/lket/convert.h"

static const char help_text[] =
	"Usage: lket-b2a [options] FILE...\n"
	"Converts traces of LKET (raw files of stap -b -M, or files of 2006 and 2007) to "
	"lket.out.\n"
	"  -f          one line per event, in the format of the program of 2007, with:\n"
	"  -n N        1 or 0: with or without the event's name (default 1)\n"
	"  -i N        1 or 0: with or without the numbers of its group and hook (default 0)\n"
	"  -a N        1 or 0: with or without the name of the process (default 1)\n"
	"  -m          write a database, DBYYYYMMDDhhmmss.db, and no text without -f\n"
	"  --to=lket:DIR   write the files of 2006, and no text without -f\n"
	"  --to=URL    as -m, into sqlite:FILE, postgresql://HOST/DB or mysql://HOST/DB\n"
	"  -h, -V      help, version\n";

enum { OPT_TO = 256 };

static const struct option long_options[] = {
	{ "to", required_argument, NULL, OPT_TO },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static bool wrong(const char *what)
{
	message_error("%s (lket-b2a -h lists the options)", what);
	return false;
}

static bool set_switch(int c, struct convert_options *o)
{
	bool *which = c == 'n' ? &o->names : c == 'i' ? &o->ids : &o->processes;

	if (strcmp(optarg, "0") && strcmp(optarg, "1"))
		return wrong("-n, -i and -a are followed by 0 or 1");
	*which = *optarg == '1';
	return true;
}

static bool set_to(struct convert_options *o)
{
	static const char lket[] = "lket:";

	if (database_find(optarg)) {
		dburl_hide_password(optarg);
		o->database = optarg;
		return o->wanted[CONVERT_TABLES] = true;
	}
	o->bytes_dir = optarg + strlen(lket);
	o->wanted[CONVERT_BYTES] = true;
	return !strncmp(optarg, lket, strlen(lket)) && *o->bytes_dir;
}

static bool set_option(int c, struct convert_options *o)
{
	switch (c) {
	case 'f':
		o->full = true;
		return true;
	case 'm':
		o->wanted[CONVERT_TABLES] = true;
		return true;
	case 'n':
	case 'i':
	case 'a':
		return set_switch(c, o);
	case OPT_TO:
		return set_to(o) || wrong("--to is followed by lket:DIR, sqlite:FILE, "
					  "postgresql://HOST/DB or mysql://HOST/DB");
	default:
		return false; /* getopt_long() has reported it */
	}
}

static int printed(int result)
{
	int error = result < 0 ? errno : streams_flush(stdout);

	if (error)
		message_error("writing stdout: %s", strerror(error));
	return error != 0;
}

/* Parses the arguments. Returns an exit status; -1: continue. */
static int parse(int argc, char **argv, struct convert_options *o)
{
	bool of_text = false;
	int c;

	while ((c = getopt_long(argc, argv, "fmn:i:a:hV", long_options, NULL)) != -1) {
		if (c == 'h')
			return printed(fputs(help_text, stdout));
		if (c == 'V')
			return printed(printf("lket-b2a (stap), with %s\n", database_list()));
		if (!set_option(c, o))
			return 1;
		of_text |= c == 'n' || c == 'i' || c == 'a';
	}
	o->wanted[CONVERT_TEXT] = o->full || (!o->wanted[CONVERT_TABLES] && !o->bytes_dir);
	if (of_text && !o->full)
		return !wrong("-n, -i and -a need -f");
	if (optind < argc)
		return -1;
	fputs(help_text, stderr);
	return 1;
}

int main(int argc, char **argv)
{
	static struct convert convert;
	struct convert_options options = { .names = true,
					   .processes = true,
					   .text_name = "lket.out" };
	int status;
	bool ok;

	if (!streams_open())
		return 1;
	status = parse(argc, argv, &options);
	if (status >= 0)
		return status;
	message_setup(0, false);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (!convert_init(&convert, &options))
		return 1;
	ok = (rawtrace_is(argv[optind]) ? rawtrace_read : bytetrace_read)(
		&convert, argv + optind, (unsigned)(argc - optind));
	status = !ok || convert.damaged;
	convert_deinit(&convert);
	return message_lost() || streams_flush(stderr) ? 1 : status;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features that a build has or lacks: those of the optional libraries in the Makefile. */
#include <string.h>
#include <unistd.h>

#include "base/remedy.h"
#include "base/session.h"
#include "base/version.h"
#include "lib/arena.h"
#include "lib/subprocess.h"
#include "stap/doctor/doctor.h"

static bool has_editor(struct session *s)
{
	return version_has_editor;
}

static bool has_screen(struct session *s)
{
	return version_has_screen;
}

static bool has_exporter(struct session *s)
{
	return !access(arena_printf(s->arena, "%s/stap-exporter", s->bin_dir), X_OK);
}

/* To add a feature: a row, and a row of remedy.def for the library's headers. */
static const struct feature {
	const char *subject;
	const char *use; /* with the library */
	enum remedy headers;
	const char *word; /* the text that `stap-merge -V` prints if the feature is in; NULL: */
	bool (*is_in)(struct session *s);
} features[] = {
	{ "editing", "Tab and history in stap -i: libedit", REMEDY_LIBEDIT, NULL, has_editor },
	{ "monitor", "stap --monitor: ncurses", REMEDY_NCURSES, NULL, has_screen },
	{ "exporter", "stap --exporter: libmicrohttpd, libyaml, libcrypt", REMEDY_LIBMICROHTTPD,
	  NULL, has_exporter },
	{ "sqlite", "--to sqlite: libsqlite3", REMEDY_LIBSQLITE3, "SQLite", NULL },
	{ "postgresql", "--to postgresql: libpq", REMEDY_LIBPQ, "PostgreSQL", NULL },
	{ "mysql", "--to mysql: libmariadb", REMEDY_LIBMARIADB, "MySQL", NULL },
	{ "kafka", "--to kafka: librdkafka", REMEDY_LIBRDKAFKA, "with librdkafka", NULL },
	{ "vmcore", "compressed dumps for stap-merge --vmcore: libkdumpfile", REMEDY_LIBKDUMPFILE,
	  "with libkdumpfile", NULL },
};

/* Returns the output of -V of stap-merge, which does --to and --vmcore; "": nothing. */
static const char *ask_merge(struct session *s)
{
	char *argv[] = { arena_printf(s->arena, "%s/stap-merge", s->bin_dir), "-V", NULL };
	struct process_result result;

	if (subprocess_run(s->arena, NULL, argv, true, &result) || result.status)
		return "";
	return result.output;
}

/*
 * Returns the command that adds a feature. NULL: the distribution does not have the
 * library.
 */
static const char *supply(struct session *s, enum remedy headers)
{
	const char *command = remedy_command(s->arena, headers, NULL);

	return *command ? arena_printf(s->arena, "%s, then build stap again", command) : NULL;
}

void doctor_each_feature(struct session *s, doctor_print print)
{
	const char *merge = ask_merge(s);

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		const struct feature *feature = &features[i];
		struct doctor_finding f = { DOCTOR_OK, feature->use, NULL };

		if (feature->word ? !strstr(merge, feature->word) : !feature->is_in(s)) {
			f.state = DOCTOR_WITHOUT;
			f.text = arena_printf(s->arena, "not built in: %s", feature->use);
			f.remedy = supply(s, feature->headers);
		}
		print(s, feature->subject, &f);
	}
}

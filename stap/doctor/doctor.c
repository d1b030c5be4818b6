/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See doctor.h. */
#include "stap/doctor/doctor.h"

#include <stdio.h>
#include <unistd.h>

#include "base/color.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"

#define EXIT_MISSING 3

static const char *const words[DOCTOR_STATES] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_WITHOUT] = "without",
	[DOCTOR_MISSING] = "missing",
};

static void print_finding(const struct session *s, const char *subject,
			  const struct doctor_finding *f)
{
	static const char *const colors[DOCTOR_STATES] = { "32", "33", "1;31" };

	if (colors_wanted(s->options, STDOUT_FILENO))
		printf("\033[%sm%-8s\033[m", colors[f->state], words[f->state]);
	else
		printf("%-8s", words[f->state]);
	printf(" %-10s %s\n", subject, f->text);
	if (f->remedy && *f->remedy)
		printf("%-20s %s\n", "", f->remedy);
}

/* Prints the command that installs a thing of remedy.def, if there is one. */
static struct error *tell(struct session *s, const char *thing)
{
	enum remedy what;
	const char *command;

	if (!remedy_find(thing, &what))
		return error_create(s->arena, ERROR_USAGE, "--doctor knows %s, not '%s'",
				    remedy_names(s->arena), thing);
	command = remedy_command(s->arena, what, NULL);
	if (*command)
		puts(command);
	return NULL;
}

/* Makes the checks examine the kernel of a guest if scripts can run nowhere else. */
static void turn_to_guest(struct session *s)
{
	struct options *o;

	if (s->options->release || !doctor_refusal(s))
		return;
	o = arena_new(s->arena, struct options);
	*o = *s->options;
	o->vm = true;
	s->options = o;
}

/*
 * Prints a line for each check. Sets *status to 3 if something that runs need is missing;
 * if this machine's kernel accepts no modules, that means runs in a guest.
 */
struct error *doctor_run(struct session *s, int *status)
{
	if (s->options->wanted_word)
		return tell(s, s->options->wanted_word);
	turn_to_guest(s);
	kernel_need(s); /* a check reports the reason if there is none */
	for (size_t i = 0; i < doctor_check_count; i++) {
		struct doctor_finding f = { DOCTOR_OK, "", NULL };

		doctor_checks[i].look(s, &f);
		print_finding(s, doctor_checks[i].subject, &f);
		if (f.state == DOCTOR_MISSING)
			*status = EXIT_MISSING;
	}
	doctor_each_feature(s, print_finding);
	return NULL;
}

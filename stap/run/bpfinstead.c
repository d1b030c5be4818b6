/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/run/bpfinstead.h"

#include <stdio.h>
#include <string.h>

#include "base/bpfclang.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/subprocess.h"

#define OWN_PROGRAM "/proc/self/exe"

/*
 * True: the command line runs a script on this machine, and the script can be read again.
 */
static bool is_run(const struct options *o)
{
	return o->wanted == COMMAND_NONE && o->runtime == RUNTIME_KERNEL && o->last_pass == 5 &&
	       !o->vm && !o->release && !o->remotes.count &&
	       !(o->script_file && !strcmp(o->script_file, "-"));
}

/* Lets another stap translate the script for that runtime. */
static bool is_translated(struct session *s, int argc, char **argv)
{
	const char **words = arena_alloc(s->arena, ((size_t)argc + 4) * sizeof(*words));
	struct process_result result;
	size_t n = 0;

	words[n++] = OWN_PROGRAM;
	words[n++] = "--runtime=bpf";
	words[n++] = "-p3";
	for (int i = 1; i < argc; i++)
		words[n++] = argv[i];
	words[n] = NULL;
	return !subprocess_run(s->arena, NULL, (char *const *)words, true, &result) &&
	       !result.status;
}

void bpfinstead_say(struct session *s, int argc, char **argv)
{
	if (s->options && is_run(s->options) && bpfclang_serves(s->arena) &&
	    is_translated(s, argc, argv))
		fprintf(stderr, "stap: note: --runtime=bpf runs this script here, without a "
				"module\n");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine: how a command is run there, and
 * the command that takes a module and runs it.
 */
#ifndef STAP_REMOTE_HOST_H
#define STAP_REMOTE_HOST_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct error;
struct session;

struct host {
	const char *uri;     /* as it was given */
	VEC(char *) shell;   /* what runs a command there, which is its last argument */
	const char *release; /* of its kernel */
	const char *module;  /* for that kernel, here */

	/* The run. */
	pid_t pid;
	int input, output;   /* -1: closed */
	char *left;          /* of the module, to be sent */
	size_t left_len;
	struct strbuf line;  /* that has not ended yet */
};

struct error *host_parse(struct session *s, const char *uri, struct host *ret);
/* NULL-terminated, for subprocess_start(). */
char **host_command(struct session *s, const struct host *h, const char *command);

/* Its kernel. In two, so that many are asked at once. */
#define HOST_ASK "uname -mr"
struct error *host_answered(struct session *s, struct host *h, int status, const char *output);

/*
 * Starts the run of the module there, as machine number `id`. The module goes through
 * h->input; the run lasts until that is closed, or until it ends by itself.
 */
struct error *host_start(struct session *s, struct host *h, size_t id, const sigset_t *mask);

#endif

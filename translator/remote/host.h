/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine: how a command is run there, and the command that takes a module and runs
 * it.
 */
#ifndef STAP_REMOTE_HOST_H
#define STAP_REMOTE_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct error;
struct session;

struct host {
	const char *uri;     /* as the user gave it */
	/* the local command that runs a command there, which is its last argument */
	VEC(char *) shell;
	const char *release; /* of the machine's kernel */
	const char *btf;     /* SHA-256 of that kernel's BTF, in digits; NULL: it has none */
	bool signs;          /* it takes only signed modules */
	const char *module;  /* path here, for that kernel */

	/* The process of the run. */
	pid_t pid;
	int input, output;   /* -1: closed */
	char *left;          /* bytes of the module that are still to be sent */
	size_t left_len;
	struct strbuf line;  /* a line of output that has not ended yet */
};

struct error *host_parse(struct session *s, const char *uri, struct host *ret);
/* Returns the words of the command, NULL-terminated, for subprocess_start(). */
char **host_command(struct session *s, const struct host *h, const char *command);

/*
 * Ask for the machine's kernel. In two functions, so that many machines are asked at
 * once. The answer is a line "RELEASE MACHINE signed|any DIGEST|".
 */
#define HOST_ASK                                                                                   \
	"sh -c 'k=$(uname -mr) || { echo \"$k\"; exit 1; }; s=any; "                               \
	"case $({ cat /sys/module/module/parameters/sig_enforce; "                                 \
	"cat /sys/kernel/security/lockdown; } 2> /dev/null) in "                                   \
	"Y*|*\"[integrity]\"*|*\"[confidentiality]\"*) s=signed ;; esac; "                         \
	"b=$(sha256sum /sys/kernel/btf/vmlinux 2> /dev/null); echo \"$k $s ${b%% *}\"'"
struct error *host_answered(struct session *s, struct host *h, int status, const char *output);

/*
 * Finds the BTF of the machine's kernel in the cache, or fetches it. *ret is a path. Call
 * it with the kernel open: an error says whose BTF it is.
 */
struct error *host_btf(struct session *s, struct host *h, const char **ret);

/*
 * Starts the run of the module there, as machine number `id`. The module goes through
 * h->input; the run lasts until that is closed, or until it ends by itself.
 */
struct error *host_start(struct session *s, struct host *h, size_t id, const sigset_t *mask);

#endif

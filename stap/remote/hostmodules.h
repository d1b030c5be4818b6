/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module for each kernel that the machines run: (release, build-id and compiler, BTF).
 * With --runtime=bpf it is one program, for all machines.
 * Each is made in a process of its own, as a session translates once; as many at a time
 * as there are processors.
 */
#ifndef STAP_REMOTE_HOSTMODULES_H
#define STAP_REMOTE_HOSTMODULES_H

#include "stap/remote/fleet.h"

struct module_group {
	const struct host *host; /* one of its machines */
	bool signs;
	enum { MODULE_WAITS, MODULE_IS_MADE, MODULE_MADE, MODULE_FAILED } state;
	pid_t pid;
	int output, errors; /* the path of the module; a file of messages */
	struct strbuf path;
	char *text; /* of the module */
	size_t len;
	int status;
};

/* Assigns each ready machine to the group of its kernel. */
void hostmodules_group(struct remote *r);
/* Starts the processes that can be started. */
void hostmodules_start(struct remote *r);
/* Reads the output of a process. */
void hostmodules_take(struct remote *r, struct module_group *g);
/* Gives machines their modules; those of a group that failed are left out. */
void hostmodules_give(struct remote *r);
/* Ends the processes. */
void hostmodules_end(struct remote *r);

#endif

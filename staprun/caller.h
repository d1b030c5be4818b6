/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user who called staprun, and the user's privileges by uapi/privilege.h. */
#ifndef STAPRUN_CALLER_H
#define STAPRUN_CALLER_H

#include <stdbool.h>

#include "uapi/privilege.h"

struct caller {
	enum stp_privilege level;
	bool is_root;
	bool is_member;	       /* of stapusr */
	bool has_capabilities; /* … that programs of --runtime=bpf need, without staprun */
};

/* Finds the caller. Prints why the user may not run this program at all. */
bool caller_find(struct caller *ret);
/*
 * True: the user may load modules, or run programs of --runtime=bpf, and staprun has the
 * privileges for it. Which ones: vouch.h. Otherwise prints the reason.
 */
bool caller_may_modules(const struct caller *c);
bool caller_may_programs(const struct caller *c);
/* True: the user may load any module, and end the runs of other users. */
bool caller_may_all(const struct caller *c);
const char *caller_group(enum stp_privilege level);

#endif

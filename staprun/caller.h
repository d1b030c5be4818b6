/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who called staprun, and what that user may do: uapi/privilege.h. */
#ifndef STAPRUN_CALLER_H
#define STAPRUN_CALLER_H

#include <stdbool.h>

#include "uapi/privilege.h"

struct caller {
	enum stp_privilege level;
	bool is_root;
};

/* Prints why the user may not run this program at all. */
bool caller_find(struct caller *ret);
/* The user loads anything, and ends what others run. */
bool caller_may_all(const struct caller *c);
const char *caller_group(enum stp_privilege level);

#endif

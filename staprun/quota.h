/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of one user: the number of loaded modules, and the kernel memory that they use.
 * Whatever the limits are, a sixteenth of the machine's memory stays available. Root and
 * members of stapdev, who may load anything, have no limits (quotafile.h has the file). A
 * module tells for whom it is loaded and how much it may take (uapi/msg.h, "owner"). It
 * refuses to load if it needs more than staprun tells it is left.
 */
#ifndef STAPRUN_QUOTA_H
#define STAPRUN_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "staprun/quotafile.h"

struct caller;
struct load;
struct run_signals;

struct quota {
	struct quota_limits limits;
	uint64_t runs, bytes; /* used by the caller's modules */
	unsigned megabytes;   /* limit of the module; 0: none */
	bool is_machine_full; /* the machine has less memory left than the limit */
	int lock;	      /* -1: the caller has no limits */
};

/*
 * Prepares the loading of the caller's module. False: it is refused, and the error was
 * printed. Otherwise quota_end() must follow when the module was loaded or refused: until
 * then no other staprun of the user loads one.
 */
bool quota_begin(struct quota *q, struct load *l, const struct caller *c,
		 const struct run_signals *signals);
void quota_end(struct quota *q);
/* Prints the used resources, after the module has refused because of them. */
void quota_explain(const struct quota *q);

#endif

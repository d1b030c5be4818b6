/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of one user: the number of loaded modules, and the kernel's memory that they
 * have. Whatever the limits are, a sixteenth of the machine's memory stays available.
 * Root and members of stapdev, who may load anything, have no bounds (quotafile.h has the
 * file). A module says for whom it is loaded and how much it may take (uapi/msg.h,
 * "owner"), and refuses to be loaded where it needs more than staprun tells it is left.
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
	uint64_t runs, bytes; /* what the caller's modules have */
	unsigned megabytes;   /* that the module may take; 0: as many as it likes */
	bool is_machine_full; /* the machine has less left than the limit */
	int lock;	      /* -1: the caller has no bounds */
};

/*
 * Prepares the loading of the caller's module. False: it is refused, and the error has
 * been printed. Otherwise quota_end() must follow when the module is loaded or was
 * refused: until then no other staprun of the user's loads one.
 */
bool quota_begin(struct quota *q, struct load *l, const struct caller *c,
		 const struct run_signals *signals);
void quota_end(struct quota *q);
/* Prints what is taken, when the module has refused because of it. */
void quota_explain(const struct quota *q);

#endif

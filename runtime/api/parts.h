/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the runtime that only scripts with a use for them have. */
#ifndef STP_API_PARTS_H
#define STP_API_PARTS_H

#include "core/env.h"

/*
 * A part that is linked in only where it is used, and has to be set up. destroy() also
 * undoes a create() that failed halfway.
 */
struct stp_part {
	int (*create)(void);
	void (*destroy)(void);
	void (*ended)(void); /* may sleep; no hits come any more; NULL: nothing is to be done */
	/*
	 * Answers a request of the reader's (uapi/msg.h); -ENOTTY: it is not this part's.
	 * NULL: none is.
	 */
	long (*control)(unsigned int command, unsigned long arg);
};
extern const struct stp_part stp_arrays_part;	 /* core/arrays.c */
extern const struct stp_part stp_stats_part;	 /* core/arrays.c: aggregates outside arrays */
extern const struct stp_part stp_variables_part; /* kernel/variable.c: variables of modules */
extern const struct stp_part stp_program_stack_part;
extern const struct stp_part stp_namespaces_part;   /* kernel/namespaces.c */
extern const struct stp_part stp_lines_part;	    /* kernel/sourceline.c */
extern const struct stp_part stp_pages_return_part; /* kernel/pages_return.c */

struct stp_symbol;
/*
 * Looks up the symbols of modules that are held, which stand in a row. May sleep; fails
 * for lack of memory.
 */
int stp_module_symbols(struct stp_symbol *symbols, unsigned int n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the runtime that are only in scripts that use them. */
#ifndef STP_API_PARTS_H
#define STP_API_PARTS_H

#include "core/env.h"

/*
 * A part that is linked only if it is used, and must be set up. destroy() also undoes a
 * create() that failed halfway.
 */
struct stp_part {
	int (*create)(void);
	void (*destroy)(void);
	void (*ended)(void); /* called when no more hits come; may sleep; NULL: nothing to do */
	/*
	 * Answers a request of the reader (uapi/msg.h). -ENOTTY: it is not for this part.
	 * NULL: the part has no requests.
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
 * Looks up the symbols of modules that are held, an array. May sleep. Fails if there is
 * no memory.
 */
int stp_module_symbols(struct stp_symbol *symbols, unsigned int n);

/*
 * Leaves out the entries that ftrace does not know and that only wildcards match, of all
 * function probes, and warns of them. To register a kprobe takes the kernel 2.2 million
 * instructions.
 */
void stp_function_leave_out(void *const *states, unsigned int n);

#endif

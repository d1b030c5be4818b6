/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes tables of programs and libraries that the run meets and for which its script has
 * no table, and passes them to the module. A thread does this, because a large file takes
 * a second, and output must be read meanwhile. The module opens the files, so none is
 * searched.
 */
#ifndef STAPIO_GATHERING_H
#define STAPIO_GATHERING_H

struct module;

/* Loads what demangles names of C++, before the sandbox forbids that. */
void gathering_prepare(void);
/*
 * Starts the thread, which ends with the run. Without it, stacks end in such files, but
 * nothing else fails. It has the rights of the calling thread.
 */
void gathering_start(struct module *m);

#endif

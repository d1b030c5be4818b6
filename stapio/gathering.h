/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes tables of programs and libraries that the run meets and that its script has none
 * of, and hands them to the module. A thread does it: a large file takes a second, in
 * which output is read all the same. The module opens the files: none is looked for.
 */
#ifndef STAPIO_GATHERING_H
#define STAPIO_GATHERING_H

struct module;

/*
 * Starts the thread, which ends with the run. Without it stacks end in such files, and
 * nothing else is amiss. It can do what the calling thread can.
 */
void gathering_start(struct module *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets go of the terminal. */
#ifndef STAPIO_BACKGROUND_H
#define STAPIO_BACKGROUND_H

/*
 * Turns standard input and outputs into /dev/null: a process that waits for the other
 * end of a pipe need not wait for this process.
 */
void background_streams(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detaches from the terminal. */
#ifndef STAPIO_BACKGROUND_H
#define STAPIO_BACKGROUND_H

/*
 * Redirects standard input and outputs to /dev/null, so that a process at the other end
 * of a pipe need not wait for this process.
 */
void background_streams(void);

#endif

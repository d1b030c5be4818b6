/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Away from the terminal. */
#ifndef STAPIO_BACKGROUND_H
#define STAPIO_BACKGROUND_H

/*
 * Standard input and outputs are /dev/null from now on: whoever
 * waits for the other end of a pipe need not wait for this process.
 */
void background_streams(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio needs no capability once its output is open. A process of root gets them all back at exec, so
 * staprun cannot take them away for good without taking them from the commands of -c and system() too: stapio
 * lays its own down.
 */
#ifndef STAPIO_PRIVILEGES_H
#define STAPIO_PRIVILEGES_H

int privileges_drop(void); /* 0 or -errno; before any thread is made */

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio needs no capability once its output is open. A process of root gets them all
 * back at exec, so staprun cannot take them away for good without taking them from the
 * commands of -c and system() too: stapio lays its own down.
 */
#ifndef STAPIO_PRIVILEGES_H
#define STAPIO_PRIVILEGES_H

#include <stdbool.h>

/* Files can be made and renamed in this directory without capabilities. */
bool capabilities_reach(int dir);
/*
 * 0 or -errno; before any thread is made. any_directory: files follow one after the
 * other in a directory that is another user's, and the permission to do so is kept. It
 * is for who confines himself to that directory (confine.h).
 */
int capabilities_drop(bool any_directory);

#endif

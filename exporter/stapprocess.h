/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process of stap that runs a script for the exporter. */
#ifndef EXPORTER_STAPPROCESS_H
#define EXPORTER_STAPPROCESS_H

#include <sys/types.h>

/*
 * Starts stap in a separate process group, so that a ^C at the terminal goes to the
 * exporter, which ends its scripts. They also end when the exporter, or the thread that
 * has called this, is killed. `output`, a pipe, becomes the standard output of stap; -1:
 * it is discarded. stap inherits the descriptors `kept`, as many as there are until -1;
 * NULL: none. Returns -1 with a message on failure.
 */
pid_t stapprocess_start(const char *stap, char *const *argv, int output, const int *kept);

#endif

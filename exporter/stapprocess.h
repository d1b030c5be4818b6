/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process of stap that runs a script for the exporter. */
#ifndef EXPORTER_STAPPROCESS_H
#define EXPORTER_STAPPROCESS_H

#include <sys/types.h>

/*
 * Starts stap, in a process group of its own: a ^C of the terminal's is for the exporter,
 * which ends its scripts. They also end when the exporter is killed, or the thread that
 * has called this. `output`, a pipe, becomes its standard output; -1: nobody reads that.
 * -1 with a message: there is no process.
 */
pid_t stapprocess_start(const char *stap, char *const *argv, int output);

#endif

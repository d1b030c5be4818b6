/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: staprun here, staprun in a guest, or the program of --runtime=user. */
#ifndef STAP_RUN_LAUNCH_H
#define STAP_RUN_LAUNCH_H

#include "lib/vec.h"

struct session;
struct error;

typedef VEC(char *) run_args;

/* Appends staprun's options, all but its module and output file. */
void run_options(struct session *s, run_args *args);

/* Runs the program and waits; *status is the run's exit status. */
struct error *run_program(struct session *s, const char *program, int *status);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: staprun here, staprun in a guest, or the program of --runtime=user. */
#ifndef STAP_RUN_H
#define STAP_RUN_H

struct session;
struct error;

/* Runs and waits; *status is what the run ended with. */
struct error *run_program(struct session *s, const char *program, int *status);

#endif

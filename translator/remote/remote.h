/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --remote: a module for each kernel that the machines run, made here; then all machines
 * run it, and their output arrives here.
 */
#ifndef STAP_REMOTE_H
#define STAP_REMOTE_H

struct session;
struct error;

/*
 * Runs on all machines. *status is that of the first machine where the run ended with a
 * status other than 0.
 */
struct error *remote_run(struct session *s, int *status);

#endif

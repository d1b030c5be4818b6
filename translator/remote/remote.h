/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --remote: a module for each kernel that the machines run, made
 * here; then they all run it, and what they print arrives here.
 */
#ifndef STAP_REMOTE_H
#define STAP_REMOTE_H

struct session;
struct error;

/* *status is that of the first machine where the run ended with another one than 0. */
struct error *remote_run(struct session *s, int *status);

#endif

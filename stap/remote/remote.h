/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --remote: a module for each kernel that the machines run, made here; then all machines
 * run it, and their output arrives here. remote.c is the loop; hostconnection.h has one
 * machine from its connection to its end, talk.h the words for it, hostmodules.h how the
 * modules are made, hostrecords.h, hostlines.h and hostsink.h the way of the output.
 */
#ifndef STAP_REMOTE_REMOTE_H
#define STAP_REMOTE_REMOTE_H

struct session;
struct error;

/* Exit status when machines were left out, and all went well on the others. */
#define REMOTE_LEFT_OUT 6

/*
 * Runs on all machines. *status is the status of the first machine whose run ended with a
 * status other than 0.
 */
struct error *remote_run(struct session *s, int *status);

#endif

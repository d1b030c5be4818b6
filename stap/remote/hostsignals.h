/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals during a run on other machines: those that ask it to end, and the alarm by
 * which the machines hear that stap still listens.
 */
#ifndef STAP_REMOTE_HOSTSIGNALS_H
#define STAP_REMOTE_HOSTSIGNALS_H

struct host;
struct remote;

/*
 * Installs the handlers, and blocks the signals. The loop lets them in where it waits,
 * with the mask r->heard.
 */
void hostsignals_take(struct remote *r);
void hostsignals_leave(struct remote *r);

/*
 * Tells the machine at this descriptor, its input, at each alarm that stap still listens.
 * -1: no longer.
 */
void hostsignals_listen(const struct remote *r, const struct host *h, int fd);

/* Number of requests to end, and the signal of the last one. */
int hostsignals_asked(void);
int hostsignals_last(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs of --runtime=user, by their sockets: uapi/status.h. */
#ifndef STAP_WATCH_SOCKETS_H
#define STAP_WATCH_SOCKETS_H

#include <stdbool.h>

struct error;
struct run;
struct runs;
struct session;

/*
 * Sends "status" or "globals" to the programs that match by name or number, and adds
 * them. Those of other users are added to `others`, unless this is root.
 */
struct error *sockets_find(struct session *s, const char *pattern, const char *request,
			   struct runs *ret);
/*
 * Connects to a run, but not to a later one with the same name. Returns the descriptor,
 * or -1 with errno: ESRCH, it has ended.
 */
int sockets_connect(const struct run *r);
/* Sends a request. False: the connection has ended. */
bool sockets_ask(int fd, const char *request);

#endif

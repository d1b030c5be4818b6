/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Named runs that do not exist, or are not the user's. */
#ifndef STAP_WATCH_ABSENTRUNS_H
#define STAP_WATCH_ABSENTRUNS_H

struct runs;
struct session;

/* Prints why this user can see none of the named runs. */
void absentruns_say(struct session *s, const char *pattern, const struct runs *r);

#endif

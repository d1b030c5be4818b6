/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs that were named and that are not there, or not the user's. */
#ifndef STAP_WATCH_ABSENTRUNS_H
#define STAP_WATCH_ABSENTRUNS_H

struct runs;
struct session;

/* Says why none of the runs that were named is there for this user. */
void absentruns_say(struct session *s, const char *pattern, const struct runs *r);

#endif

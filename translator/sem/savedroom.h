/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The room of values that return probes save at entry. */
#ifndef STAP_SEM_SAVEDROOM_H
#define STAP_SEM_SAVEDROOM_H

struct session;

/*
 * Shows ? for the last values of $$parms$ and the like whose texts have no room. Called
 * when types are known.
 */
void savedroom_fit(struct session *s);

#endif

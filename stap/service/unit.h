/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A service as a unit of systemd, by systemctl. */
#ifndef STAP_SERVICE_UNIT_H
#define STAP_SERVICE_UNIT_H

#include <stdbool.h>

struct error;
struct session;

/* Returns "stap@NAME.service". */
const char *unit_of(struct session *s, const char *name);

/*
 * `root`: the tree that is changed, "" for this machine. early: before sysinit.target
 * instead of with multi-user.target. now: start or stop it as well. *status is that of
 * systemctl, which has printed any error.
 */
struct error *unit_enable(struct session *s, const char *root, const char *name, bool early,
			  bool now, int *status);
struct error *unit_disable(struct session *s, const char *root, const char *name, bool now,
			   int *status);

/* The state as shown by systemctl; "" where it shows none. */
struct unit_state {
	const char *active, *sub, *result, *exit_status; /* "failed", "failed", "exit-code", "1" */
	const char *since;				 /* when this state began */
	const char *enabled;				 /* "enabled", "disabled" */
	const char *text;				 /* of the run itself: its books */
	const char *restarts;
};
struct error *unit_show(struct session *s, const char *name, struct unit_state *ret);
/* True: it runs, or is about to. */
bool unit_is_up(const struct unit_state *u);

#endif

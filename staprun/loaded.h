/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded module of stap's. It is found by its name once; everything else is asked of
 * its open directory in debugfs, which holds nothing any more when the module has gone,
 * and never what a module has that was loaded under that name later. So whose it is
 * cannot change between the look and what follows.
 */
#ifndef STAPRUN_LOADED_H
#define STAPRUN_LOADED_H

#include <stdbool.h>
#include <sys/types.h>

struct loaded {
	const char *name; /* the caller's */
	int dir;
	uid_t owner; /* whom it was loaded for */
};

/* The fields of the module's file "state", uapi/msg.h. */
struct loaded_state {
	unsigned state;	  /* enum stp_state */
	unsigned is_kept; /* it goes on without a reader */
	unsigned is_read; /* ctl is open */
	unsigned is_left; /* and nobody is there who will remove it */
};

/* False with errno: there is none, or it is none of stap's. */
bool loaded_find(struct loaded *m, const char *name);
void loaded_close(struct loaded *m);
/* It has not been removed. */
bool loaded_is_there(const struct loaded *m);
/* False: it has been removed. */
bool loaded_look(const struct loaded *m, struct loaded_state *ret);
/*
 * The script goes on, or another reader has come to it: it is to stay when ours has
 * ended.
 */
bool loaded_is_kept(const struct loaded *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded module of stap's. It is found by its name once. All later questions go to its
 * open directory in /proc, which is empty when the module has gone, and never shows a
 * module that was loaded under that name later. So its owner cannot change between a
 * check and the action that follows.
 */
#ifndef STAPRUN_LOADED_H
#define STAPRUN_LOADED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/msg.h"

#define LOADED_PREFIX "/proc/" STP_PROC_PREFIX

struct loaded {
	const char *name; /* the caller's */
	int dir;
	uid_t owner;	/* whom it was loaded for */
	uint64_t bytes; /* of memory that it has, or may take */
};

/* The fields of the module's file "state", uapi/msg.h. */
struct loaded_state {
	unsigned state;	  /* enum stp_state */
	unsigned is_kept; /* it goes on without a reader */
	unsigned is_read; /* ctl is open */
	unsigned is_left; /* and nobody is there who will remove it */
};

/* Returns a descriptor of the module's directory, or -1 with errno. */
int loaded_open_dir(const char *name);
/*
 * Finds a loaded module. False with errno: there is none of that name, or it is not
 * stap's.
 */
bool loaded_find(struct loaded *m, const char *name);
void loaded_close(struct loaded *m);
/* Stores the bytes of kernel memory that it has, with its own code; false: errno. */
bool loaded_memory(const struct loaded *m, uint64_t *ret);
/* True: what failed by this error may succeed a moment later. */
bool loaded_may_pass(int error);
/* Waits that moment. */
void loaded_pause(void);
/* Returns 0: the module is there; ENOENT: it has gone; or why that is not known. */
int loaded_error(const struct loaded *m);
/* Reads the module's state. False: the module has been removed. */
bool loaded_look(const struct loaded *m, struct loaded_state *ret);
/*
 * True: the module is to stay when our reader has ended, because the script goes on or
 * another reader has come to it.
 */
bool loaded_is_kept(const struct loaded *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded module of stap's. It is found once, by its name. All later queries use its
 * open directory in /proc, which is empty when the module has gone, and never shows a
 * later module of the same name. So its owner cannot change between a check and the
 * action that follows.
 */
#ifndef STAPRUN_KMODULE_H
#define STAPRUN_KMODULE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/msg.h"

#define KMODULE_PREFIX "/proc/" STP_PROC_PREFIX

struct kmodule {
	const char *name; /* the caller's */
	int dir;
	uid_t owner;	/* the user for whom it was loaded */
	uint64_t bytes; /* of memory that it has or may take */
};

/* The fields of the module's file "state", uapi/msg.h. */
struct kmodule_state {
	unsigned state;	  /* enum stp_state */
	unsigned is_kept; /* it continues without a reader */
	unsigned is_read; /* ctl is open */
	unsigned is_left; /* and no process is left that will remove it */
};

/* Returns a descriptor of the module's directory, or -1 with errno. */
int kmodule_open_dir(const char *name);
/*
 * Finds a loaded module. False with errno: there is none of that name, or it is not
 * stap's.
 */
bool kmodule_find(struct kmodule *m, const char *name);
void kmodule_close(struct kmodule *m);
/*
 * Stores the bytes of kernel memory that it uses, including its code. False: see errno.
 */
bool kmodule_memory(const struct kmodule *m, uint64_t *ret);
/*
 * True: an action that failed with this error may succeed a moment later, or find that
 * the module has gone.
 */
bool kmodule_may_pass(int error);
/*
 * True: opening or reading a file of a module failed because the module has gone (EIO:
 * it went while the file was open), or is being removed (ENODEV).
 */
bool kmodule_is_gone(int error);
/* Waits that moment. */
void kmodule_pause(void);
#define KMODULE_TRIES 100 /* with such pauses in between, before it has failed */
/* True: the kernel is loading or removing a module of that name. */
bool kmodule_is_passing(const char *name);
/* Returns 0 if the module is loaded, ENOENT if it has gone, or the error of the check. */
int kmodule_error(const struct kmodule *m);
/* Reads the module's state. False: the module has been removed. */
bool kmodule_look(const struct kmodule *m, struct kmodule_state *ret);
/*
 * True: the module must stay when our reader has ended, because the script continues or
 * another reader has attached to it.
 */
bool kmodule_is_kept(const struct kmodule *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded module of stap's. It is found by its name once. All later questions go to its
 * open directory in /proc, which is empty when the module has gone, and never shows a
 * module that was loaded under that name later. So its owner cannot change between a
 * check and the action that follows.
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
	uid_t owner;	/* whom it was loaded for */
	uint64_t bytes; /* of memory that it has, or may take */
};

/* The fields of the module's file "state", uapi/msg.h. */
struct kmodule_state {
	unsigned state;	  /* enum stp_state */
	unsigned is_kept; /* it goes on without a reader */
	unsigned is_read; /* ctl is open */
	unsigned is_left; /* and nobody is there who will remove it */
};

/* Returns a descriptor of the module's directory, or -1 with errno. */
int kmodule_open_dir(const char *name);
/*
 * Finds a loaded module. False with errno: there is none of that name, or it is not
 * stap's.
 */
bool kmodule_find(struct kmodule *m, const char *name);
void kmodule_close(struct kmodule *m);
/* Stores the bytes of kernel memory that it has, with its own code; false: errno. */
bool kmodule_memory(const struct kmodule *m, uint64_t *ret);
/* True: what failed by this error may succeed a moment later. */
bool kmodule_may_pass(int error);
/* Waits that moment. */
void kmodule_pause(void);
/* Returns 0: the module is there; ENOENT: it has gone; or why that is not known. */
int kmodule_error(const struct kmodule *m);
/* Reads the module's state. False: the module has been removed. */
bool kmodule_look(const struct kmodule *m, struct kmodule_state *ret);
/*
 * True: the module is to stay when our reader has ended, because the script goes on or
 * another reader has come to it.
 */
bool kmodule_is_kept(const struct kmodule *m);

#endif

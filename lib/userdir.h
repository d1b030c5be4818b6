/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory in which stap keeps a user's cache, kernels and history of the dialogue.
 */
#ifndef LIB_USERDIR_H
#define LIB_USERDIR_H

struct arena;

/* Returns $SYSTEMTAP_DIR, or ~/.systemtap; NULL: the user has no home. */
const char *userdir_find(struct arena *a);
/* Returns $SYSTEMTAP_SHARED_DIR, or the directory that stap-prep --share fills. */
const char *userdir_shared(void);

#endif

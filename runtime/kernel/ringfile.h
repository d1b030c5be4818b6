/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files from which rings are read, see uapi/msg.h. Only control.c creates them, in
 * the same unit (objects/runtime_setup.c), so the functions are static.
 */
#ifndef STP_RINGFILE_H
#define STP_RINGFILE_H

struct proc_dir_entry;

/* Creates a file for each ring of the session in the directory. Returns 0 or -ENOMEM. */
static int stp_ringfile_create(struct proc_dir_entry *dir) __cold;
/* Frees the memory of the files, which were removed with their directory. */
static void stp_ringfile_destroy(void) __cold;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a loaded module in /proc (described in uapi/msg.h). staprun opens all of
 * them and passes the descriptors to stapio, so that stapio needs no privileges.
 */
#ifndef STAPRUN_FILES_H
#define STAPRUN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmodule;

#define FILES_MAX_RINGS 8193 /* CPUs of the largest kernel, and the ring of sleeping probes */

struct files {
	int ctl, formats, probes, books;
	int globals, about; /* of scripts of stap --globals; -1: there are none */
	int rings[FILES_MAX_RINGS];
	unsigned nrings;
};

/* False: /proc is not mounted, or something else is in its place, which was reported. */
bool files_proc_ready(void);
/* Opens all files, close-on-exec, or none if one cannot be opened. Prints errors. */
bool files_open(struct files *f, const struct kmodule *m);
/* Closes all files except the rings: an open ctl means that there is a reader. */
void files_close_control(struct files *f);
void files_close_rings(struct files *f);
/*
 * Reads the records that are left in the rings and that nobody else will read. Returns
 * the number of their hits.
 */
uint64_t files_count_left(struct files *f);
/* Writes "--fds=…" to buf, as stapio takes it. False: it does not fit. */
bool files_format(const struct files *f, char *buf, size_t size);
/* The same with "--looks=…". False: there are no values, or it does not fit. */
bool files_format_looks(const struct files *f, char *buf, size_t size);
/* Lets the descriptors survive an exec; for the child that becomes stapio. */
bool files_keep(const struct files *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loaded module, through descriptors that staprun has opened. The only file that
 * knows the ioctls of uapi/msg.h; tests link another implementation of these functions.
 */
#ifndef TRACE_SOURCE_MODULE_H
#define TRACE_SOURCE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/msg.h"

#define MODULE_MAX_RINGS 8193 /* CPUs of the largest kernel, and the sleeping probes' */

struct books;
struct tables;

struct module {
	int ctl, formats, probes, books;
	int rings[MODULE_MAX_RINGS];
	unsigned nrings; /* descriptors given */
	struct stp_hello hello;
};

/*
 * These return 0 or -errno. start and stop block until the module has done it; the others
 * do not, also while those run.
 */
int module_hello(struct module *m);
struct start_options {
	int64_t target;
	enum stp_on_full on_full;
	bool keep;    /* the run goes on when its reader has gone */
	bool as_data; /* output says which task was hit, and the numbers of histograms */
};
int module_start(struct module *m, const struct start_options *o, char *error, size_t size);
/* Keeps the run when its reader goes, from now on. */
int module_detach(struct module *m);
int module_stop(struct module *m);
int module_status(struct module *m, struct stp_status *ret);
int module_horizon(struct module *m, uint64_t *ret);
/* Waits for a file that needs a table, and hands in a file's table; see uapi/msg.h. */
int module_gather(struct module *m, struct stp_gather *ret);
int module_table(struct module *m, const struct stp_table *t);
/* Reads whole records. Returns bytes, 0 when the ring is empty, -errno. */
ssize_t module_ring_read(struct module *m, unsigned ring, void *buf, size_t size);
/*
 * Reads the whole file, with a NUL behind it; *ret is the caller's to free. Returns
 * bytes, or -errno.
 */
ssize_t module_read_books(struct module *m, char **ret);
/* The same, parsed. Both return NULL, or what is wrong. */
const char *module_read_tables(struct module *m, struct tables *t);
const char *module_parse_books(struct module *m, struct books *ret);
/*
 * Returns the descriptor to poll: POLLIN when a ring has reached its wake-up level or
 * the state has changed.
 */
int module_poll_fd(const struct module *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Talks to the loaded module through descriptors that staprun has opened. Only this file
 * knows the ioctls of uapi/msg.h. Tests link another implementation of these functions.
 */
#ifndef TRACE_SOURCE_MODULE_H
#define TRACE_SOURCE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/msg.h"

#define MODULE_MAX_RINGS 8193 /* CPUs of the largest kernel, and the ring of sleeping probes */

struct books;
struct tables;

struct module {
	int ctl, formats, probes, books;
	int globals, about; /* 0: not given */
	int rings[MODULE_MAX_RINGS];
	unsigned nrings; /* the given descriptors */
	struct stp_hello hello;
};

/*
 * These return 0 or -errno. Start and stop block until the module has finished them. The
 * others never block, even while one of these runs.
 */
int module_hello(struct module *m);
struct start_options {
	int64_t target;
	enum stp_on_full on_full;
	bool keep;    /* the run continues when its reader has gone */
	bool as_data; /* output has the task of each hit, and histograms in numbers */
	bool verbose; /* warnings have all names */
};
int module_start(struct module *m, const struct start_options *o, char *error, size_t size);
/* From now on, the run continues when its reader goes. */
int module_detach(struct module *m);
int module_stop(struct module *m);
int module_status(struct module *m, struct stp_status *ret);
int module_horizon(struct module *m, uint64_t *ret);
/* Waits for a file that needs a table, and passes a file's table; see uapi/msg.h. */
int module_gather(struct module *m, struct stp_gather *ret);
int module_table(struct module *m, const struct stp_table *t);
/* Reads complete records. Returns the bytes, 0 if the ring is empty, or -errno. */
ssize_t module_ring_read(struct module *m, unsigned ring, void *buf, size_t size);
/*
 * Reads the whole file and adds a NUL. The caller frees *ret. Returns the bytes, or
 * -errno.
 */
ssize_t module_read_books(struct module *m, char **ret);
/*
 * The same of the values of globals, and of what the module says about the run
 * (uapi/status.h). -ENODATA: there are none.
 */
ssize_t module_read_values(struct module *m, char **ret);
/* The same, parsed. Both return NULL or an error text. */
const char *module_read_tables(struct module *m, struct tables *t);
const char *module_parse_books(struct module *m, struct books *ret);
/*
 * Returns the descriptor to poll. POLLIN: a ring has reached its wake-up level, or the
 * state has changed.
 */
int module_poll_fd(const struct module *m);

#endif

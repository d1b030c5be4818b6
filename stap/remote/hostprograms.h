/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun and stapio for machines that have none: static ones, packed by gzip, as `make
 * static` puts them next to stap. They are sent to a machine before its module, into the
 * directory that the run removes at its end.
 */
#ifndef STAP_REMOTE_HOSTPROGRAMS_H
#define STAP_REMOTE_HOSTPROGRAMS_H

#include <stddef.h>

struct error;
struct host;
struct session;

struct hostprograms {
	const char *text;	/* one after the other; NULL: not read yet */
	size_t staprun, stapio; /* bytes of each */
};

/* Reads them, unless they have been read. The machine is that which needs them. */
struct error *hostprograms_read(struct session *s, const struct host *h, struct hostprograms *p);
/* Returns the error for a machine of another architecture, for which there are none. */
struct error *hostprograms_foreign(struct session *s, const struct host *h);

#endif

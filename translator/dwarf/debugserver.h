/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Servers of debuginfo (DEBUGINFOD_URLS), which libdwfl asks if no file is found here.
 * Shows users at a terminal which server is asked and the progress of the download, and
 * limits the waiting time.
 */
#ifndef STAP_DWARF_DEBUGSERVER_H
#define STAP_DWARF_DEBUGSERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <elfutils/libdwfl.h>

struct session;

/* A file that may be requested from a server. */
struct debugserver {
	struct session *s;
	const char *path;
	uint64_t begin;	 /* 0: no server is asked */
	uint64_t bound;	 /* seconds that may pass without an answer */
	bool is_visible; /* a user waits at a terminal */
	bool gave_up;
};

/* From now on, watches the requests of libdwfl to servers for that file. */
struct debugserver *debugserver_begin(struct session *s, Dwfl *dwfl, const char *path);
/* A server that took longer than the bound is reported, and not asked again. */
void debugserver_end(struct debugserver *d, bool is_found);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of --monitor, for a run of this machine and for those of several. */
#ifndef STAP_WATCH_MONITORKEYS_H
#define STAP_WATCH_MONITORKEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "stap/watch/screen.h"

#define MONITORKEYS_DIGITS 8

struct monitorkeys {
	struct screen screen;
	bool is_asking; /* for the number of a probe */
	char number[MONITORKEYS_DIGITS + 1];
	char prompt[64];
	/* Ends the run, or all runs. */
	void (*end)(void *ctx);
	/* Switches the probe of that index, or "all". False: it was refused. */
	bool (*switch_probes)(void *ctx, const char *which, bool on);
	/*
	 * Tells whether a probe is switched off. False: there is no probe with that
	 * index.
	 */
	bool (*find)(void *ctx, size_t index, bool *is_off);
	/*
	 * Changes between the values of globals and the probes; NULL: no values are
	 * known.
	 */
	void (*change)(void *ctx);
	void *ctx;
};

void monitorkeys_take(struct monitorkeys *k, int key);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log, for what the kernel says about a module it refuses: only there it
 * names the symbol or the version it misses.
 */
#ifndef STAPRUN_KMSG_H
#define STAPRUN_KMSG_H

/* At the log's present end, or -1: then nothing is shown. */
int kmsg_open(void);
/*
 * Shows, as hints, what the log has got since about `name`: lines that hold `what` (NULL:
 * all). How many lines.
 */
int kmsg_show(int log, const char *name, const char *what);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log, for what the kernel says about a module it refuses: only the log
 * names the symbol or the version that is missing.
 */
#ifndef STAPRUN_KMSG_H
#define STAPRUN_KMSG_H

/* Opens the log at its present end. Returns -1 on failure: nothing is shown then. */
int kmsg_open(void);
/*
 * Shows as hints the lines about `name`, or about lockdown, that the log has got since
 * then, and that hold `what` (NULL: all). Returns how many lines.
 */
int kmsg_show(int log, const char *name, const char *what);

#endif

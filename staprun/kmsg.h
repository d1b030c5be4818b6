/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the kernel's log for messages about a refused module: only the log names the
 * missing symbol or version.
 */
#ifndef STAPRUN_KMSG_H
#define STAPRUN_KMSG_H

/* Opens the log at its present end. Returns -1 on failure; then nothing is shown. */
int kmsg_open(void);
/*
 * Prints as hints the lines about `name` or about lockdown that were logged since then
 * and contain `what` (NULL: all). Returns the number of lines.
 */
int kmsg_show(int log, const char *name, const char *what);

#endif

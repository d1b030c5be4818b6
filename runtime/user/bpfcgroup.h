/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: a run that is restricted to the tasks of one control group of version 2
 * and of those below it (staprun --cgroup, --container). A point's program asks the
 * kernel before it takes the lock of the handlers, so that tasks outside do not delay
 * those inside. Points whose probes call unfiltered() see all tasks: a script that has
 * one asks in the hit protocol, too, because points share programs.
 */
#ifndef STP_USER_BPFCGROUP_H
#define STP_USER_BPFCGROUP_H

#include <stdbool.h>

struct bpfcode;
struct stp_probe;

/*
 * Restricts the run to the group whose directory is open as `fd`; 0: no group. It is
 * called after stp_session_create(), before programs are loaded. False: the error was
 * printed.
 */
bool bpfcgroup_begin(int fd);
/*
 * True: the program of that point asks. is_shared: it is one of several points, so that
 * it does not ask if any probe of the script sees all tasks.
 */
bool bpfcgroup_is_asked(const struct stp_probe *p, bool is_shared);
/*
 * Writes a jump that is taken if the current task is in the group, and returns its place.
 * Registers 0 to 5 are used.
 */
unsigned bpfcgroup_passes(struct bpfcode *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun --check: prints what a program of --runtime=bpf, or a module, needs of a
 * kernel, and whether the running one has it, without running it.
 */
#ifndef STAPRUN_BPFCHECK_H
#define STAPRUN_BPFCHECK_H

/* Returns the exit status: 0 it can run, 4 it cannot, or it is not such a file. */
int bpfcheck_print(const char *file);

#endif

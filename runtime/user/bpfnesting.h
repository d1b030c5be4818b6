/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls whose return the kernel misses under --runtime=bpf: it replaces only so many
 * return addresses of a task. Returns that save values at the entry count such calls
 * there; for others a small program is at the entry.
 */
#ifndef STP_USER_BPFNESTING_H
#define STP_USER_BPFNESTING_H

#include <stdint.h>

/*
 * Counts such calls at n places of the file, each in a word of its own in the arena.
 * pid: of that process only; 0: of all. Returns a link, or -errno.
 */
int bpfnesting_watch(const char *path, int64_t pid, uint32_t n, const uint64_t *offsets,
		     const uint64_t *counts);

#endif

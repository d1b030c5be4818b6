/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bar on the terminal that says how far something has come. */
#ifndef TRACE_PROGRESS_H
#define TRACE_PROGRESS_H

#include <stdint.h>

/* Begins one, when stderr is a terminal; nothing happens otherwise. */
void progress_begin(uint64_t total);
/* So much of the total has been done since the last call. */
void progress_add(uint64_t done);
void progress_end(void);

#endif

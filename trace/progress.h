/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A progress bar on the terminal. */
#ifndef TRACE_PROGRESS_H
#define TRACE_PROGRESS_H

#include <stdint.h>

/* Begins a bar if stderr is a terminal; otherwise nothing happens. */
void progress_begin(uint64_t total);
/* Adds to the bar the work that was done since the last call. */
void progress_add(uint64_t done);
void progress_end(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --rlimit-NAME=NUMBER: resource limits for stap and all processes that it starts. */
#ifndef LIB_RLIMIT_H
#define LIB_RLIMIT_H

struct arena;
struct error;

/* Sets one limit. `option` is the option as the user wrote it: "--rlimit-cpu". */
struct error *rlimit_set(struct arena *a, const char *option, const char *number);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --rlimit-NAME=NUMBER: what stap, and all that it starts, may take. */
#ifndef STAP_RLIMIT_H
#define STAP_RLIMIT_H

struct arena;
struct error;

/* option: as it was given, "--rlimit-cpu" */
struct error *rlimit_set(struct arena *a, const char *option, const char *number);

#endif

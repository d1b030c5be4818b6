/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Downloads headers of other kernels with stap-fetch-kernel: --fetch-headers. */
#ifndef STAP_KERNEL_FETCH_H
#define STAP_KERNEL_FETCH_H

#include "base/remedy.h"

struct session;

/*
 * Returns the part of a kernel to download for the session. The headers are sufficient if
 * the types come from a machine that runs it; otherwise they are in its image.
 */
enum remedy fetch_part(struct session *s, const char *release);
/*
 * With --fetch-headers: unpacks the headers, or that part, where tree_of() finds them,
 * unless it finds some, or --vm is given. Tries once in a process. stap-fetch-kernel
 * reports its steps and errors on standard error. Several processes may call this at
 * once.
 */
void fetch_headers(struct session *s, const char *release);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a header of providers, and the C source of their semaphores. */
#ifndef DTRACE_GENERATE_H
#define DTRACE_GENERATE_H

#include "dtrace/provider.h"

const char *generate_header(struct arena *a, const char *source, const provider_list *providers);
const char *generate_semaphores(struct arena *a, const char *source,
				const provider_list *providers);

#endif

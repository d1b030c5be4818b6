/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is made of providers: a header, and the C source of the semaphores. */
#ifndef DTRACE_OUTPUT_H
#define DTRACE_OUTPUT_H

#include "dtrace/provider.h"

const char *generate_header(struct arena *a, const char *source, const provider_list *providers);
const char *generate_semaphores(struct arena *a, const char *source,
				const provider_list *providers);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose meaning depends on the probe that calls
 * them: they use target variables, or call one that does.
 */
#ifndef STAP_SEM_PERPROBE_H
#define STAP_SEM_PERPROBE_H

#include <stdbool.h>

#include "ast/program.h"

struct session;

/* True when body, or a function that it calls, uses target variables. */
bool perprobe_matters(struct session *s, const struct node *body);
/* Returns the function's clone for the handler's point: one for all calls from there. */
struct function *perprobe_function(struct session *s, struct function *f, struct handler *h,
				   struct loc call);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -R: the module under another name, so that it can be loaded more than once. */
#ifndef STAPRUN_RENAME_H
#define STAPRUN_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "staprun/load.h"

/* The module's image with a name of its own in it (malloc), which l->name is then as well; NULL: it has been said why. */
void *rename_module(struct load *l, size_t *size);

#endif

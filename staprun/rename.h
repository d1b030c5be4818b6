/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -R: the module under another name, so that it can be loaded more than once. */
#ifndef STAPRUN_RENAME_H
#define STAPRUN_RENAME_H

#include <stdbool.h>

#include "staprun/load.h"

/*
 * l->image gets a name of its own, which l->name
 * is then as well; false: it has been said why.
 */
bool rename_module(struct load *l);

#endif

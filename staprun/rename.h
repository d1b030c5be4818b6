/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -R: loads the module under another name, so that it can be loaded more than once. */
#ifndef STAPRUN_RENAME_H
#define STAPRUN_RENAME_H

#include <stdbool.h>

#include "staprun/load.h"

/*
 * Gives l->image a unique name, which is also stored in l->name. False: the error was
 * printed.
 */
bool rename_module(struct load *l);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -R: the module under another name, so that it can be loaded more than once. */
#ifndef STAPRUN_RENAME_H
#define STAPRUN_RENAME_H

#include <stdbool.h>

#include "staprun/load.h"

/*
 * Gives l->image a name of its own, which is put into l->name as well. False: the error
 * has been printed.
 */
bool rename_module(struct load *l);

#endif

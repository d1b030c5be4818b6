/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints below an error: the obstacles between this process and the kernel. */
#ifndef STAPRUN_OBSTACLES_H
#define STAPRUN_OBSTACLES_H

#include <stdbool.h>

/*
 * Prints hints after the kernel refused to load a module. Returns true if the cause may
 * be the signature that a locked-down kernel requires.
 */
bool obstacles_module(void);
void obstacles_system_call(void); /* init_module() does not exist */
void obstacles_file(void);	  /* a file of a module was not opened */

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints below an error: what stands between this process and the kernel. */
#ifndef STAPRUN_OBSTACLES_H
#define STAPRUN_OBSTACLES_H

#include <stdbool.h>

/*
 * Prints hints when the kernel refused to load a module. Returns true where it may be for
 * the signature that a kernel that is locked down asks for.
 */
bool obstacles_module(void);
void obstacles_system_call(void); /* init_module() is not there */
void obstacles_file(void);	  /* a file of a module was not opened */

#endif

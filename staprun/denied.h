/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints below an error: what stands between this process and the kernel. */
#ifndef STAPRUN_DENIED_H
#define STAPRUN_DENIED_H

#include <stdbool.h>

/*
 * The kernel did not take a module. Returns true where it may be for the signature that a
 * kernel that is locked down asks for.
 */
bool denied_module(void);
void denied_system_call(void); /* init_module() is not there */
void denied_file(void);	       /* a file of a module was not opened */

#endif

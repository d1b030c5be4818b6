/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints below an error: what stands between this process and the kernel. */
#ifndef STAPRUN_DENIED_H
#define STAPRUN_DENIED_H

void denied_module(void);    /* the kernel did not take a module */
void denied_system_call(void); /* init_module() is not there */
void denied_file(void);	     /* a file of a module was not opened */

#endif

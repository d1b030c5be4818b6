/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's variables of modules, for as long as the script is loaded. */
#ifndef STP_KERNEL_VARIABLE_H
#define STP_KERNEL_VARIABLE_H

#include "api.h"

int stp_variables_create(void);
void stp_variables_destroy(void);

#endif

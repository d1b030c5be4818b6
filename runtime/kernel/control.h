/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's files in /proc, see uapi/msg.h. */
#ifndef STP_KERNEL_CONTROL_H
#define STP_KERNEL_CONTROL_H

#include "api.h"

int stp_control_create(void) __cold;
/* Removes the files and ends a run that is still active. */
void stp_control_destroy(void) __cold;

bool stp_control_is_open(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: finds what the script uses of the kernel's types (api/field.h). */
#ifndef STP_USER_BPFFIELDS_H
#define STP_USER_BPFFIELDS_H

#include <stdbool.h>

/* False: the running kernel differs in a way that is reported, line by line. */
bool bpffields_find(void);

#endif

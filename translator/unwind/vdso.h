/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_UNWIND_VDSO_H
#define STAP_UNWIND_VDSO_H

#include <stdbool.h>

#include "formats/file.h"

struct session;

/* Finds the 64-bit vdso of the target kernel; false: it is not available. */
bool vdso_find(struct session *s, struct bytes *ret);

#endif

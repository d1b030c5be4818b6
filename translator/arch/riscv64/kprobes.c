/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "arch/arch.h"

/* Not examined, because no modules are made. */
static const char *const refused[] = { NULL };

const struct arch_kprobes riscv64_kprobes = { .refused = refused };

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

/* Not looked at: no modules are made. */
static const char *const functions[] = { 0 };

const struct arch_early riscv64_early = { .functions = functions };

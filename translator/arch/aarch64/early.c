/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

/* Processors have their table of exceptions before they come to a function. */
static const char *const functions[] = { 0 };

const struct arch_early aarch64_early = { .functions = functions };

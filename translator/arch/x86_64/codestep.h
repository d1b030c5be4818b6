/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Effects of instructions in 64-bit code: see struct arch_step in arch/arch.h. */
#ifndef STAP_ARCH_X86_64_CODESTEP_H
#define STAP_ARCH_X86_64_CODESTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch_step;

bool codestep_read(const uint8_t *code, size_t left, uint64_t address, struct arch_step *ret);

#endif

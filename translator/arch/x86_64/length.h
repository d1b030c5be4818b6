/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths of instructions in 64-bit code. */
#ifndef STAP_ARCH_X86_64_LENGTH_H
#define STAP_ARCH_X86_64_LENGTH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the instruction at the beginning of the code; 0: it is unknown,
 * or longer than the remaining bytes.
 */
size_t length_of(const uint8_t *code, size_t left);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions by which functions return, call or jump: see struct arch_programs. */
#ifndef STAP_ARCH_X86_64_LEAVES_H
#define STAP_ARCH_X86_64_LEAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum leave;

bool leaves_find(const uint8_t *code, size_t len, uint64_t address,
		 void (*see)(void *ctx, enum leave how, uint64_t at, uint64_t to), void *ctx);
bool leaves_is_filler(const uint8_t *code, size_t left);

#endif

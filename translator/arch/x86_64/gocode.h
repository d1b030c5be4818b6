/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that Go's compiler makes: see struct arch_go in arch/arch.h. */
#ifndef STAP_ARCH_X86_64_GOCODE_H
#define STAP_ARCH_X86_64_GOCODE_H

#include <stddef.h>
#include <stdint.h>

unsigned gocode_check(const uint8_t *code, size_t left);
const char *gocode_returns(const uint8_t *code, size_t len, void (*see)(void *ctx, size_t at),
			   void *ctx);

#endif

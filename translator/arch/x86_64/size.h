/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes modules smaller. They are also correct without it. */
#ifndef STAP_ARCH_X86_64_SIZE_H
#define STAP_ARCH_X86_64_SIZE_H

struct arena;
struct elf64;

void fold_code(const struct elf64 *o);
void jumps_share(struct arena *a, const struct elf64 *o);

#endif

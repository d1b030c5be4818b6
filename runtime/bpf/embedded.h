/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel names that embedded C uses, in BPF programs. */
#ifndef STP_BPF_EMBEDDED_H
#define STP_BPF_EMBEDDED_H

#include "bpf/env.h"

#define STP_PARAM(name, index) _Static_assert(1, #name)
#define STP_MARK(level)	       _Static_assert(1, level)

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;

ssize_t strscpy(char *dst, const char *src, size_t size);
int scnprintf(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel names that embedded C uses, in BPF programs. */
#ifndef STP_BPF_EMBEDDED_H
#define STP_BPF_EMBEDDED_H

#include "bpf/env.h"
#include "core/embeddednames.h"

int scnprintf(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif

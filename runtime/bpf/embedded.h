/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel names that embedded C uses, in BPF programs. */
#ifndef STP_BPF_EMBEDDED_H
#define STP_BPF_EMBEDDED_H

#include "bpf/arena.h"
#include "bpf/env.h"
#include "core/embeddednames.h"

/* The C library's, of the process that runs the script. */
#define getpid()  ((int)bpf_shared.process)
#define getppid() ((int)bpf_shared.parent)
#define getuid()  bpf_shared.user
#define geteuid() bpf_shared.user_now
#define getgid()  bpf_shared.group
#define getegid() bpf_shared.group_now
#define gettid()  ((int)(uint32_t)((uint64_t(*)(void))14)()) /* bpf_get_current_pid_tgid */

#define _SC_PAGESIZE  30
#define sysconf(what) ((long)bpf_shared.page) /* nothing else is asked for */

#define ntohl(x) __builtin_bswap32(x)
#define htonl(x) __builtin_bswap32(x)
#define ntohs(x) __builtin_bswap16(x)
#define htons(x) __builtin_bswap16(x)

int scnprintf(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif

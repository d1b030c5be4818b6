/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as text, in the unit of a script whose handlers ask for it: their tables
 * lead to functions, so that both have to be where the rows are.
 */
#ifndef STP_BPF_CALLSHOWN_H
#define STP_BPF_CALLSHOWN_H

/* Names of the kernel that these files use. */
#define ARRAY_SIZE(a)	   (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(a, b) (((a) + (b)-1) / (b))
#define hweight64(bits)	   __builtin_popcountll(bits)
#define be32_to_cpu(n)	   __builtin_bswap32(n)
#define __force
typedef uint32_t __be32;

#include "syscall/call.c"
#include "syscall/names.c"
#include "syscall/numbers.c"
#include "syscall/say.c"
#include "syscall/say_basic.c"
#include "syscall/say_file.c"
#include "syscall/say_ioctl.c"
#include "syscall/say_ipc.c"
#include "syscall/say_memory.c"
#include "syscall/say_process.c"
#include "syscall/say_rights.c"
#include "syscall/say_sched.c"
#include "syscall/say_signal.c"
#include "syscall/say_socket.c"
#include "syscall/say_system.c"
#include "syscall/say_time.c"

#endif

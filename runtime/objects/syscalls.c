/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as text, as one unit: a separate object, linked to scripts that use the
 * text.
 */
#include "syscall/say.c"
#include "syscall/names.c"
#include "syscall/say_basic.c"
#include "syscall/say_file.c"
#include "syscall/say_memory.c"
#include "syscall/say_time.c"
#include "syscall/say_signal.c"
#include "syscall/say_socket.c"
#include "syscall/say_process.c"
#include "syscall/say_sched.c"
#include "syscall/say_rights.c"
#include "syscall/say_system.c"
#include "syscall/say_ipc.c"
#include "syscall/say_ioctl.c"
#include "syscall/numbers.c"
#include "syscall/call.c"

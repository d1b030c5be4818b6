/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls as text, as one unit: an object of its own, linked to scripts that ask for the text. */
#include "syscall/text.c"
#include "syscall/names.c"
#include "syscall/basic.c"
#include "syscall/file.c"
#include "syscall/memory.c"
#include "syscall/time.c"
#include "syscall/signal.c"
#include "syscall/socket.c"
#include "syscall/process.c"
#include "syscall/ipc.c"
#include "syscall/control.c"
#include "syscall/call.c"

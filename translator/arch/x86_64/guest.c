/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

const struct arch_guest x86_64_guest = { .emulator = "qemu-system-x86_64" };

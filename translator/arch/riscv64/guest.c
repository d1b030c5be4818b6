/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

const struct arch_guest riscv64_guest = { .emulator = "qemu-system-riscv64" };

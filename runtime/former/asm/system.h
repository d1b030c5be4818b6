/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 3.4. */
#include <asm/barrier.h>
#include <asm/cmpxchg.h>
#include <asm/processor.h>
#include <asm/special_insns.h>
#include <asm/switch_to.h>

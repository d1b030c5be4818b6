/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that both back ends have: fixed-width integers, strings, atomics, likely(). */
#ifndef STP_ENV_H
#define STP_ENV_H

#ifdef __KERNEL__
#include "kernel/env.h"
#else
#include "user/env.h"
#endif

#endif

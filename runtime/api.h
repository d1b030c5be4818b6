/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract: everything that generated C, and embedded C in tapsets, may call.
 * Implemented once in runtime/core and twice, for the kernel and for user space, in
 * runtime/kernel and runtime/user. runtime/example.c shows generated C. Each header below
 * api/ has one subject, and can be included alone.
 *
 * Rules of a handler: it runs with a context (struct stp_ctx) of its CPU, never sleeps
 * (begin, end and error may), and every function here that can fail sets c->error; the
 * generated code then leaves by its fail label.
 */
#ifndef STP_API_H
#define STP_API_H

#include "core/env.h"
#include "uapi/msg.h"
#include "uapi/record.h"

#include "api/string.h"
#include "api/ctx.h"
#include "api/arith.h"
#include "api/map.h"
#include "api/stat.h"
#include "api/iter.h"
#include "api/output.h"
#include "api/embedcalls.h"
#include "api/memory.h"
#include "api/point.h"
#include "api/field.h"
#include "api/tapset.h"
#include "api/program.h"
#include "api/sourceline.h"
#include "api/parts.h"
#include "api/lock.h"
#include "api/shards.h"
#include "api/script.h"
#include "api/unread.h"

#include "probe/points.h"
#include "core/inline.h" /* the static inline functions declared above */
#include "core/showunread.h"

#ifdef __KERNEL__
#include "syscall/number.h" /* stp_shown_number(), inline as well */
#elif defined(__bpf__)
#include "bpf/embedded.h"
#include "syscall/number.h"
#else
#include "user/embedded.h"
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own trace buffer. */
#ifndef STP_COMPAT_TRACE_H
#define STP_COMPAT_TRACE_H

#include <linux/kernel.h>

#include "stp_facts.h"

#ifdef STP_HAVE_TRACE_PUTS_COUNTS
#define stp_trace_puts(text, len) __trace_puts(_THIS_IP_, text)
#else
#define stp_trace_puts(text, len) __trace_puts(_THIS_IP_, text, len)
#endif

#endif

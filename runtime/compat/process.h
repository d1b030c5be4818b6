/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that belong to no user, and the tracepoint of a task's end. */
#ifndef STP_COMPAT_PROCESS_H
#define STP_COMPAT_PROCESS_H

#include <linux/sched.h>

#include "stp_facts.h"

/* Threads that the kernel adds to a process have had three names. */
#if defined(PF_USER_WORKER)
#define COMPAT_PF_KERNEL (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#elif defined(PF_IO_WORKER)
#define COMPAT_PF_KERNEL (PF_KTHREAD | PF_IO_WORKER)
#else
#define COMPAT_PF_KERNEL PF_KTHREAD
#endif

#ifdef STP_HAVE_EXIT_GROUP_DEAD
#define COMPAT_GROUP_DEAD , bool group_dead
#else
#define COMPAT_GROUP_DEAD
#endif

#endif

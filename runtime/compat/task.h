/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of struct task_struct that have moved. For offsetof(). */
#ifndef STP_COMPAT_TASK_H
#define STP_COMPAT_TASK_H

#ifdef STP_HAVE_TASK_STATE_UNDERSCORE
#define STP_TASK_STATE __state
#else
#define STP_TASK_STATE state
#endif

#ifdef STP_HAVE_THREAD_INFO_CPU
#define STP_TASK_CPU thread_info.cpu
#else
#define STP_TASK_CPU cpu
#endif

#endif

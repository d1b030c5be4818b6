/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 2.6.32: markers have become tracepoints. */
#include <linux/tracepoint.h>

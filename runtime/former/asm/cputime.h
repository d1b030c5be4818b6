/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 4.11. */
#include <linux/sched/cputime.h>

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 2.6.26. */
#include <linux/semaphore.h>

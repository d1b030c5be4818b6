/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.18. */
#include <linux/blkdev.h>

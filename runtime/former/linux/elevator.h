/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.16: what file systems and drivers need of it is elsewhere. */
#include <linux/blkdev.h>

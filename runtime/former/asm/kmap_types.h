/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.11. */
#include <linux/highmem.h>

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 4.20. */
#include <linux/memblock.h>

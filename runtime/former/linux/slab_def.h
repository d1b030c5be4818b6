/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 6.8. */
#include <linux/slab.h>

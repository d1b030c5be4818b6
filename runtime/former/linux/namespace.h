/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 2.6.20. */
#include <linux/mnt_namespace.h>

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 6.12. */
#include <linux/unaligned.h>

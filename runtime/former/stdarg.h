/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.16. */
#include <linux/stdarg.h>

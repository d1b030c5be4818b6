/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 4.10. */
#include <linux/mutex.h>

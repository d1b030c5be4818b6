/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 4.3. */
#include <linux/jbd2.h>

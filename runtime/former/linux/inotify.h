/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 3.17. */
#include <linux/fsnotify_backend.h>

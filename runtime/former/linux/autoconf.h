/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 2.6.33: the compiler is told the configuration. */
#include <generated/autoconf.h>

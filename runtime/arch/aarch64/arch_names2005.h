/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There are no older names: the architecture was added in Linux 3.7. */
#ifndef STP_ARCH_NAMES2005_H
#define STP_ARCH_NAMES2005_H
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No names of before: the architecture came with Linux 3.7. */
#ifndef STP_ARCH_NAMES2005_H
#define STP_ARCH_NAMES2005_H
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STP_KERNEL_PACKED_H
#define STP_KERNEL_PACKED_H

/*
 * Fills in the addresses that the build left to the module. Must run before any table is
 * read. A second call does nothing.
 */
void stp_packed_apply(void);

#endif

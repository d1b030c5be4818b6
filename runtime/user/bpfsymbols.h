/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: the kernel's symbols, for handlers. */
#ifndef STP_USER_BPFSYMBOLS_H
#define STP_USER_BPFSYMBOLS_H

#include <stdbool.h>

/*
 * Reads the symbols of the kernel and its modules into the arena (bpf_shared.symbols).
 * Those of modules that are loaded later are missing. False, with a message: there is no
 * memory. Where the kernel hides its addresses, the table is empty.
 */
bool bpfsymbols_read(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in a module's tables that the module itself fills in, before it does anything
 * else. A relocation by the kernel takes 24 bytes of the file, and a probe point needs a
 * dozen of them; here each takes one bit. translator/build/pack.c writes them, and
 * runtime/kernel/packed.c reads them.
 */
#ifndef STP_UAPI_PACKED_H
#define STP_UAPI_PACKED_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

/*
 * An anchor is in each section that addresses point to, because the kernel decides where
 * each section is. The first one is in the tables themselves.
 */
enum stp_anchor { STP_ANCHOR_TABLES, STP_ANCHOR_CODE, STP_ANCHOR_STATE, STP_ANCHORS };

#define STP_PACKED_SECTION ".stp_packed"

/*
 * `places` has a bit for each 64-bit word of the tables, set if the word is an address:
 * the word then holds the anchor's number in its upper half and the signed distance from
 * the anchor in its lower one.
 */
struct stp_packed {
	const void *anchors[STP_ANCHORS];
	uint32_t before; /* bytes of the tables before their anchor */
	uint32_t count;	 /* of places; 0: the kernel has relocated all of them */
	uint64_t places[];
};

#endif

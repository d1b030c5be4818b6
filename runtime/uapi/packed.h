/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in a module's tables that the module fills in by itself, before anything
 * else. A relocation that the kernel does takes 24 bytes of the file, and a probe point
 * needs a dozen; here each is one bit. translator/build/pack.c writes them,
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
 * One anchor in each section that addresses lead to, since the kernel decides where each
 * section is. The first one lies among the tables themselves.
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
	uint32_t before; /* bytes of the tables in front of their anchor */
	uint32_t count;	 /* of places: 0 where the kernel has done all of them */
	uint64_t places[];
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in a module's tables that the module fills in by itself, before anything
 * else. A relocation that the kernel does is 24 bytes of the file, and a probe point
 * needs a dozen; here it is one bit. translator/build/pack.c writes it,
 * runtime/kernel/packed.c reads it.
 */
#ifndef STP_UAPI_PACKED_H
#define STP_UAPI_PACKED_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

/*
 * One place in each section that addresses lead to: the kernel decides
 * where each section is. The first lies among the tables themselves.
 */
enum stp_anchor { STP_ANCHOR_TABLES, STP_ANCHOR_CODE, STP_ANCHOR_STATE, STP_ANCHORS };

#define STP_PACKED_SECTION ".stp_packed"

/*
 * Of the tables' 64-bit words, a bit in `places` for each that is an address: it holds
 * the anchor's number in its upper half and in its lower one the distance from there,
 * signed.
 */
struct stp_packed {
	const void *anchors[STP_ANCHORS];
	uint32_t before; /* bytes of the tables in front of their anchor */
	uint32_t count;  /* of places: 0 where the kernel has done all */
	uint64_t places[];
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module tells readers of a dump of the machine's memory where its rings, books,
 * formats and probe points are, in page frame numbers. So the reader needs no symbols,
 * types or page tables of the kernel, and does not depend on the kernel's address.
 *
 *   page:     struct stp_crash_page | bytes of the text, to the end of the page
 *   text:     struct stp_crash_header | area ...       (over the pages, in order)
 *   area:     struct stp_crash_area | its contents | padding to 8
 *     of kinds up to STP_CRASH_INLINE the bytes themselves; of others, u64 frame for each
 *     page that the area touches
 *
 * A reader finds the first page by its magic among all pages of the dump. Each page
 * contains its own frame number, so that a copy elsewhere, such as in the pages of a
 * file, is not mistaken for it. The magic is present as long as the areas are.
 */
#ifndef STP_UAPI_CRASH_H
#define STP_UAPI_CRASH_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define STP_CRASH_MAGIC	  0x486352735ce17a9dull
#define STP_CRASH_VERSION 1

struct stp_crash_page {
	uint64_t magic;
	uint64_t inverse; /* ~magic: only both together mark the beginning */
	uint64_t self;	  /* this page's frame number */
	uint64_t next;	  /* of the next page, 0: this is the last */
};

enum stp_crash_kind {
	STP_CRASH_FORMATS, /* as the file of this name in uapi/msg.h */
	STP_CRASH_PROBES,  /* the same */
	STP_CRASH_GLOBALS, /* names of the globals, in the same way */
	STP_CRASH_INLINE = STP_CRASH_GLOBALS,
	STP_CRASH_CPU,	  /* words of ring `index`; the header has their places */
	STP_CRASH_RING,	  /* its records */
	STP_CRASH_BOOKS,  /* its books, one for each probe, of u64 */
	STP_CRASH_GLOBAL, /* hits that could not get global `index`, u32 */
	STP_CRASH_KINDS
};

/* A probe's book: delivered, dropped, and a word for each reason why hits are skipped. */
#define STP_CRASH_BOOK_WORDS 8

struct stp_crash_header {
	uint32_t version, abi;
	uint32_t page_bytes;
	uint32_t nareas;
	uint32_t nrings, nformats, nprobes, nglobals;
	/* places of u64 in the area of a CPU */
	uint32_t size, head, tail, pending;
	uint64_t bytes;		     /* of the whole text */
	uint64_t session, monotonic; /* as a raw file has them */
	char module[64], host[72];   /* with a NUL */
};

struct stp_crash_area {
	uint32_t kind, index;
	uint64_t address; /* only the part within a page matters */
	uint64_t bytes;
};

_Static_assert(sizeof(struct stp_crash_page) == 32, "part of the dump");
_Static_assert(sizeof(struct stp_crash_header) == 208, "part of the dump");
_Static_assert(sizeof(struct stp_crash_area) == 24, "part of the dump");

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the memory of a machine from a dump, by physical addresses. The contents of the
 * dump are not trusted. A dump format is a file with its operations and a row in
 * physical.c.
 */
#ifndef TRACE_SOURCE_VMCORE_PHYSICAL_H
#define TRACE_SOURCE_VMCORE_PHYSICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PHYSICAL_PAGE  4096u	  /* the smallest page size */
#define PHYSICAL_PIECE (1u << 20) /* buffer size for physical_next() */

struct physical {
	const char *name;
	const struct physical_ops *ops;
	int fd;
	uint64_t bytes; /* the most memory that it can contain */
	void *own;
};

struct physical_ops {
	/* True: the first 16 bytes of the file show this format. */
	bool (*is)(const uint8_t *begin);
	/* False: it cannot be read, which was reported. */
	bool (*open)(struct physical *p);
	/* Reads memory. False: not all of it is in the dump. */
	bool (*read)(struct physical *p, uint64_t address, void *buf, size_t size);
	/*
	 * Reads the next memory that begins with a page at or after *address, and moves
	 * *address there. Returns its size; 0: there is none.
	 */
	size_t (*next)(struct physical *p, uint64_t *address, uint8_t *buf);
	/* Returns the offset in the file. NULL: the format has no such offsets. */
	uint64_t (*offset)(const struct physical *p, uint64_t address);
	void (*close)(struct physical *p);
};
extern const struct physical_ops elfcore_ops, kdump_ops;

/* False: it cannot be read, which was reported. */
bool physical_open(struct physical *p, const char *name);
void physical_close(struct physical *p);
/* Reports an error at an address. Returns false. */
bool physical_damaged(const struct physical *p, uint64_t address, const char *what);

static inline bool physical_read(struct physical *p, uint64_t address, void *buf, size_t size)
{
	return p->ops->read(p, address, buf, size);
}

/* See physical_ops. buf: PHYSICAL_PIECE bytes. */
static inline size_t physical_next(struct physical *p, uint64_t *address, uint8_t *buf)
{
	return p->ops->next(p, address, buf);
}

#endif

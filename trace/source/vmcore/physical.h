/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a machine by physical addresses, out of a dump. What is in the dump is
 * not believed. A form of dumps is a file with its operations and a row in physical.c.
 */
#ifndef TRACE_SOURCE_VMCORE_PHYSICAL_H
#define TRACE_SOURCE_VMCORE_PHYSICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PHYSICAL_PAGE  4096u	  /* the least that memory is divided by */
#define PHYSICAL_PIECE (1u << 20) /* room for what physical_next() gives */

struct physical {
	const char *name;
	const struct physical_ops *ops;
	int fd;
	uint64_t bytes; /* at most so much memory is in it */
	void *own;
};

struct physical_ops {
	/* True: the first bytes of the file, 16, are those of this form. */
	bool (*is)(const uint8_t *begin);
	/* False: it cannot be read, which has been reported. */
	bool (*open)(struct physical *p);
	/* Reads memory. False: not all of it is in the dump. */
	bool (*read)(struct physical *p, uint64_t address, void *buf, size_t size);
	/*
	 * Reads memory that begins with a page at *address or behind it, and moves
	 * *address there. Returns its size, 0: there is none.
	 */
	size_t (*next)(struct physical *p, uint64_t *address, uint8_t *buf);
	/* Returns the offset in the file; NULL: there is none to be told. */
	uint64_t (*offset)(const struct physical *p, uint64_t address);
	void (*close)(struct physical *p);
};
extern const struct physical_ops elfcore_ops, kdump_ops;

/* False: it cannot be read, which has been reported. */
bool physical_open(struct physical *p, const char *name);
void physical_close(struct physical *p);
/* Reports what is wrong at an address. Returns false. */
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

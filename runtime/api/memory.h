/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fault-safe access to memory of the probed code. */
#ifndef STP_API_MEMORY_H
#define STP_API_MEMORY_H

#include "api/string.h"
#include "core/pretty.h"

enum stp_space { STP_KERNEL, STP_USER };
/*
 * Loads 1, 2, 4 or 8 bytes, zero-extended. A fault raises "read fault [man error::fault]
 * at 0x…".
 */
uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size);
/* Loads n bytes. On a fault, returns false and raises an error. */
bool stp_load_bytes(struct stp_ctx *c, enum stp_space space, uint64_t addr, void *dst, size_t n);
/*
 * Loads a NUL-terminated string of at most max bytes (0: MAXSTRINGLEN - 1). A fault
 * raises an error. With `quiet`, it returns the bytes read so far and sets *ok to false.
 */
struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max,
			       char *dst, bool *ok);
/*
 * False: the program's page at addr is missing, and the hit is aborted so that the page
 * can be loaded. For hits that have had no permanent effect yet.
 */
bool stp_touch(struct stp_ctx *c, uint64_t addr);
/*
 * Return the address of the first area of an mm, and of the area after another one. 0:
 * there is none. For kernels since 6.1.
 */
uint64_t stp_area_first(struct stp_ctx *c, uint64_t mm);
uint64_t stp_area_next(struct stp_ctx *c, uint64_t vma);
/*
 * $x$ and $x$$: prints the value at addr by the rows `static const struct stp_shape
 * shape_N[]` (core/pretty.h). A single row is a single value.
 */
struct stp_str stp_pretty(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			  enum stp_space space, int64_t addr);
/*
 * Prints a value that is stored in `count` words and begins `offset` bytes after the
 * start of the first word. The bits in known[] show which words are known. Pointers in
 * them are addresses of `space`.
 */
struct stp_str stp_pretty_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
				enum stp_space space, const int64_t *words, const uint64_t *known,
				unsigned count, unsigned offset);
struct stp_str stp_pretty_value(struct stp_ctx *c, char *dst, const struct stp_shape *row,
				enum stp_space space, int64_t v);
/*
 * The same for tables with rows that only core/prettylists.c knows. moved: the distance
 * between addresses of the process and those in its program's file; 0 if no row asks.
 */
struct stp_str stp_show(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			enum stp_space space, int64_t addr, int64_t moved);
struct stp_str stp_show_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			      enum stp_space space, const int64_t *words, const uint64_t *known,
			      unsigned count, unsigned offset, int64_t moved);
/* Writes 1, 2, 4 or 8 bytes (-g). */
void stp_store(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size,
	       uint64_t value);

#endif

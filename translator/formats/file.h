/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files as bytes: mapped, unpacked, or a section of an ELF file. Opened files stay until
 * the program ends.
 */
#ifndef STAP_FILE_H
#define STAP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

struct bytes {
	const char *file; /* for messages */
	const uint8_t *data;
	size_t len;
};

/* Little endian, at any address. */
static inline uint32_t bytes_le32(const uint8_t *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Maps the file; where it cannot be mapped (sysfs of older kernels), reads it. */
struct error *file_map(struct arena *a, const char *path, struct bytes *ret);
struct error *file_map_fd(struct arena *a, const char *name, int fd, struct bytes *ret);

/*
 * Unpacks data (unpack.c) that is packed by lz4 (legacy frames), zstd, xz or gzip. *ret
 * is in a memory file, so that only the parts that are read are paged in. Data in none of
 * these formats is returned as it is.
 */
struct error *unpack(struct arena *a, const struct bytes *packed, struct bytes *ret);
/* The same; it is an error when there are more bytes than `max`. */
struct error *unpack_bounded(struct arena *a, const struct bytes *packed, uint64_t max,
			     struct bytes *ret);
/* The same for an ELF file: it is an error when the result is something else. */
struct error *unpack_elf(struct arena *a, const struct bytes *packed, struct bytes *ret);
/*
 * Unpacks a section of an ELF file, and no more of the file than necessary. ERROR_ABSENT
 * if there is no section of that name.
 */
struct error *unpack_section(struct arena *a, const struct bytes *packed, const char *name,
			     struct bytes *ret);

/*
 * Finds a section of a 64-bit little-endian ELF file (elf.c). ERROR_ABSENT if there is
 * no section of that name, or an empty one.
 */
struct error *elf_section(struct arena *a, const struct bytes *elf, const char *name,
			  struct bytes *ret);
bool elf_is(const struct bytes *b);
/*
 * True: a section of this type and size has bytes. Files of debuginfo keep the headers of
 * sections that stayed in the program, as SHT_NOBITS or with size 0.
 */
bool elf_is_here(uint32_t type, uint64_t size);
/*
 * Calls back with the name of each function of that section; the names lie in the file's
 * bytes.
 */
void elf_functions_of(struct arena *a, const struct bytes *elf, const char *section,
		      void (*callback)(void *ctx, const char *name), void *ctx);

#endif

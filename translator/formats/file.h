/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files as bytes: mapped, unpacked, or a section of an ELF file. What is opened stays
 * until the program ends.
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
 * unpack.c: data packed by lz4 (legacy frames), zstd, xz or gzip goes to *ret, kept in a
 * memory file, so that only what is looked at is paged in. Data in none of these formats
 * is returned as it is.
 */
struct error *unpack(struct arena *a, const struct bytes *packed, struct bytes *ret);
/* The same of an ELF file: anything else is an error. */
struct error *unpack_elf(struct arena *a, const struct bytes *packed, struct bytes *ret);
/*
 * A section of it, of which no more than necessary is
 * unpacked. ERROR_ABSENT when there is none of that name.
 */
struct error *unpack_section(struct arena *a, const struct bytes *packed, const char *name,
			     struct bytes *ret);

/*
 * elf.c: a section of a 64-bit little-endian ELF
 * file. ERROR_ABSENT when there is none of that name.
 */
struct error *elf_section(struct arena *a, const struct bytes *elf, const char *name,
			  struct bytes *ret);
bool elf_is(const struct bytes *b);
/*
 * Calls back with the name of each function of that section; names are the file's bytes.
 */
void elf_functions_of(struct arena *a, const struct bytes *elf, const char *section,
		      void (*callback)(void *ctx, const char *name), void *ctx);

#endif

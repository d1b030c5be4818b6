/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks kernels and modules. The output goes to a memory file piece by piece: an
 * unpacked kernel has 50 MB or more, of which only a tenth is read.
 *
 * A kernel's payload has its unpacked size (4 bytes) after the packed data; each format
 * finds its own end.
 *
 * lz4 packs each block by itself: for one section of an ELF file, only the blocks that
 * contain it are unpacked, to their places in a mapping of the whole file.
 */
#include <elf.h>
#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "formats/file.h"
#include "lib/arena.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/vec.h"

#define PIECE		 (1 << 20)
#define LZ4_LEGACY_MAGIC 0x184c2102u
#define LZ4_LEGACY_BLOCK (8 << 20)    /* unpacked size of a block at most */
#define UNPACKED_MAX	 (1ull << 30) /* no kernel is larger: more is an attack */

struct job {
	struct arena *arena;
	const struct bytes *packed;
	int fd;
	uint64_t written, max;
	uint8_t *piece; /* PIECE bytes of output */
};

static struct error *malformed(struct job *j, uint64_t offset, const char *what)
{
	return error_create(j->arena, ERROR_ENVIRONMENT,
			    "%s: packed data malformed at offset %#llx: %s", j->packed->file,
			    (unsigned long long)offset, what);
}

static struct error *put(struct job *j, const uint8_t *data, size_t len)
{
	if (j->written + len > j->max)
		return malformed(j, 0,
				 arena_printf(j->arena, "unpacks to more than %llu MiB",
					      (unsigned long long)j->max >> 20));
	while (len) {
		ssize_t n = write(j->fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(j->arena, "%s: unpacking into memory", j->packed->file);
		data += n;
		len -= n;
		j->written += n;
	}
	return NULL;
}

/*
 * Format: magic, then blocks: packed length (4 bytes), data. The last 4 bytes may be the
 * unpacked size instead.
 */
static struct error *unpack_lz4(struct job *j)
{
	const uint8_t *in = j->packed->data;
	size_t len = j->packed->len, at = 4;
	void *out = mmap(NULL, LZ4_LEGACY_BLOCK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct error *err = NULL;

	if (out == MAP_FAILED)
		return error_errno(j->arena, "%s", j->packed->file);
	while (!err && len - at > 4) {
		uint32_t size = bytes_le32(in + at);

		if (size == LZ4_LEGACY_MAGIC) {
			at += 4;
			continue;
		}
		if (size > len - at - 4) {
			err = malformed(j, at, "lz4 block runs past the end");
			break;
		}

		int n = LZ4_decompress_safe((const char *)in + at + 4, out, size, LZ4_LEGACY_BLOCK);

		err = n < 0 ? malformed(j, at, "lz4 block") : put(j, out, n);
		at += 4 + (size_t)size;
	}
	munmap(out, LZ4_LEGACY_BLOCK);
	return err;
}

static struct error *unpack_zstd(struct job *j)
{
	ZSTD_DStream *d = ZSTD_createDStream();
	ZSTD_inBuffer in = { j->packed->data, j->packed->len, 0 };
	struct error *err = NULL;
	size_t left = 1;

	if (!d)
		return error_create(j->arena, ERROR_ENVIRONMENT, "%s: no memory for zstd",
				    j->packed->file);
	/* Kernels are packed with windows of up to 128 MB. */
	ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, 27);
	while (!err && left) {
		ZSTD_outBuffer out = { j->piece, PIECE, 0 };
		size_t before = in.pos;

		left = ZSTD_decompressStream(d, &out, &in);
		if (ZSTD_isError(left))
			err = malformed(j, in.pos, ZSTD_getErrorName(left));
		else if (left && !out.pos && in.pos == before)
			err = malformed(j, in.pos, "zstd data cut off");
		else
			err = put(j, j->piece, out.pos);
	}
	ZSTD_freeDStream(d);
	return err;
}

static struct error *unpack_xz(struct job *j)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret status = lzma_stream_decoder(&z, 256u << 20, 0);
	struct error *err = NULL;

	z.next_in = j->packed->data;
	z.avail_in = j->packed->len;
	while (!err && status == LZMA_OK) {
		z.next_out = j->piece;
		z.avail_out = PIECE;
		status = lzma_code(&z, LZMA_RUN);
		err = put(j, j->piece, PIECE - z.avail_out);
	}
	if (!err && status != LZMA_STREAM_END)
		err = malformed(j, z.total_in, "xz data");
	lzma_end(&z);
	return err;
}

static struct error *unpack_gzip(struct job *j)
{
	z_stream z = { 0 };
	struct error *err = NULL;
	int status = inflateInit2(&z, 15 + 16);

	z.next_in = (Bytef *)j->packed->data;
	z.avail_in = j->packed->len;
	while (!err && status == Z_OK) {
		z.next_out = j->piece;
		z.avail_out = PIECE;
		status = inflate(&z, Z_NO_FLUSH);
		err = put(j, j->piece, PIECE - z.avail_out);
	}
	if (!err && status != Z_STREAM_END)
		err = malformed(j, z.total_in, "gzip data");
	inflateEnd(&z);
	return err;
}

static const struct format {
	const char *magic;
	size_t len;
	struct error *(*run)(struct job *j);
} formats[] = {
	{ "\x02\x21\x4c\x18", 4, unpack_lz4 },
	{ "\x28\xb5\x2f\xfd", 4, unpack_zstd },
	{ "\xfd"
	  "7zXZ",
	  6, unpack_xz }, /* the NUL included */
	{ "\x1f\x8b\x08", 3, unpack_gzip },
};

/* ---- a part of lz4's data ---- */

struct block {
	size_t at, size; /* packed */
	size_t unpacked; /* bytes unpacked so far, from its beginning */
};

struct blocks {
	const struct bytes *packed;
	VEC(struct block) list;
	uint8_t *out; /* LZ4_LEGACY_BLOCK bytes for each block, in order */
	size_t len;   /* of all blocks */
};

/*
 * Lists the blocks. All but the last unpack to LZ4_LEGACY_BLOCK bytes; returns false if
 * their sum is not the size that follows them.
 */
static bool list_blocks(struct arena *a, struct blocks *b)
{
	const uint8_t *in = b->packed->data;
	size_t at = 4, len = b->packed->len;

	while (len - at > 4) {
		struct block one = { .at = at + 4, .size = bytes_le32(in + at) };

		if (one.size == LZ4_LEGACY_MAGIC || one.size > len - at - 4)
			return false;
		vec_push(a, &b->list, one);
		at += 4 + one.size;
	}
	if (len - at != 4 || !b->list.count)
		return false;
	b->len = bytes_le32(in + at);
	return b->len <= b->list.count * LZ4_LEGACY_BLOCK &&
	       b->len > (b->list.count - 1) * LZ4_LEGACY_BLOCK;
}

static bool unpack_block(struct blocks *b, size_t i, size_t len)
{
	struct block *block = &b->list.data[i];
	uint8_t *out = b->out + i * LZ4_LEGACY_BLOCK;

	if (block->unpacked >= len)
		return true;
	if (LZ4_decompress_safe_partial((const char *)b->packed->data + block->at, (char *)out,
					(int)block->size, (int)len, LZ4_LEGACY_BLOCK) < (int)len)
		return false;
	block->unpacked = len;
	return true;
}

static bool unpack_range(struct blocks *b, uint64_t offset, uint64_t len)
{
	if (offset > b->len || len > b->len - offset)
		return false;
	for (size_t i = offset / LZ4_LEGACY_BLOCK;
	     len && i <= (offset + len - 1) / LZ4_LEGACY_BLOCK; i++) {
		uint64_t end = offset + len - i * LZ4_LEGACY_BLOCK;

		if (!unpack_block(b, i, end < LZ4_LEGACY_BLOCK ? end : LZ4_LEGACY_BLOCK))
			return false;
	}
	return true;
}

/*
 * Unpacks the parts that elf_section() reads before the section (headers and their
 * names), then the section.
 */
static bool unpack_named(struct blocks *b, const char *name)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)b->out;
	const Elf64_Shdr *sections;

	if (!unpack_range(b, 0, sizeof(*header)) ||
	    !elf_is(&(struct bytes){ NULL, b->out, b->len }) ||
	    header->e_shentsize != sizeof(*sections) || header->e_shstrndx >= header->e_shnum ||
	    header->e_shoff % _Alignof(Elf64_Shdr) ||
	    !unpack_range(b, header->e_shoff, header->e_shnum * sizeof(*sections)))
		return false;
	sections = (const Elf64_Shdr *)(b->out + header->e_shoff);

	const Elf64_Shdr *names = &sections[header->e_shstrndx];

	if (!unpack_range(b, names->sh_offset, names->sh_size) || !names->sh_size ||
	    b->out[names->sh_offset + names->sh_size - 1])
		return false;
	for (size_t i = 0; i < header->e_shnum; i++)
		if (elf_is_here(sections[i].sh_type, sections[i].sh_size) &&
		    sections[i].sh_name < names->sh_size &&
		    !strcmp((const char *)b->out + names->sh_offset + sections[i].sh_name, name))
			return unpack_range(b, sections[i].sh_offset, sections[i].sh_size);
	return true;
}

/* Returns false if all of it has to be unpacked. */
static bool unpack_part(struct arena *a, const struct bytes *packed, const char *name,
			struct bytes *ret)
{
	struct blocks b = { .packed = packed };
	size_t size;

	if (packed->len < 12 || bytes_le32(packed->data) != LZ4_LEGACY_MAGIC ||
	    !list_blocks(a, &b) || b.len < sizeof(Elf64_Ehdr))
		return false;
	size = b.list.count * LZ4_LEGACY_BLOCK;
	b.out = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (b.out == MAP_FAILED)
		return false;
	if (!unpack_named(&b, name)) {
		munmap(b.out, size);
		return false;
	}
	*ret = (struct bytes){ packed->file, b.out, b.len };
	return true;
}

struct error *unpack_section(struct arena *a, const struct bytes *packed, const char *name,
			     struct bytes *ret)
{
	struct bytes elf;
	struct error *err = unpack_part(a, packed, name, &elf) ? NULL : unpack_elf(a, packed, &elf);

	return err ? err : elf_section(a, &elf, name, ret);
}

struct error *unpack_elf(struct arena *a, const struct bytes *packed, struct bytes *ret)
{
	struct error *err = unpack(a, packed, ret);

	if (!err && !elf_is(ret))
		err = error_create(a, ERROR_ENVIRONMENT,
				   "%s: its payload is packed in an unknown way, or is not an ELF "
				   "file",
				   packed->file);
	return err;
}

struct error *unpack(struct arena *a, const struct bytes *packed, struct bytes *ret)
{
	return unpack_bounded(a, packed, UNPACKED_MAX, ret);
}

struct error *unpack_bounded(struct arena *a, const struct bytes *packed, uint64_t max,
			     struct bytes *ret)
{
	const struct format *f = formats, *end = formats + sizeof(formats) / sizeof(formats[0]);

	while (f < end && (packed->len < f->len || memcmp(packed->data, f->magic, f->len)))
		f++;
	if (f == end) {
		*ret = *packed;
		return NULL;
	}

	_cleanup_close_ int fd = memfd_create("stap-unpacked", MFD_CLOEXEC);

	if (fd < 0)
		return error_errno(a, "%s: unpacking into memory", packed->file);

	struct job j = { a, packed, fd, .max = max, .piece = arena_alloc(a, PIECE) };
	struct error *err = f->run(&j);

	arena_release(a, j.piece, PIECE);
	return err ? err : file_map_fd(a, packed->file, fd, ret);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections of packed ELF files: one in three blocks of lz4 is made here. Each section is
 * unpacked unchanged, and only the blocks up to its end are unpacked for it; a file whose
 * sizes do not add up is unpacked as a whole; then bytes are damaged at random, which the
 * sanitizers watch. Each format is unpacked as a whole, cut off and damaged.
 */
#include <elf.h>
#include <lz4.h>
#include <stdint.h>

#include "unit.h"

static size_t counted;

static int count_partial(const char *in, char *out, int size, int want, int room)
{
	counted += (size_t)want;
	return LZ4_decompress_safe_partial(in, out, size, want, room);
}

#include "lib/arena.c"
#include "lib/error.c"
#include "formats/elf.c"
#include "formats/file.c"
#define malformed		    malformed_packed
#define LZ4_decompress_safe_partial count_partial
#include "formats/unpack.c"

#define MB (1u << 20)

enum { IMAGE_SIZE = 18 * MB, NSECTIONS = 8, NAMES_AT = 16 * MB + 12, HEADERS_AT = 16 * MB + 4096 };

static const char names[] = "\0.first\0.across\0.far\0.none\0.names\0.empty";
static const Elf64_Shdr sections[NSECTIONS] = {
	[1] = { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = 4096, .sh_size = 1000 },
	[2] = { .sh_name = 8,
		.sh_type = SHT_PROGBITS,
		.sh_offset = 8 * MB - 5000,
		.sh_size = 9000 },
	[3] = { .sh_name = 16, .sh_type = SHT_PROGBITS, .sh_offset = 17 * MB, .sh_size = 1 * MB },
	[4] = { .sh_name = 21,
		.sh_type = SHT_NOBITS,
		.sh_offset = 1ull << 40,
		.sh_size = 1ull << 40 },
	[5] = { .sh_name = 27,
		.sh_type = SHT_STRTAB,
		.sh_offset = NAMES_AT,
		.sh_size = sizeof(names) },
	[6] = { .sh_name = 34, .sh_type = SHT_PROGBITS, .sh_offset = 4096 },
	[7] = { .sh_name = 34, .sh_type = SHT_NOBITS, .sh_offset = 4096, .sh_size = 1000 },
};

static struct arena *arena;
static uint8_t image[IMAGE_SIZE], packed[IMAGE_SIZE];
static struct bytes file = { "test", packed, 0 };

static void make_image(void)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shoff = HEADERS_AT,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NSECTIONS,
		.e_shstrndx = 5,
	};

	for (size_t i = 0; i < IMAGE_SIZE; i++)
		image[i] = unit_random() & 3;
	memcpy(image, &header, sizeof(header));
	memcpy(image + NAMES_AT, names, sizeof(names));
	memcpy(image + HEADERS_AT, sections, sizeof(sections));
}

static void put_le32(uint32_t value)
{
	for (int i = 0; i < 4; i++)
		packed[file.len++] = (uint8_t)(value >> i * 8);
}

static void pack_image(void)
{
	file.len = 0;
	put_le32(LZ4_LEGACY_MAGIC);
	for (size_t at = 0; at < IMAGE_SIZE; at += LZ4_LEGACY_BLOCK) {
		int size = IMAGE_SIZE - at < LZ4_LEGACY_BLOCK ? (int)(IMAGE_SIZE - at)
							      : LZ4_LEGACY_BLOCK;
		int n = LZ4_compress_default((const char *)image + at,
					     (char *)packed + file.len + 4, size,
					     (int)(IMAGE_SIZE - file.len - 4));

		put_le32((uint32_t)n);
		file.len += (size_t)n;
	}
	put_le32(IMAGE_SIZE);
}

/* Checks a section. At most so many bytes may be unpacked for it, in parts. */
static void check_section(const char *name, const Elf64_Shdr *h, size_t most)
{
	struct bytes got;
	struct error *err;

	counted = 0;
	err = unpack_section(arena, &file, name, &got);
	CHECK(!err);
	CHECK(counted <= most);
	if (err)
		return;
	CHECK_LONG(got.len, h->sh_size);
	CHECK(!memcmp(got.data, image + h->sh_offset, got.len));
}

static void each_section_is_itself(void)
{
	const size_t headers = 64 + 4096 + NSECTIONS * sizeof(Elf64_Shdr) + MB / 2;

	check_section(".first", &sections[1], 5096 + headers);
	check_section(".across", &sections[2], 8 * MB + 4000 + headers);
	check_section(".far", &sections[3], 2 * MB + headers);
}

/* A section without bytes is none, whatever its header says. */
static void absent_is_said(void)
{
	static const char *const absent[] = { ".other", ".none", ".empty" };
	const struct bytes plain = { "plain", image, IMAGE_SIZE };

	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		struct bytes got;
		struct error *err = unpack_section(arena, &file, absent[i], &got);

		CHECK(err && err->kind == ERROR_ABSENT);
		err = elf_section(arena, &plain, absent[i], &got);
		CHECK(err && err->kind == ERROR_ABSENT);
	}
}

/* The size behind the blocks is wrong: nothing is known about the places of blocks. */
static void all_is_unpacked(void)
{
	packed[file.len - 1] ^= 1;
	check_section(".across", &sections[2], 0);
	packed[file.len - 1] ^= 1;
}

static void plain_data_is_no_elf(void)
{
	struct bytes text = { "text", (const uint8_t *)"no ELF file, and not packed", 27 }, got;

	CHECK(unpack_section(arena, &text, ".first", &got));
}

static void damage_is_survived(void)
{
	struct bytes got;

	for (int i = 0; i < 20; i++) {
		size_t at = i < 10 ? unit_random() % 4096 : unit_random() % file.len;
		uint8_t was = packed[at];

		packed[at] ^= (uint8_t)(1 + unit_random() % 255);
		unpack_section(arena, &file, i % 2 ? ".first" : ".far", &got);
		packed[at] = was;
	}
	for (size_t cut = 0; cut < 40; cut++) {
		struct bytes half = { "cut", packed, cut };

		CHECK(unpack_section(arena, &half, ".first", &got));
	}
}

/* ---- whole files, in each format ---- */

enum { PLAIN_SIZE = PIECE + 77 }; /* one piece, and a part of another */

static size_t pack_lz4(const uint8_t *in, size_t len, uint8_t *out, size_t room)
{
	const uint32_t magic = LZ4_LEGACY_MAGIC;
	int n = LZ4_compress_default((const char *)in, (char *)out + 8, (int)len, (int)room - 8);

	memcpy(out, &magic, 4);
	memcpy(out + 4, &n, 4);
	return (size_t)n + 8;
}

static size_t pack_zstd(const uint8_t *in, size_t len, uint8_t *out, size_t room)
{
	return ZSTD_compress(out, room, in, len, 1);
}

static size_t pack_xz(const uint8_t *in, size_t len, uint8_t *out, size_t room)
{
	size_t n = 0;

	CHECK(!lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, in, len, out, &n, room));
	return n;
}

static size_t pack_gzip(const uint8_t *in, size_t len, uint8_t *out, size_t room)
{
	z_stream z = { .next_in = (uint8_t *)in,
		       .avail_in = (unsigned)len,
		       .next_out = out,
		       .avail_out = (unsigned)room };

	CHECK(!deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY));
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static const struct packer {
	const char *name;
	size_t (*pack)(const uint8_t *in, size_t len, uint8_t *out, size_t room);
} packers[] = {
	{ "lz4", pack_lz4 },
	{ "zstd", pack_zstd },
	{ "xz", pack_xz },
	{ "gzip", pack_gzip },
};

/* The image is the plain text: it has a pattern that all of them pack well. */
static struct bytes pack(const struct packer *p)
{
	struct bytes ret = { p->name, packed, 0 };

	ret.len = p->pack(image, PLAIN_SIZE, packed, sizeof(packed) - 4);
	return ret;
}

static void each_format_is_unpacked(void)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		struct bytes all = pack(&packers[i]), got = { 0 };

		CHECK(!unpack(arena, &all, &got));
		CHECK_LONG(got.len, PLAIN_SIZE);
		CHECK(got.len == PLAIN_SIZE && !memcmp(got.data, image, PLAIN_SIZE));
		/* A kernel's payload has its unpacked size behind the data. */
		memset(packed + all.len, 0x5a, 4);
		all.len += 4;
		CHECK(!unpack(arena, &all, &got));
		CHECK_LONG(got.len, PLAIN_SIZE);
	}
}

/* Thousands of modules are unpacked in a run: what stays is their bytes alone. */
static void working_space_is_given_back(void)
{
	const struct chunk *before = arena->large;

	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		struct bytes all = pack(&packers[i]), got;

		CHECK(!unpack(arena, &all, &got));
		CHECK(arena->large == before);
	}
}

/* A file that is cut off is refused by name; only lz4 can end behind any block. */
static void cut_off_is_said(void)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		struct bytes all = pack(&packers[i]), got;

		for (size_t part = 1; part < 5; part++) {
			struct bytes half = { all.file, all.data, 8 + (all.len - 8) * part / 5 };
			struct error *err = unpack(arena, &half, &got);

			CHECK(err && err->kind == ERROR_ENVIRONMENT);
			CHECK(err && !strncmp(err->text, all.file, strlen(all.file)));
			CHECK(err && strstr(err->text, ": packed data malformed at offset "));
		}
	}
}

static void damaged_formats_are_survived(void)
{
	struct bytes got;

	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		struct bytes all = pack(&packers[i]);

		for (int round = 0; round < 6; round++) {
			size_t at = 4 + unit_random() % (round < 3 ? 60 : all.len - 4);
			uint8_t was = packed[at];

			packed[at] ^= (uint8_t)(1 + unit_random() % 255);
			unpack(arena, &all, &got);
			packed[at] = was;
		}
	}
}

static void other_data_stays(void)
{
	const struct bytes text = { "text", (const uint8_t *)"\x1f\x8b\x07 not packed", 14 };
	struct bytes got;

	CHECK(!unpack(arena, &text, &got));
	CHECK(got.data == text.data && got.len == text.len);
	CHECK(unpack_elf(arena, &text, &got));
}

int main(void)
{
	arena = arena_create();
	make_image();
	pack_image();
	RUN(each_section_is_itself);
	RUN(absent_is_said);
	RUN(all_is_unpacked);
	RUN(plain_data_is_no_elf);
	RUN(damage_is_survived);
	RUN(each_format_is_unpacked);
	RUN(working_space_is_given_back);
	RUN(cut_off_is_said);
	RUN(damaged_formats_are_survived);
	RUN(other_data_stays);
	arena_destroy(arena);
	return unit_end();
}

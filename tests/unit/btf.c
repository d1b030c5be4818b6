/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF is read as the format has it, whatever the headers of the machine that stap is
 * built on: those of Linux 7.2 have a longer header and wider counts than those before.
 */
/* Headers as of 7.2: two more words in the header. */
#define str_len                                                                                    \
	str_len;                                                                                   \
	__u32 later_offset, later_len
#include <linux/btf.h>
#undef str_len

#include "unit.h"

#include "lib/arena.c"
#include "lib/error.c"
#include "formats/btf.c"

enum { MEMBERS = 0x10001 };

static const char strings[] = "\0int";

/* Makes a table with a header of so many bytes, and one int; returns its length. */
static size_t make(uint8_t *ret, uint32_t header)
{
	const uint32_t type[] = { 1, BTF_KIND_INT << 24, 4, 32 };
	const uint32_t lengths[] = { header, 0, sizeof(type), sizeof(type), sizeof(strings) };
	const uint16_t magic = BTF_MAGIC;

	memset(ret, 0, header);
	memcpy(ret, &magic, sizeof(magic));
	ret[2] = BTF_VERSION;
	memcpy(ret + 4, lengths, sizeof(lengths));
	memcpy(ret + header, type, sizeof(type));
	memcpy(ret + header + sizeof(type), strings, sizeof(strings));
	return header + sizeof(type) + sizeof(strings);
}

static void headers(void)
{
	struct arena *a = arena_create();
	uint8_t table[128];
	struct btf *b;

	for (uint32_t header = 24; header <= 40; header += 8) {
		struct error *err = btf_open(a, "table", table, make(table, header), NULL, &b);

		CHECK(!err);
		if (!err)
			CHECK_TEXT(btf_name(b, 1), "int");
	}
	CHECK(btf_open(a, "table", table, make(table, 20), NULL, &b) != NULL);
	CHECK(btf_open(a, "table", table, 23, NULL, &b) != NULL);
	arena_destroy(a);
}

static void counts(void)
{
	const struct btf_type t = { .info = BTF_KIND_ENUM << 24 | MEMBERS };

	CHECK_LONG(btf_vlen_of(&t), MEMBERS);
	CHECK_LONG(btf_kind_of(&t), BTF_KIND_ENUM);
}

int main(void)
{
	RUN(headers);
	RUN(counts);
	return unit_end();
}

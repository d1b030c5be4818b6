/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64 on any machine: operands of markers, jumps of a PLT, addresses in code, the
 * kernel's image. Their bytes are what gcc 12 and binutils 2.40 make.
 */
#include <elf.h>
#include <stdint.h>

#include "unit.h"

#include "lib/arena.c"
#include "lib/error.c"
#include "arch/aarch64/image.c"
#include "arch/aarch64/marker.c"
#include "arch/aarch64/programs.c"
#include "arch/aarch64/registers.c"
#include "sdt/argument.c"
#include "sdt/notes.c"

static const struct arch tested = { .registers = &aarch64_registers, .marker = &aarch64_marker };

const struct arch *arch_of_machine(uint16_t elf)
{
	return elf == EM_AARCH64 || elf == EM_ARM ? &tested : NULL;
}

struct error *elf_section(struct arena *a, const struct bytes *b, const char *name,
			  struct bytes *ret)
{
	return error_create(a, ERROR_ABSENT, "no section");
}

static struct arena *arena;

/* ---- markers ---- */

/* Writes an operation as a term: "mem4(sp+16)". */
static const char *term(const struct access_expression *x, uint32_t n)
{
	const struct access_operation *o = &x->operations.data[n];
	static const char *const signs[] = {
		[OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_XOR] = "^"
	};

	switch (o->kind) {
	case ACCESS_CONSTANT:
		return arena_printf(arena, "%lld", (long long)o->number);
	case ACCESS_REGISTER:
		return o->number == SP ? "sp" : arena_printf(arena, "x%lld", (long long)o->number);
	case ACCESS_MEMORY:
		return arena_printf(arena, "mem%u(%s)", o->size, term(x, o->a));
	case ACCESS_CUT:
		return arena_printf(arena, "cut%u(%s)", o->size, term(x, o->a));
	case ACCESS_BINARY:
		return arena_printf(arena, "(%s%s%s)", term(x, o->a), signs[o->op], term(x, o->b));
	default:
		return "?";
	}
}

static const char *operand(const char *text)
{
	struct sdt_file f = { .path = "image", .machine = EM_AARCH64, .is_64 = true };
	struct sdt_mark m = { .name = "args" };
	struct access a;
	struct error *err;

	vec_push(arena, &m.arguments, text);
	err = sdt_argument(arena, &f, &m, 1, &a);
	return err ? err->text : term(a.expression, a.expression->words.data[0]);
}

static void test_operands(void)
{
	static const struct {
		const char *operand, *term;
	} cases[] = {
		{ "8@x0", "x0" },
		{ "-4@w30", "cut4(x30)" },
		{ "8@xzr", "0" },
		{ "4@wzr", "0" },
		{ "8@sp", "sp" },
		{ "-4@5", "5" },
		{ "-4@#-5", "-5" },
		{ "4@[sp]", "mem4(sp)" },
		{ "-4@[sp, 44]", "mem4((sp+44))" },
		{ "8@[x29, #-16]", "mem8((x29+-16))" },
		{ "8@[x1, x2]", "mem8((x1+x2))" },
		{ "8@[x1, x2, lsl 3]", "mem8((x1+(x2*8)))" },
		{ "4@[x19, w2, uxtw 2]", "mem4((x19+(cut4(x2)*4)))" },
		{ "4@[x19, w2, sxtw]", "mem4((x19+((cut4(x2)^2147483648)-2147483648)))" },
		{ "8@x31", "the operand '8@x31' is in a register that probes cannot read "
			   "(floating point, vector or unknown)" },
		{ "8@d0", "the operand '8@d0' is in a register that probes cannot read "
			  "(floating point, vector or unknown)" },
		{ "8@[sp", "the operand '8@[sp' is not understood" },
		{ "8@[sp]!", "the operand '8@[sp]!' is not understood" },
		{ "8@[x1, w2]", "the operand '8@[x1, w2]' has an invalid index" },
		{ "8@[x1, x2, lsl 9]", "the operand '8@[x1, x2, lsl 9]' has an invalid scale" },
		{ "8@[q1]", "the operand '8@[q1]' is in a register that probes cannot read "
			    "(floating point, vector or unknown)" },
		{ "8@[x1, y]", "the operand '8@[x1, y]' is in a register that probes cannot read "
			       "(floating point, vector or unknown)" },
		{ "8@", "the operand '8@' is not understood" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(operand(cases[i].operand), cases[i].term);
}

/* ---- code ---- */

static void put32(uint8_t *to, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(word >> 8 * i);
}

static void test_plt(void)
{
	/* adrp x16, 0x1f000; ldr x17, [x16, #0xf98]; add x16, x16, #0xf98; br x17 */
	static const uint32_t code[] = { 0x900000f0, 0xf947ce11, 0x913e6210, 0xd61f0220 };
	uint8_t bytes[24];

	put32(bytes, 0xd503245f); /* bti c */
	for (int i = 0; i < 4; i++)
		put32(bytes + 4 + 4 * i, code[i]);
	CHECK_LONG(word(bytes + 4, 16, 0x3630, 0), 0x1ff98);
	CHECK_LONG(word(bytes, 20, 0x362c, 0), 0x1ff98);
	CHECK_LONG(word(bytes + 4, 7, 0x3630, 0), 0);
	CHECK_LONG(word(bytes + 8, 12, 0x3634, 0), 0);
	put32(bytes + 4, 0xf0fffff0); /* adrp x16, -4096: the page is in front */
	CHECK_LONG(word(bytes + 4, 16, 0x3630, 0), 0x2f98);
}

static uint64_t seen[4];
static unsigned nseen;

static void see(void *ctx, uint64_t address)
{
	if (nseen < 4)
		seen[nseen++] = address;
}

static void test_addresses(void)
{
	uint8_t bytes[8];

	put32(bytes, 0x90000000);     /* adrp x0, 0 */
	put32(bytes + 4, 0x911c5000); /* add x0, x0, #0x714 */
	addresses(bytes, sizeof(bytes), 0x77c, false, see, NULL);
	CHECK_LONG(nseen, 1);
	CHECK_LONG(seen[0], 0x714);
	addresses(bytes, sizeof(bytes), 0x77d, false, see, NULL); /* no instruction begins there */
	put32(bytes + 4, 0x911c5021);				  /* of another register */
	addresses(bytes, sizeof(bytes), 0x77c, false, see, NULL);
	CHECK_LONG(nseen, 1);
	put32(bytes, 0x10ffffe0); /* adr x0, -4 */
	addresses(bytes, sizeof(bytes), 0x800, false, see, NULL);
	CHECK_LONG(nseen, 2);
	CHECK_LONG(seen[1], 0x7fc);
	CHECK_LONG(tls_block(40, 8), 16);
	CHECK_LONG(tls_block(40, 64), 64);
}

/* As compilers write a choice of two functions: both pages, then both offsets. */
static void test_addresses_apart(void)
{
	static const uint32_t code[] = {
		0xb0000021, /* adrp x1, 0x5000 */
		0xb0000020, /* adrp x0, 0x5000 */
		0x91200021, /* add x1, x1, #0x800 */
		0x911b0000, /* add x0, x0, #0x6c0 */
		0x90000020, /* adrp x0, 0x4000 */
		0xb0000020, /* adrp x0, 0x5000: the page before is lost */
		0x91000400, /* add x0, x0, #1 */
	};
	uint8_t bytes[sizeof(code)];

	for (size_t i = 0; i < sizeof(code) / sizeof(*code); i++)
		put32(bytes + 4 * i, code[i]);
	nseen = 0;
	addresses(bytes, sizeof(bytes), 0, false, see, NULL);
	CHECK_LONG(nseen, 1);
	CHECK_LONG(seen[0], 0x5800);
	addresses(bytes + 4, sizeof(bytes) - 4, 4, false, see, NULL);
	CHECK_LONG(nseen, 2);
	CHECK_LONG(seen[1], 0x56c0);
	addresses(bytes + 16, sizeof(bytes) - 16, 16, false, see, NULL);
	CHECK_LONG(nseen, 2);
	addresses(bytes + 20, 4, 20, false, see, NULL); /* its end is cut off */
	CHECK_LONG(nseen, 2);
}

/* ---- the kernel's image ---- */

static void test_image(void)
{
	static uint8_t data[256];
	struct bytes image = { "image", data, sizeof(data) }, part;

	CHECK(!is_packed(&image));
	memcpy(data + IMAGE_MAGIC, "ARMd", 4);
	CHECK(is_packed(&image));
	CHECK(!payload(NULL, &image, &part) && part.data == data && part.len == sizeof(data));
	CHECK(!section(&image, ".BTF", &part));
	CHECK(section(&image, ".rodata", &part) && part.len == sizeof(data));
	CHECK(!section(&image, ".text", &part));
	/* A header whose tables leave the file, then one whose do not. */
	memcpy(data + 80, "\x9f\xeb\1\0\30\0\0\0", 8);
	put32(data + 80 + 12, 1 << 20);
	put32(data + 80 + 16, 1 << 20);
	memcpy(data + 120, "\x9f\xeb\1\0\30\0\0\0", 8);
	put32(data + 120 + 12, 40);
	put32(data + 120 + 16, 40);
	put32(data + 120 + 20, 8);
	CHECK(section(&image, ".BTF", &part));
	CHECK(part.data == data + 120 && part.len == 72);
	/* zboot: the payload is elsewhere. */
	memcpy(data, "MZ\0\0zimg", 8);
	put32(data + ZBOOT_OFFSET, 100);
	put32(data + ZBOOT_SIZE, 50);
	CHECK(!payload(NULL, &image, &part) && part.data == data + 100 && part.len == 50);
}

int main(void)
{
	arena = arena_create();
	RUN(test_operands);
	RUN(test_plt);
	RUN(test_addresses);
	RUN(test_addresses_apart);
	RUN(test_image);
	arena_destroy(arena);
	return unit_end();
}

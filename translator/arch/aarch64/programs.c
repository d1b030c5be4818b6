/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "formats/file.h"

#define INSTRUCTION 4 /* bytes of each */

/* ---- slots of the PLT: [bti c] adrp x16, PAGE; ldr x17, [x16, #OFFSET] ---- */

/* Returns the page that `adrp x16` puts there, or 0. */
static uint64_t page_of(uint32_t code, uint64_t address)
{
	uint64_t distance = (code >> 29 & 3) | (uint64_t)(code >> 5 & 0x7ffff) << 2;

	if ((code & 0x9f00001f) != 0x90000010)
		return 0;
	if (distance & 1u << 20)
		distance -= 1u << 21;
	return (address & ~UINT64_C(0xfff)) + distance * 4096;
}

static uint64_t word(const uint8_t *code, size_t len, uint64_t address, uint64_t got)
{
	static const uint32_t bti_c = 0xd503245f;
	size_t at = len >= INSTRUCTION && bytes_le32(code) == bti_c ? INSTRUCTION : 0;
	uint64_t page;
	uint32_t load;

	if (len < at + 2 * INSTRUCTION)
		return 0;
	page = page_of(bytes_le32(code + at), address + at);
	load = bytes_le32(code + at + INSTRUCTION);
	if (!page || (load & 0xffc003ff) != 0xf9400211) /* ldr x17, [x16, #…] */
		return 0;
	return page + (load >> 10 & 0xfff) * 8;
}

static const struct arch_plt plt = {
	.jump_slot = R_AARCH64_JUMP_SLOT,
	.bound_at_start = R_AARCH64_GLOB_DAT,
	.word = word,
};

static uint64_t word_32(const uint8_t *code, size_t len, uint64_t address, uint64_t got)
{
	return 0;
}

static const struct arch_plt plt_32 = {
	.jump_slot = R_ARM_JUMP_SLOT,
	.bound_at_start = R_ARM_GLOB_DAT,
	.word = word_32,
};

/* ---- code and threads ---- */

/* Recognises adrp REGISTER, PAGE; add REGISTER, REGISTER, #OFFSET; and adr. */
static void addresses(const uint8_t *at, size_t left, uint64_t address, bool is_fixed,
		      void (*see)(void *ctx, uint64_t address), void *ctx)
{
	uint32_t code = left >= INSTRUCTION ? bytes_le32(at) : 0, add;
	uint64_t distance = (code >> 29 & 3) | (uint64_t)(code >> 5 & 0x7ffff) << 2;

	if (address % INSTRUCTION)
		return;
	if (distance & 1u << 20)
		distance -= 1u << 21;
	if ((code & 0x9f000000) == 0x10000000)
		see(ctx, address + distance);
	if ((code & 0x9f000000) != 0x90000000 || left < 2 * INSTRUCTION)
		return;
	add = bytes_le32(at + INSTRUCTION);
	if ((add & 0xffc00000) == 0x91000000 && (add >> 5 & 31) == (code & 31))
		see(ctx, (address & ~UINT64_C(0xfff)) + distance * 4096 + (add >> 10 & 0xfff));
}

/* The block begins behind two words at the thread pointer. */
static int64_t tls_block(uint64_t size, uint64_t align)
{
	return (int64_t)((16 + align - 1) & ~(align - 1));
}

const struct arch_programs aarch64_programs = {
	.library_dirs = "/usr/local/lib:/usr/local/lib/aarch64-linux-gnu:/lib/aarch64-linux-gnu:"
			"/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:"
			"/lib/arm-linux-gnueabihf:/usr/lib/arm-linux-gnueabihf",
	.loader = "ld-linux-aarch64.so.1",
	.ldcache_flags = 0x0a03, /* libc6, for this machine */
	.ldcache_flags_32 = 0x0903,
	.plt = &plt,
	.plt_32 = &plt_32,
	.tls_module = R_AARCH64_TLS_DTPMOD,
	.tls_distance = R_AARCH64_TLS_TPREL,
	.tls_descriptor = R_AARCH64_TLSDESC,
	.tls_block = tls_block,
	.tls_array = 0,
	.addresses = addresses,
};

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

#define ADR_MASK  0x9f000000
#define ADR	  0x10000000
#define ADRP	  0x90000000
#define ADD_MASK  0xffc00000 /* add REGISTER, REGISTER, #OFFSET */
#define ADD	  0x91000000
#define NUMBER	  31 /* bits of the destination register; the source register is above them */
#define READ_FROM 5
#define AHEAD	  8 /* instructions between the two parts of an address */

/* Finds the second part of an address, after adrp has put its page into the register. */
static bool offset_in_page(const uint8_t *at, size_t left, uint32_t reg, uint64_t *ret)
{
	for (unsigned i = 1; i <= AHEAD && left >= (i + 1) * INSTRUCTION; i++) {
		uint32_t code = bytes_le32(at + (size_t)i * INSTRUCTION);

		if ((code & ADR_MASK) == ADRP && (code & NUMBER) == reg)
			return false;
		if ((code & ADD_MASK) != ADD || (code >> READ_FROM & NUMBER) != reg)
			continue;
		*ret = code >> 10 & 0xfff;
		return true;
	}
	return false;
}

/* Recognises adr, and adrp with its add. */
static void addresses(const uint8_t *at, size_t left, uint64_t address, bool is_fixed,
		      void (*see)(void *ctx, uint64_t address), void *ctx)
{
	uint32_t code = left >= INSTRUCTION ? bytes_le32(at) : 0;
	uint64_t distance = (code >> 29 & 3) | (uint64_t)(code >> 5 & 0x7ffff) << 2, offset;

	if (address % INSTRUCTION)
		return;
	if (distance & 1u << 20)
		distance -= 1u << 21;
	if ((code & ADR_MASK) == ADR)
		see(ctx, address + distance);
	if ((code & ADR_MASK) == ADRP && offset_in_page(at, left, code & NUMBER, &offset))
		see(ctx, (address & ~UINT64_C(0xfff)) + distance * 4096 + offset);
}

/* The block begins after two words at the thread pointer. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "formats/file.h"

/* ---- slots of the PLT: `[endbr] [bnd] jmp *WORD` ---- */

/* Returns the jump's distance or address, and where its opcode's second byte is. */
static size_t find_jump(const uint8_t *code, size_t len, int32_t *number)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e };
	size_t at = 0;

	if (len >= 4 && !memcmp(code, endbr, sizeof(endbr)))
		at += 4;
	if (at < len && code[at] == 0xf2)
		at++;
	if (len < at + 6 || code[at] != 0xff)
		return 0;
	memcpy(number, code + at + 2, sizeof(*number));
	return at + 1;
}

static uint64_t word(const uint8_t *code, size_t len, uint64_t address, uint64_t got)
{
	int32_t distance;
	size_t at = find_jump(code, len, &distance);

	return at && code[at] == 0x25 ? address + at + 5 + (uint64_t)distance : 0;
}

/* The word is at an address, or relative to %ebx, which is the GOT's address then. */
static uint64_t word_32(const uint8_t *code, size_t len, uint64_t address, uint64_t got)
{
	int32_t number;
	size_t at = find_jump(code, len, &number);

	if (at && code[at] == 0x25)
		return (uint32_t)number;
	return at && code[at] == 0xa3 ? (uint32_t)(got + (uint64_t)number) : 0;
}

static const struct arch_plt plt = {
	.jump_slot = R_X86_64_JUMP_SLOT,
	.bound_at_start = R_X86_64_GLOB_DAT,
	.word = word,
};
static const struct arch_plt plt_32 = {
	.jump_slot = R_386_JMP_SLOT,
	.bound_at_start = R_386_GLOB_DAT,
	.word = word_32,
};

/* ---- code and threads ---- */

/* Recognises lea ADDRESS(%rip),%reg; where addresses are fixed also mov $ADDRESS,%reg. */
static void addresses(const uint8_t *at, size_t left, uint64_t address, bool is_fixed,
		      void (*see)(void *ctx, uint64_t address), void *ctx)
{
	if (left >= 7 && (at[0] & 0xfb) == 0x48 && at[1] == 0x8d && (at[2] & 0xc7) == 0x05)
		see(ctx, address + 7 + (uint64_t)(int64_t)(int32_t)bytes_le32(at + 3));
	if (is_fixed && left >= 5 && (at[0] & 0xf8) == 0xb8)
		see(ctx, bytes_le32(at + 1));
	if (is_fixed && left >= 7 && at[0] == 0x48 && at[1] == 0xc7 && (at[2] & 0xf8) == 0xc0)
		see(ctx, bytes_le32(at + 3));
}

/* The block ends at the thread pointer. */
static int64_t tls_block(uint64_t size, uint64_t align)
{
	return -(int64_t)((size + align - 1) & ~(align - 1));
}

const struct arch_programs x86_64_programs = {
	.library_dirs = "/usr/local/lib:/usr/local/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:"
			"/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:"
			"/lib/i386-linux-gnu:/usr/lib/i386-linux-gnu:/lib32:/usr/lib32",
	.loader = "ld-linux-x86-64.so.2",
	.ldcache_flags = 0x0303, /* libc6, for this machine */
	.ldcache_flags_32 = 0x0003,
	.plt = &plt,
	.plt_32 = &plt_32,
	.tls_module = R_X86_64_DTPMOD64,
	.tls_distance = R_X86_64_TPOFF64,
	.tls_descriptor = R_X86_64_TLSDESC,
	.tls_block = tls_block,
	.tls_array = 8,
	.addresses = addresses,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/x86_64/codestep.h"
#include "arch/x86_64/gocode.h"
#include "arch/x86_64/leaves.h"
#include "arch/x86_64/length.h"
#include "formats/file.h"

enum {
	PAD = 4,
	ENDBR64 = 0xfa,	  /* its last byte */
	SHORT_JUMP = 128, /* a short jump leads back at most so far from its end */
};

/* True for endbr64, and endbr32 in 32-bit programs. */
static bool is_pad(const uint8_t *code, size_t len)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e };

	return len >= PAD && !memcmp(code, endbr, sizeof(endbr)) && (code[3] & 0xfe) == 0xfa;
}

/* ---- slots of the PLT: `[endbr] [bnd] jmp *WORD` ---- */

/* Returns the jump's distance or address, and the place of its opcode's second byte. */
static size_t find_jump(const uint8_t *code, size_t len, int32_t *number)
{
	size_t at = is_pad(code, len) ? PAD : 0;

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

/* The word is at an address, or relative to %ebx, which then holds the GOT's address. */
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

/* ---- places of probes ---- */

/*
 * True for instructions that the kernel emulates at a breakpoint: a push of a register,
 * nop, jumps, calls. a 5-byte nop is excluded, because some kernels replace it with a
 * call.
 */
static bool is_emulated(const uint8_t *code, size_t len)
{
	static const uint8_t nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	if (len < sizeof(nop5))
		return false;
	if (code[0] == 0x41)
		return (code[1] & 0xf8) == 0x50;
	return (code[0] & 0xf8) == 0x50 || code[0] == 0x90 || (code[0] & 0xfe) == 0xe8 ||
	       code[0] == 0xeb || !memcmp(code, nop5, sizeof(nop5));
}

/*
 * True: a short jump leads back to the code's beginning. After an unknown instruction,
 * which may not be one at all, as after the function's end, each byte is tried.
 */
static bool is_looped(const uint8_t *code, size_t left)
{
	bool are_known = true;

	for (size_t at = 0, len; at < SHORT_JUMP && at + 1 < left; at += len) {
		uint8_t op = code[at];

		len = are_known ? length_of(code + at, left - at) : 0;
		are_known = len;
		len = len ? len : 1;
		if (((op & 0xf0) == 0x70 || op == 0xeb || (op & 0xfc) == 0xe0) &&
		    at + 2 + (size_t)(int8_t)code[at + 1] == 0)
			return true;
	}
	return false;
}

/* In 32-bit programs probes stay on the pad. */
static unsigned pad(const uint8_t *code, size_t left)
{
	return is_pad(code, left) && code[3] == ENDBR64 && is_emulated(code + PAD, left - PAD) &&
			       !is_looped(code + PAD, left - PAD)
		       ? PAD
		       : 0;
}

static void jumps(const uint8_t *code, size_t len, uint64_t address,
		  void (*see)(void *ctx, uint64_t to), void *ctx)
{
	for (size_t i = 0; i + 1 < len; i++) {
		uint8_t op = code[i];
		size_t at = op == 0xe9 ? 1 : op == 0x0f && (code[i + 1] & 0xf0) == 0x80 ? 2 : 0;

		if (at && len - i >= at + 4)
			see(ctx, address + i + at + 4 +
					 (uint64_t)(int64_t)(int32_t)bytes_le32(code + i + at));
	}
}

/* ---- code and threads ---- */

/* Recognises lea ADDRESS(%rip),%reg; if addresses are fixed, also mov $ADDRESS,%reg. */
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

/* ---- Go ---- */

/* rax, rbx, rcx, rdi, rsi, r8 to r11 */
static const uint8_t go_numbers[] = { 0, 3, 2, 5, 4, 8, 9, 10, 11 };
static const struct arch_go go = {
	.check = gocode_check,
	.numbers = go_numbers,
	.number_count = sizeof(go_numbers),
	.float_count = 15,
	.to_frame = 8,
};

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
	.pad = pad,
	.pad_size = PAD,
	.jumps = jumps,
	.leaves = leaves_find,
	.is_filler = leaves_is_filler,
	.go = &go,
	.step = codestep_read,
	.frame_pointer = 6,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"
#include "formats/file.h"

/* ---- slots of the PLT: auipc t3, PAGE; ld t3, OFFSET(t3) ---- */

static uint64_t word(const uint8_t *code, size_t len, uint64_t address, uint64_t got)
{
	uint32_t page = len >= 8 ? bytes_le32(code) : 0, load = len >= 8 ? bytes_le32(code + 4) : 0;

	if ((page & 0xfff) != 0xe17 || (load & 0xfffff) != 0xe3e03)
		return 0;
	return address + (uint64_t)((int32_t)(page & 0xfffff000) + ((int32_t)load >> 20));
}

static const struct arch_plt plt = {
	.jump_slot = R_RISCV_JUMP_SLOT,
	.bound_at_start = R_RISCV_64,
	.word = word,
};

/* Resolvers of indirect functions are not examined: such functions are not found. */
static void addresses(const uint8_t *at, size_t left, uint64_t address, bool is_fixed,
		      void (*see)(void *ctx, uint64_t address), void *ctx)
{
}

/* The thread pointer points to the program's own block. */
static int64_t tls_block(uint64_t size, uint64_t align)
{
	return 0;
}

const struct arch_programs riscv64_programs = {
	.library_dirs = "/usr/local/lib:/usr/local/lib/riscv64-linux-gnu:/lib/riscv64-linux-gnu:"
			"/usr/lib/riscv64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib",
	.loader = "ld-linux-riscv64-lp64d.so.1",
	.ldcache_flags = 0x1003, /* libc6, hardware floating point */
	.plt = &plt,
	.plt_32 = &plt,
	.tls_module = R_RISCV_TLS_DTPMOD64,
	.tls_distance = R_RISCV_TLS_TPREL64,
	.tls_descriptor = 12, /* R_RISCV_TLSDESC, of newer headers */
	.tls_block = tls_block,
	.tls_array = -8,
	.addresses = addresses,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nops of programs that a kernel replaces with a call while they are probed:
 *
 *   nop5   0f 1f 44 00 00                  call: e8 …
 *   nop10  66 2e 0f 1f 84 00 00 00 00 00   lea -128(%rsp),%rsp; call: 48 8d 64 24 80 e8 …
 *
 * Afterwards nop10 keeps a part of the call in its last bytes, which have no meaning.
 */
#ifndef STP_ARCH_NOPS_H
#define STP_ARCH_NOPS_H

#define ARCH_NOP5	"\x0f\x1f\x44\x00\x00"
#define ARCH_NOP10	"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"
#define ARCH_NOP5_SIZE	5u
#define ARCH_NOP10_SIZE 10u

/* Compares as much of the code as there is. */
static inline bool arch_nop_begins(const uint8_t *code, unsigned int left, const char *with,
				   unsigned int size)
{
	return left && !memcmp(code, with, left < size ? left : size);
}

/*
 * Returns the length of the file's nop if the memory has the instruction by which a
 * kernel replaces it; 0: it has something else.
 */
static inline unsigned int arch_nop_rewritten(const uint8_t *file, const uint8_t *memory,
					      unsigned int left)
{
	if (arch_nop_begins(file, left, ARCH_NOP5, ARCH_NOP5_SIZE) &&
	    arch_nop_begins(memory, left, "\xe8", 1))
		return ARCH_NOP5_SIZE;
	if (arch_nop_begins(file, left, ARCH_NOP10, ARCH_NOP10_SIZE) &&
	    (arch_nop_begins(memory, left, "\x48\x8d\x64\x24\x80\xe8", 6) ||
	     arch_nop_begins(memory, left, "\x66\x2e\x0f\x1f\x84\xe8", 6) ||
	     arch_nop_begins(memory, left, "\xcc\x2e\x0f\x1f\x84\xe8", 6)))
		return ARCH_NOP10_SIZE;
	return 0;
}

/* Returns the distance from a marker's nop to the nop10 after it; 0: there is none. */
static inline unsigned int arch_nop_behind(const uint8_t *code, unsigned int left)
{
	return left > ARCH_NOP10_SIZE && code[0] == 0x90 &&
			       !memcmp(code + 1, ARCH_NOP10, ARCH_NOP10_SIZE)
		       ? 1
		       : 0;
}

/* Returns the length of the landing pad (endbr64) that the code begins with; 0: none. */
static inline unsigned int arch_nop_pad(const uint8_t *code, unsigned int left)
{
	return left >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
}

#endif

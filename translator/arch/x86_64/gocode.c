/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/x86_64/gocode.h"

#include <string.h>

/*
 * Returns the length of the code that computes where the stack would end: nothing for
 * small frames, `lea -N(%rsp),%r12`, or `mov %rsp,%r12; sub $N,%r12; jb`.
 */
static size_t skip_end_of_frame(const uint8_t *code, size_t left)
{
	static const uint8_t lea8[] = { 0x4c, 0x8d, 0x64, 0x24 },
			     lea32[] = { 0x4c, 0x8d, 0xa4, 0x24 },
			     sub[] = { 0x49, 0x89, 0xe4, 0x49, 0x81, 0xec };

	if (left >= 5 && !memcmp(code, lea8, sizeof(lea8)))
		return 5;
	if (left >= 8 && !memcmp(code, lea32, sizeof(lea32)))
		return 8;
	if (left >= 12 && !memcmp(code, sub, sizeof(sub)) && code[10] == 0x72)
		return 12;
	return left >= 16 && !memcmp(code, sub, sizeof(sub)) && code[10] == 0x0f && code[11] == 0x82
		       ? 16
		       : 0;
}

unsigned gocode_check(const uint8_t *code, size_t left)
{
	size_t at = skip_end_of_frame(code, left);

	/* `cmp 0x10(%r14),%rsp` or %r12: the goroutine's limit */
	if (left < at + 6 || (code[at] != 0x49 && code[at] != 0x4d) || code[at + 1] != 0x3b ||
	    code[at + 2] != 0x66 || code[at + 3] != 0x10)
		return 0;
	at += 4;
	if (code[at] == 0x76)
		return (unsigned)at + 2;
	return code[at] == 0x0f && code[at + 1] == 0x86 && left >= at + 6 ? (unsigned)at + 6 : 0;
}

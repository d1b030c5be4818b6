/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/x86_64/gocode.h"

#include <string.h>

#include "arch/x86_64/length.h"
#include "formats/file.h"

/* ---- the check at the beginning ---- */

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

/* ---- returns ---- */

struct instruction {
	const uint8_t *code; /* behind prefixes */
	size_t at, len;	     /* of all instructions in the function */
};

static const uint8_t *behind_prefixes(const uint8_t *code)
{
	while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || *code == 0x2e || *code == 0x3e ||
	       (*code & 0xf0) == 0x40)
		code++;
	return code;
}

/*
 * True: it jumps to a fixed place; *distance is the distance from the instruction's end.
 */
static bool is_jump(const struct instruction *i, int64_t *distance)
{
	uint8_t op = *i->code;

	if (op == 0xeb || (op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		*distance = (int8_t)i->code[1];
		return true;
	}
	if (op != 0xe9 && (op != 0x0f || (i->code[1] & 0xf0) != 0x80))
		return false;
	*distance = (int32_t)bytes_le32(i->code + (op == 0xe9 ? 1 : 2));
	return true;
}

/* True: a jump to an address from a register or memory, but not from a table. */
static bool is_jump_anywhere(const struct instruction *i)
{
	uint8_t modrm = i->code[1];
	bool is_table = (modrm & 7) == 4 && modrm >> 6 != 3 && i->code[2] >> 6 == 3;

	return *i->code == 0xff && ((modrm >> 3 & 7) == 4 || (modrm >> 3 & 7) == 5) && !is_table;
}

static const char *leaves_by(const struct instruction *i, size_t len)
{
	int64_t distance;
	uint64_t to;

	if (is_jump_anywhere(i))
		return "it jumps to an address out of a register, which may be another function's";
	if (!is_jump(i, &distance))
		return NULL;
	to = i->at + i->len + (uint64_t)distance;
	return to >= len ? "it goes on in another function, by a jump" : NULL;
}

const char *gocode_returns(const uint8_t *code, size_t len, void (*see)(void *ctx, size_t at),
			   void *ctx)
{
	struct instruction i = { 0 };

	for (; i.at < len; i.at += i.len) {
		const char *why;

		i.len = length_of(code + i.at, len - i.at);
		if (!i.len)
			return "it has an instruction that is not known here";
		i.code = behind_prefixes(code + i.at);
		why = leaves_by(&i, len);
		if (why)
			return why;
		if (*i.code == 0xc3 || *i.code == 0xc2)
			see(ctx, i.at);
	}
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes on functions stand behind the landing pad, if what stands there is cheap
 * and no jump leads to it. The code is a file made here, of one segment.
 */
#include <stdint.h>

#include "unit.h"

#include "lib/arena.c"
#include "arch/x86_64/leaves.c"
#include "arch/x86_64/length.c"
#include "arch/x86_64/gocode.c"
#include "arch/x86_64/programs.c"
#include "program/landing.c"

#define AT	 0x401000ull /* address of the code, */
#define OFFSET	 0x40	     /* where it is in the file */
#define FUNCTION (AT + 0x80)
#define BEHIND	 (FUNCTION + PAD)

static const struct arch tested = { .programs = &x86_64_programs }, without = {
	.programs = &(const struct arch_programs){ 0 },
};
static const struct arch *arch = &tested;
static uint8_t file[OFFSET + 0x400];
static size_t file_len = sizeof(file);

const struct arch *arch_of(const struct session *s)
{
	(void)s;
	return arch;
}

/* Landing pads do not ask what instructions do. */
bool codestep_read(const uint8_t *code, size_t left, uint64_t address, struct arch_step *ret)
{
	(void)code, (void)left, (void)address, (void)ret;
	return false;
}

struct error *file_map(struct arena *a, const char *path, struct bytes *ret)
{
	(void)a, (void)path;
	*ret = (struct bytes){ .data = file, .len = file_len };
	return NULL;
}

bool executable_code_offset(const struct executable *p, uint64_t address, uint64_t *offset)
{
	(void)p;
	*offset = address - AT + OFFSET;
	return address - AT < sizeof(file) - OFFSET;
}

/* ---- code ---- */

static void put(uint64_t address, const char *code, size_t len)
{
	memcpy(file + (address - AT + OFFSET), code, len);
}

#define PUT(address, code) put(address, code, sizeof(code) - 1)

/* Makes a file with a function of these first instructions, and nothing else. */
#define BEGIN(code) (memset(file, 0xcc, sizeof(file)), PUT(FUNCTION, code))
#define ENDBR	    "\xf3\x0f\x1e\xfa"
#define ENDBR32	    "\xf3\x0f\x1e\xfb"

static void put_jump(uint64_t at, const char *opcode, size_t len, uint64_t to)
{
	int32_t distance = (int32_t)(to - (at + len + 4));

	put(at, opcode, len);
	put(at + len, (const char *)&distance, 4);
}

static bool is_behind(void)
{
	struct executable_segment code = { AT, OFFSET, sizeof(file) - OFFSET, true };
	struct executable_segment data = { AT - 0x1000, 0, OFFSET, false };
	struct executable_segment damaged = { AT + 0x200000, 0x200000, 1 << 20, true };
	struct session s = { .arena = arena_create() };
	struct executable p = { .path = "x" };
	uint64_t ret;

	vec_push(s.arena, &p.segments, data);
	vec_push(s.arena, &p.segments, code);
	vec_push(s.arena, &p.segments, damaged);
	ret = landing_behind(&s, &p, FUNCTION);
	CHECK(ret == FUNCTION || ret == BEHIND);
	CHECK_LONG((long long)landing_behind(&s, &p, FUNCTION), (long long)ret);
	CHECK_LONG((long long)landing_behind(&s, &p, 0x10), 0x10);
	arena_destroy(s.arena);
	return ret == BEHIND;
}

/* ---- what stands behind the pad ---- */

static void test_instructions(void)
{
	BEGIN(ENDBR "\x55\x48\x89\xe5\xcc");
	CHECK(is_behind()); /* push %rbp */
	BEGIN(ENDBR "\x41\x57\x41\x56\xcc");
	CHECK(is_behind()); /* push %r15 */
	BEGIN(ENDBR "\x90\x90\x90\x90\x90");
	CHECK(is_behind()); /* -fpatchable-function-entry */
	BEGIN(ENDBR "\xe8\x00\x01\x00\x00");
	CHECK(is_behind()); /* -mfentry */
	BEGIN(ENDBR "\x0f\x1f\x44\x00\x00");
	CHECK(is_behind()); /* -mnop-mcount */
	BEGIN(ENDBR "\xe9\x00\x01\x00\x00");
	CHECK(is_behind()); /* a tail call */
	BEGIN(ENDBR "\x48\x83\xec\x08\xcc");
	CHECK(!is_behind()); /* sub $8,%rsp */
	BEGIN(ENDBR "\x41\x89\xfc\xcc\xcc");
	CHECK(!is_behind()); /* mov %edi,%r12d */
	BEGIN(ENDBR "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00");
	CHECK(!is_behind()); /* nop of 10 bytes: many kernels refuse a probe there */
	BEGIN("\x90\x55\x48\x89\xe5\xcc");
	CHECK(!is_behind()); /* no pad */
}

static void test_32_bits(void)
{
	BEGIN(ENDBR32 "\x55\x89\xe5\xcc\xcc");
	CHECK(!is_behind());
}

static void test_other_machines(void)
{
	BEGIN(ENDBR "\x55\x48\x89\xe5\xcc");
	arch = &without;
	CHECK(!is_behind());
	arch = &tested;
}

/* ---- jumps ---- */

#define PUSHES ENDBR "\x53\x48\x89\xfb\xcc\xcc"

static void test_loops(void)
{
	BEGIN(PUSHES);
	PUT(BEHIND + 10, "\x75\xf4"); /* jne BEHIND */
	CHECK(!is_behind());
	BEGIN(PUSHES);
	PUT(BEHIND + 10, "\x75\xf5"); /* to the next byte */
	CHECK(is_behind());
	BEGIN(PUSHES);
	PUT(BEHIND + 0x7e, "\xeb\x80"); /* jmp, as far as it reaches */
	CHECK(!is_behind());
	BEGIN(PUSHES);
	PUT(BEHIND + 8, "\xe2\xf6"); /* loop */
	CHECK(!is_behind());
	BEGIN(PUSHES);
	put_jump(BEHIND + 0x180, "\x0f\x8f", 2, BEHIND); /* jg */
	CHECK(!is_behind());
	BEGIN(PUSHES);
	put_jump(FUNCTION - 0x40, "\xe9", 1, BEHIND); /* of another part of the function */
	CHECK(!is_behind());
	BEGIN(PUSHES);
	put_jump(BEHIND + 0x180, "\xe9", 1, FUNCTION); /* a tail call */
	CHECK(is_behind());
}

/* The bytes of a jump inside of another instruction: mov %rdi,-0x8(%rbp). */
static void test_no_loop(void)
{
	BEGIN(ENDBR "\x55\x48\x89\xe5\x48\x89\x7d\xf8\x90\x5d\xc3");
	CHECK(is_behind());
	BEGIN(ENDBR "\x55\x06\xcc\xcc\xcc\xcc\xcc\xcc"); /* an unknown instruction */
	CHECK(is_behind());
	BEGIN(ENDBR "\x55\x06\x7d\xfc\xcc\xcc\xcc\xcc"); /* and a jump behind it */
	CHECK(!is_behind());
}

static void test_lengths(void)
{
	static const struct {
		const char *code;
		size_t len;
	} known[] = {
		{ "\xc3", 1 },
		{ "\x90", 1 },
		{ "\x41\x57", 2 },
		{ "\x48\x83\xec\x08", 4 },
		{ "\x8b\x44\x24\x08", 4 },
		{ "\x8b\x04\x25\x01\x02\x03\x04", 7 },
		{ "\x48\x8d\x05\x01\x02\x03\x04", 7 },
		{ "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10 },
		{ "\x66\xc7\x00\x01\x02", 5 },
		{ "\xf6\xc1\x01", 3 },
		{ "\xf6\xd1", 2 },
		{ "\xf7\x45\xfc\x01\x02\x03\x04", 7 },
		{ "\x66\x2e\x0f\x1f\x84\x01\x01\x01\x01\x01", 10 },
		{ "\x66\x0f\x3a\x63\xc1\x1a", 6 },
		{ "\xc5\xf8\x77", 3 },
		{ "\xc4\xe2\x7d\x18\x01", 5 },
		{ "\x62\xf1\xfe\x48\x6f\x46\x01", 7 },
		{ "\xe8\x01\x02\x03\x04", 5 },
		{ "\x06", 0 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint8_t code[32] = { 0 };

		memcpy(code, known[i].code, strlen(known[i].code));
		CHECK_LONG((long long)length_of(code, sizeof(code)), (long long)known[i].len);
		for (size_t left = 0; left < known[i].len; left++)
			CHECK_LONG((long long)length_of(code, left), 0);
	}
}

/* Calls by an address behind the pad are calls of the function: they count. */
static void test_calls(void)
{
	BEGIN(PUSHES);
	put_jump(AT, "\xe8", 1, BEHIND);
	put_jump(BEHIND + 0x20, "\xe8", 1, BEHIND);
	CHECK(is_behind());
}

/* ---- damage ---- */

static void test_damaged(void)
{
	for (file_len = 0; file_len < sizeof(file); file_len++) {
		BEGIN(PUSHES);
		put_jump(AT + 0x200, "\xe9", 1, BEHIND);
		is_behind();
	}
	file_len = sizeof(file);
	for (unsigned i = 0; i < 200; i++) {
		for (size_t k = 0; k < sizeof(file); k++)
			file[k] = (uint8_t)unit_random();
		is_behind();
	}
}

int main(void)
{
	RUN(test_instructions);
	RUN(test_32_bits);
	RUN(test_other_machines);
	RUN(test_loops);
	RUN(test_no_loop);
	RUN(test_lengths);
	RUN(test_calls);
	RUN(test_damaged);
	return unit_end();
}

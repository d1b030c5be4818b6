/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs: call frame information made here becomes rules, functions that lie over one another are left out, a step follows each kind of rule and refuses what
 * cannot be a stack; this program's own stack is walked and held against the compiler's unwinder; then sections, tables and stacks are damaged at random, which the sanitizers watch.
 */
#define _GNU_SOURCE
#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdint.h>
#include <unistd.h>
#include <unwind.h>

#include "unit.h"

#include "base/arena.c"
#include "base/error.c"
#include "base/hashmap.c"
#include "core/unwind.c"
#include "core/usertable.c"
#include "unwind/cfi.c"
#include "unwind/program.c"
#include "unwind/table.c"

static struct arena *arena;

#define CODE 0x1000

/* ---- a section being written ---- */

static uint8_t section[4096];
static size_t used;

static void put8(unsigned v) { section[used++] = (uint8_t)v; }
static void put32(uint32_t v)
{
	memcpy(section + used, &v, 4);
	used += 4;
}

static size_t record_begin(void)
{
	put32(0);
	return used;
}

static void record_end(size_t from)
{
	uint32_t size = (uint32_t)(used - from);

	memcpy(section + from - 4, &size, 4);
}

/* Code factor 1, data factor -8; CFA = rsp + 8, return address below it: what all of x86-64 begins with. */
static void put_cie(const char *augmentation)
{
	size_t from = record_begin();

	put32(0);
	put8(1);
	for (size_t i = 0; i <= strlen(augmentation); i++)
		put8((unsigned char)augmentation[i]);
	put8(1);
	put8(0x78);
	put8(16);
	if (*augmentation) {
		put8(1);
		put8(0); /* addresses of 8 bytes */
	}
	put8(DW_CFA_def_cfa), put8(7), put8(8);
	put8(DW_CFA_offset | 16), put8(1);
	record_end(from);
}

static void put_fde(uint64_t begin, uint64_t size, const char *program, size_t len)
{
	size_t from = record_begin();

	put32((uint32_t)used); /* back to the first byte */
	memcpy(section + used, &begin, 8);
	memcpy(section + used + 8, &size, 8);
	used += 16;
	put8(0);
	memcpy(section + used, program, len);
	used += len;
	record_end(from);
}

#define PROGRAM(text) text, sizeof(text) - 1

static struct error *read_into(struct table *t, const uint8_t *data, size_t size, uint64_t address)
{
	struct cfi_section s = { .file = "test", .data = data, .size = size, .offset = 0x100, .address = address };

	return cfi_read(&t->cfi, &s);
}

static struct stp_userview written(struct table *t)
{
	const uint8_t *data;
	struct stp_userview v = { 0 };
	uint32_t size;

	table_write(arena, t, &data, &size);
	CHECK(stp_usertable_open(data, size, &v));
	return v;
}

static struct stp_userview one_function(const char *program, size_t len)
{
	struct table t = { .base = CODE };

	used = 0;
	put_cie("zR");
	put_fde(CODE, 0x100, program, len);
	cfi_init(&t.cfi, arena);
	CHECK(!read_into(&t, section, used, 0));
	return written(&t);
}

/* "REG OFFSET|place…": r for a rule, m in memory, p of a PLT, end, or ? */
static const char *rule_text(const struct stp_userview *v, uint32_t at)
{
	static const char *const kinds[] = { "?", "end", "r", "m", "p" };
	const struct stp_unwind_rule *rule = stp_usertable_rule(v, at);
	static char text[256];
	int n;

	if (!rule || rule->cfa == STP_CFA_END)
		return rule ? "end" : "?";
	n = snprintf(text, sizeof(text), "%s%u%+d%+d", kinds[rule->cfa], rule->base, rule->offset, rule->offset2);
	for (unsigned i = 0; i < rule->nplaces; i++) {
		const struct stp_unwind_place *p = &v->places[rule->places + i];

		n += snprintf(text + n, sizeof(text) - (size_t)n, " %u@%u%+d", p->reg, p->from, p->offset);
	}
	return text;
}

/* ---- programs become rules ---- */

static void test_rules(void)
{
	struct stp_userview v = one_function(PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x50\x0c\x07\x08\xc6"));

	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 1), "r7+16+0 6@32-16 16@32-8");
	CHECK_TEXT(rule_text(&v, 4), "r6+16+0 6@32-16 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x14), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0xff), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x100), "?");
}

static void test_remembered(void)
{
	struct stp_userview v = one_function(PROGRAM("\x02\x10\x0e\x20\x83\x03\x41\x0a\x41\x0e\x08\xc3\x41\x0b\x41\x07\x10"));

	CHECK_TEXT(rule_text(&v, 0x10), "r7+32+0 3@32-24 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x12), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x13), "r7+32+0 3@32-24 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x14), "end"); /* the return address is undefined */
}

static void test_expressions(void)
{
	struct stp_userview v;

	v = one_function(PROGRAM("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"));
	CHECK_TEXT(rule_text(&v, 0), "p7+8+11 16@32-8");
	v = one_function(PROGRAM("\x0f\x03\x76\x78\x06")); /* *(rbp - 8) */
	CHECK_TEXT(rule_text(&v, 0), "m6-8+0 16@32-8");
	v = one_function(PROGRAM("\x0f\x04\x77\xa0\x01\x06\x10\x10\x03\x77\xa8\x01\x10\x06\x02\x77\x78")); /* a signal's frame */
	CHECK_TEXT(rule_text(&v, 0), "m7+160+0 6@7-8 16@7+168");
	v = one_function(PROGRAM("\x0f\x05\x77\x08\x06\x23\x10"));
	CHECK_TEXT(rule_text(&v, 0), "m7+8+16 16@32-8");
	/* What nobody writes: the row says nothing, the one behind it is read on. */
	v = one_function(PROGRAM("\x0f\x02\x77\x08\x41\x0f\x01\x96\x41\x0c\x07\x10"));
	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 1), "?");
	CHECK_TEXT(rule_text(&v, 2), "r7+16+0 16@32-8");
	v = one_function(PROGRAM("\x16\x03\x01\x50\x10\x06\x02\x30\x9f")); /* a value; an unknown place */
	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 3@33+0 6@33+0 16@32-8");
}

static void test_odd_programs(void)
{
	static const struct {
		const char *program;
		size_t len;
	} all[] = {
		{ PROGRAM("\x0b") },                 /* nothing was remembered */
		{ PROGRAM("\x3f") },                 /* no such instruction */
		{ PROGRAM("\x04\xff\xff\xff\xff") }, /* past the function's end */
		{ PROGRAM("\x0e\x80\x80") },         /* ends in a number */
		{ PROGRAM("\x0f\x7f\x77") },         /* an expression longer than the record */
		{ PROGRAM("\x12\x07\x80\x80\x80\x80\x80\x80\x01") }, /* an offset of 45 bits */
		{ PROGRAM("\x0d\x11") },             /* the CFA in a register that is none */
		{ PROGRAM("\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f") },
		{ PROGRAM("\x09\x10\x00") },         /* the return address in a register */
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct stp_userview v = one_function(all[i].program, all[i].len);

		CHECK_TEXT(rule_text(&v, 0x50), "?");
	}
}

static void test_sections(void)
{
	struct table t = { .base = CODE };
	struct error *err;

	cfi_init(&t.cfi, arena);
	used = 0;
	put_cie("zR");
	put_fde(CODE, 16, PROGRAM(""));
	section[used] = 0x77; /* a record of 0x77 bytes, which are not there */
	memset(section + used + 1, 0, 3);
	err = read_into(&t, section, used + 4, 0);
	CHECK(err && strstr(err->text, "test: malformed .eh_frame at offset 0x"));
	CHECK(err && strstr(err->text, "a record reaches past the end of the section"));
	CHECK_LONG(t.cfi.functions.count, 1);

	used = 0;
	put_fde(CODE, 16, PROGRAM(""));
	err = read_into(&t, section, used, 0);
	CHECK(err && strstr(err->text, "at offset 0x104: a function's description points to no CIE before it"));

	used = 0;
	put_cie("zR");
	put_fde(CODE, 1ull << 40, PROGRAM(""));
	err = read_into(&t, section, used, 0);
	CHECK(err && strstr(err->text, "a function without end"));

	used = 0;
	put_cie("eh"); /* of an older compiler: its functions are left out */
	put_fde(CODE, 16, PROGRAM(""));
	t.cfi.odd = 0;
	CHECK(!read_into(&t, section, used, 0));
	CHECK_LONG(t.cfi.odd, 1);
}

/* ---- tables ---- */

static void test_overlapping(void)
{
	struct table t = { .base = CODE };
	struct stp_userview v;

	used = 0;
	put_cie("zR");
	put_fde(CODE + 0x80, 0x40, PROGRAM("\x0e\x30"));
	put_fde(CODE, 0x40, PROGRAM("\x0e\x10"));
	put_fde(CODE + 0x20, 0x40, PROGRAM("\x0e\x20")); /* begins inside another one */
	put_fde(CODE, 0x40, PROGRAM("\x0e\x18"));        /* the same place again: the first one holds */
	put_fde(CODE + 0x40, 0x10, PROGRAM("\x0e\x28"));
	put_fde(CODE - 0x80, 0x40, PROGRAM("\x0e\x38")); /* before the file's first address */
	cfi_init(&t.cfi, arena);
	CHECK(!read_into(&t, section, used, 0));
	v = written(&t);
	CHECK_LONG(t.overlapping, 1);
	CHECK_TEXT(rule_text(&v, 0x3f), "r7+16+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x40), "r7+40+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x50), "?");
	CHECK_TEXT(rule_text(&v, 0x80), "r7+48+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0xc0), "?");
	CHECK_TEXT(rule_text(&v, UINT32_MAX), "?");
}

static const char *symbol_at(const struct stp_userview *v, uint32_t at)
{
	const struct stp_usersymbol *s = stp_usertable_symbol(v, at);

	return s ? v->names + s->name : "none";
}

static void test_symbols(void)
{
	static const struct table_symbol all[] = {
		{ CODE + 0x30, 0x10, "last", 1 }, { CODE, 0x20, "__outer", 1 }, { CODE, 0x20, "outer", 2 }, { CODE + 8, 4, "inner", 1 },
		{ CODE + 0x28, 0, "open", 1 },	  { CODE - 1, 1, "below", 1 },
	};
	static const struct table_line lines[] = {
		{ CODE + 8, "b.c", 7, 1 }, { CODE, "a.c", 1, 0 }, { CODE + 8, "b.c", 8, 2 }, { CODE + 0x10, NULL, 0, 3 },
	};
	struct table t = { .base = CODE };
	struct stp_userview v;

	cfi_init(&t.cfi, arena);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		vec_push(arena, &t.symbols, all[i]);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		vec_push(arena, &t.lines, lines[i]);
	v = written(&t);
	CHECK_TEXT(symbol_at(&v, 0), "outer");
	CHECK_TEXT(symbol_at(&v, 8), "inner");
	CHECK_TEXT(symbol_at(&v, 12), "outer");
	CHECK_TEXT(symbol_at(&v, 0x20), "none");
	CHECK_TEXT(symbol_at(&v, 0x2f), "open");
	CHECK_TEXT(symbol_at(&v, 0x3f), "last");
	CHECK_TEXT(symbol_at(&v, 0x40), "none");
	CHECK_LONG(stp_usertable_line(&v, 4)->line, 1);
	CHECK_LONG(stp_usertable_line(&v, 9)->line, 8);
	CHECK_TEXT(v.names + stp_usertable_line(&v, 9)->file, "b.c");
	CHECK(!stp_usertable_line(&v, 0x10));
}

/* ---- steps ---- */

#define STACK 0x7000

static uint64_t stack[64];

static bool read_stack(void *ctx, uint64_t address, uint64_t *ret)
{
	if (address < STACK || address - STACK > sizeof(stack) - 8)
		return false;
	memcpy(ret, (char *)stack + (address - STACK), 8);
	return true;
}

static struct stp_unwind at_stack(uint64_t sp)
{
	struct stp_unwind u = { .known = (1u << STP_UNWIND_REGISTERS) - 1, .is_exact = true, .read = read_stack };

	u.regs[STP_UNWIND_SP] = sp;
	u.regs[STP_UNWIND_RETURN] = CODE;
	return u;
}

static enum stp_unwind_result step_by(struct stp_unwind *u, struct stp_unwind_rule rule, const struct stp_unwind_place *places, unsigned n)
{
	struct stp_userview v = { .places = places };

	rule.nplaces = (uint8_t)n;
	return stp_unwind_step(u, &v, &rule);
}

static void test_steps(void)
{
	static const struct stp_unwind_place places[] = { { 6, STP_FROM_CFA, 0, -16 }, { 16, STP_FROM_CFA, 0, -8 } };
	static const struct stp_unwind_rule up = { STP_CFA_REGISTER, 7, 0, 0, 32, 0, 0 };
	struct stp_unwind u = at_stack(STACK);

	stack[2] = 0xb9;
	stack[3] = 0x1234;
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_CALLER);
	CHECK_LONG(u.regs[STP_UNWIND_SP], STACK + 32);
	CHECK_LONG(u.regs[STP_UNWIND_BP], 0xb9);
	CHECK_LONG(u.regs[STP_UNWIND_RETURN], 0x1234);
	CHECK_LONG(u.slot, STACK + 24);
	CHECK(!u.is_exact);
	CHECK(!is_known(&u, 0) && is_known(&u, 3)); /* rax is gone with the call, rbx is kept */
	CHECK_LONG(stp_unwind_place_of(&u), 0x1233);

	/* A register that is lost, a return address that is 0, memory that is not there. */
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_REGISTER, 10, 0, 0, 32, 0, 0 }, places, 2), STP_UNWIND_UNREADABLE);
	stack[7] = 0;
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_OUTERMOST);
	u = at_stack(STACK + sizeof(stack));
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_UNREADABLE);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ .cfa = STP_CFA_END }, places, 2), STP_UNWIND_OUTERMOST);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ .cfa = STP_CFA_UNKNOWN }, places, 2), STP_UNWIND_UNREADABLE);
	/* rbp cannot be read: only a step that needs it fails. */
	u = at_stack(STACK + 8);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_REGISTER, 7, 0, 0, 8, 0, 0 },
			   (struct stp_unwind_place[]){ { 6, 0, 0, 0 }, { 16, STP_FROM_CFA, 0, 8 } }, 2), STP_UNWIND_CALLER);
	CHECK(!is_known(&u, 6));
}

/* Whatever the tables say: each step goes up, or it is the last. */
static void test_no_loop(void)
{
	static const struct stp_unwind_place places[] = { { 16, STP_FROM_CFA, 0, -8 } };
	static const int32_t offsets[] = { 0, -8, -4096, INT32_MIN };
	struct stp_unwind u;

	for (unsigned i = 0; i < 4; i++) {
		u = at_stack(STACK + 64);
		CHECK(step_by(&u, (struct stp_unwind_rule){ STP_CFA_REGISTER, 7, 0, 0, offsets[i], 0, 0 }, places, 1) > STP_UNWIND_OUTERMOST);
		CHECK_LONG(u.regs[STP_UNWIND_RETURN], CODE);
	}
	stack[8] = STACK; /* in memory: a CFA that goes down */
	u = at_stack(STACK + 64);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_MEMORY, 7, 0, 0, 0, 0, 0 }, places, 1), STP_UNWIND_ASTRAY);
	/* A handler's stack may lie above the interrupted one. */
	stack[0] = 0x99;
	u = at_stack(STACK + 64);
	stack[8] = STACK + 8;
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_MEMORY, 7, 1, 0, 0, 0, 0 }, places, 1), STP_UNWIND_CALLER);
	CHECK(u.is_exact);
}

static void test_plt(void)
{
	static const struct stp_unwind_place places[] = { { 16, STP_FROM_CFA, 0, -8 } };
	struct stp_unwind_rule plt = { STP_CFA_PLT, 7, 0, 0, 8, 11, 0 };
	struct stp_unwind u = at_stack(STACK);

	u.regs[STP_UNWIND_RETURN] = CODE + 6;
	stack[0] = 0x111, stack[1] = 0x222;
	CHECK_LONG(step_by(&u, plt, places, 1), STP_UNWIND_CALLER);
	CHECK_LONG(u.regs[STP_UNWIND_RETURN], 0x111);
	u = at_stack(STACK);
	u.regs[STP_UNWIND_RETURN] = CODE + 11;
	CHECK_LONG(step_by(&u, plt, places, 1), STP_UNWIND_CALLER);
	CHECK_LONG(u.regs[STP_UNWIND_RETURN], 0x222);
}

static void test_frame_pointers(void)
{
	struct stp_unwind u = at_stack(STACK);
	unsigned steps = 0;

	for (unsigned i = 0; i < 64; i++)
		stack[i] = STACK + 8; /* a ring */
	u.regs[STP_UNWIND_BP] = STACK + 8;
	while (stp_unwind_step_by_frame_pointer(&u) == STP_UNWIND_CALLER)
		steps++;
	CHECK_LONG(steps, 1);
	u = at_stack(STACK + 16);
	u.regs[STP_UNWIND_BP] = STACK + 8;
	CHECK_LONG(stp_unwind_step_by_frame_pointer(&u), STP_UNWIND_ASTRAY);
	u.regs[STP_UNWIND_BP] = STACK + 33;
	CHECK_LONG(stp_unwind_step_by_frame_pointer(&u), STP_UNWIND_ASTRAY);
	u.regs[STP_UNWIND_BP] = UINT64_MAX - 7;
	CHECK_LONG(stp_unwind_step_by_frame_pointer(&u), STP_UNWIND_UNREADABLE);
}

/* ---- this program ---- */

struct own {
	uint8_t *eh_frame;
	size_t size;
	uint64_t address, bias;
	struct table table;
	struct stp_userview view;
};
static struct own own;

static int find_bias(struct dl_phdr_info *info, size_t size, void *data)
{
	*(uint64_t *)data = info->dlpi_addr;
	return 1; /* the first is the program */
}

static void read_own(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	Elf *elf;
	Elf_Scn *scn = NULL;
	size_t names = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	elf_getshdrstrndx(elf, &names);
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &h) || strcmp(elf_strptr(elf, names, h.sh_name), ".eh_frame"))
			continue;
		data = elf_rawdata(scn, NULL);
		own.size = data->d_size;
		own.eh_frame = arena_alloc(arena, own.size);
		memcpy(own.eh_frame, data->d_buf, own.size);
		own.address = h.sh_addr;
	}
	elf_end(elf);
	close(fd);
	dl_iterate_phdr(find_bias, &own.bias);
	cfi_init(&own.table.cfi, arena);
	CHECK(own.size > 1000);
	CHECK(!read_into(&own.table, own.eh_frame, own.size, own.address));
	own.view = written(&own.table);
	CHECK(own.view.nrows > 100);
	CHECK_LONG(own.table.overlapping, 0);
}

static bool read_any(void *ctx, uint64_t address, uint64_t *ret)
{
	memcpy(ret, (void *)address, 8);
	return true;
}

#define DEPTH 32

static uint64_t expected[DEPTH];

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *c, void *count)
{
	unsigned *n = count;

	if (*n < DEPTH)
		expected[(*n)++] = _Unwind_GetIP(c);
	return *n < DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Up to where the program's own code was called from. */
static __attribute__((noinline)) void walk_own(volatile int *use)
{
	struct stp_unwind u = { .is_exact = true, .read = read_any, .known = (1u << STP_UNWIND_REGISTERS) - 1 };
	const struct stp_unwind_rule *rule;
	unsigned n = 0, i = 0;

	asm volatile("lea 0(%%rip), %0" : "=r"(u.regs[16]));
	asm volatile("mov %%rsp, %0" : "=r"(u.regs[7]));
	asm volatile("mov %%rbp, %0" : "=r"(u.regs[6]));
	asm volatile("mov %%rbx, %0" : "=r"(u.regs[3]));
	asm volatile("mov %%r12, %0" : "=r"(u.regs[12]));
	asm volatile("mov %%r13, %0" : "=r"(u.regs[13]));
	asm volatile("mov %%r14, %0" : "=r"(u.regs[14]));
	asm volatile("mov %%r15, %0" : "=r"(u.regs[15]));
	_Unwind_Backtrace(note_frame, &n);
	CHECK(n > 4);
	while ((rule = stp_usertable_rule(&own.view, (uint32_t)(stp_unwind_place_of(&u) - own.bias))) && ++i < n) {
		if (stp_unwind_step(&u, &own.view, rule) != STP_UNWIND_CALLER)
			break;
		CHECK_LONG(u.regs[STP_UNWIND_RETURN], expected[i]);
	}
	CHECK(i >= 4);
	*use = (int)i;
}

static __attribute__((noinline)) int through(int n, volatile int *use)
{
	char *some = __builtin_alloca((size_t)n * 16 + 16); /* a frame that only rbp finds */

	memset(some, n, (size_t)n * 16 + 16);
	if (n)
		*use += through(n - 1, use);
	else
		walk_own(use);
	return some[0] + *use;
}

static void test_own_stack(void)
{
	volatile int use = 0;

	through(3, &use);
	CHECK(use >= 4);
}

/* ---- damage ---- */

static void ask_all(const struct stp_userview *v)
{
	for (unsigned i = 0; i < 50; i++) {
		uint32_t at = (uint32_t)unit_random() % (i % 2 ? UINT32_MAX : 0x10000);
		const struct stp_unwind_rule *rule = stp_usertable_rule(v, at);
		const struct stp_usersymbol *symbol = stp_usertable_symbol(v, at);
		const struct stp_userline *line = stp_usertable_line(v, at);
		struct stp_unwind u = at_stack(STACK + unit_random() % 256);

		if (rule)
			stp_unwind_step(&u, v, rule);
		if (symbol)
			CHECK(strlen(v->names + symbol->name) < 1u << 20);
		if (line)
			CHECK(strlen(v->names + line->file) < 1u << 20);
	}
}

static void test_damaged_sections(void)
{
	size_t size = own.size < 20000 ? own.size : 20000;
	unsigned good = 0;

	for (unsigned round = 0; round < 400; round++) {
		struct table t = { .base = own.address };
		uint8_t *copy = malloc(size - round); /* of its exact size: the sanitizer sees each byte too many */
		struct stp_userview v;

		memcpy(copy, own.eh_frame, size - round);
		for (unsigned i = 0; i < 1 + round % 40; i++)
			copy[unit_random() % (size - round)] = (uint8_t)unit_random();
		cfi_init(&t.cfi, arena);
		t.base = 0;
		good += !read_into(&t, copy, size - round, own.address);
		v = written(&t);
		ask_all(&v);
		free(copy);
	}
	CHECK(good < 400);
}

static void test_damaged_tables(void)
{
	struct table t = { .base = 0 };
	const uint8_t *data;
	uint32_t size;
	unsigned opened = 0;

	cfi_init(&t.cfi, arena);
	CHECK(!read_into(&t, own.eh_frame, own.size, own.address));
	for (uint64_t i = 0; i < 50; i++) {
		vec_push(arena, &t.symbols, ((struct table_symbol){ i * 64, 32, arena_printf(arena, "f%llu", (unsigned long long)i), 0 }));
		vec_push(arena, &t.lines, ((struct table_line){ i * 64, "a.c", (unsigned)i + 1, (unsigned)i }));
	}
	table_write(arena, &t, &data, &size);
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t n = round % 7 ? size : (uint32_t)(unit_random() % size);
		uint8_t *copy = malloc(n + 1);
		struct stp_userview v;

		memcpy(copy, data, n);
		for (unsigned i = 0; n && i < round % 5; i++)
			copy[round % 2 ? unit_random() % n : unit_random() % (n < 64 ? n : 64)] ^= (uint8_t)(1u << unit_random() % 8);
		if (stp_usertable_open(copy, n, &v)) {
			opened++;
			ask_all(&v);
		}
		free(copy);
	}
	CHECK(opened > 100 && opened < 2500);
}

int main(void)
{
	arena = arena_create();
	RUN(test_rules);
	RUN(test_remembered);
	RUN(test_expressions);
	RUN(test_odd_programs);
	RUN(test_sections);
	RUN(test_overlapping);
	RUN(test_symbols);
	RUN(test_steps);
	RUN(test_no_loop);
	RUN(test_plt);
	RUN(test_frame_pointers);
	RUN(read_own);
	RUN(test_own_stack);
	RUN(test_damaged_sections);
	RUN(test_damaged_tables);
	arena_destroy(arena);
	return unit_end();
}

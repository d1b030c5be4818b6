/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for stacks of programs: call frame information made here becomes rules; odd
 * instructions leave the rule unknown, malformed ones are refused with their place;
 * functions that overlap are left out; symbols and lines are found.
 */
#include "cfi.h"

/* ---- a section being written ---- */

static uint8_t section[4096];
static size_t used;

static void put8(unsigned v)
{
	section[used++] = (uint8_t)v;
}
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

/*
 * Code factor 1, data factor -8; CFA = rsp + 8, return address below it: all of x86-64
 * begins with this.
 */
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

static struct stp_program_view one_function(const char *program, size_t len)
{
	struct table t = { .base = CODE };

	used = 0;
	put_cie("zR");
	put_fde(CODE, 0x100, program, len);
	rules_init(&t.cfi, arena, &x86_64_unwind);
	CHECK(!read_into(&t, section, used, 0));
	return written(&t);
}

/*
 * Returns a rule as "REG OFFSET|place…": r for a rule, m in memory, p of a PLT, end, or ?
 */
static const char *rule_text(const struct stp_program_view *v, uint32_t at)
{
	static const char *const kinds[] = { "?", "end", "r", "m", "p" };
	const struct stp_unwind_rule *rule = stp_program_table_rule(v, at);
	static char text[256];
	int n;

	if (!rule || rule->cfa == STP_CFA_END)
		return rule ? "end" : "?";
	n = snprintf(text, sizeof(text), "%s%u%+d%+d", kinds[rule->cfa], rule->base, rule->offset,
		     rule->offset2);
	for (unsigned i = 0; i < rule->nplaces; i++) {
		const struct stp_unwind_place *p = &v->places[rule->places + i];

		n += snprintf(text + n, sizeof(text) - (size_t)n, " %u@%u%+d", p->reg, p->from,
			      p->offset);
	}
	return text;
}

/* ---- programs become rules ---- */

static void test_rules(void)
{
	struct stp_program_view v =
		one_function(PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x50\x0c\x07\x08\xc6"));

	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 1), "r7+16+0 6@32-16 16@32-8");
	CHECK_TEXT(rule_text(&v, 4), "r6+16+0 6@32-16 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x14), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0xff), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x100), "?");
}

static void test_remembered(void)
{
	struct stp_program_view v = one_function(
		PROGRAM("\x02\x10\x0e\x20\x83\x03\x41\x0a\x41\x0e\x08\xc3\x41\x0b\x41\x07\x10"));

	CHECK_TEXT(rule_text(&v, 0x10), "r7+32+0 3@32-24 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x12), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x13), "r7+32+0 3@32-24 16@32-8");
	CHECK_TEXT(rule_text(&v, 0x14), "end"); /* the return address is undefined */
}

static void test_expressions(void)
{
	struct stp_program_view v;

	v = one_function(PROGRAM("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"));
	CHECK_TEXT(rule_text(&v, 0), "p7+8+11 16@32-8");
	v = one_function(PROGRAM("\x0f\x03\x76\x78\x06")); /* *(rbp - 8) */
	CHECK_TEXT(rule_text(&v, 0), "m6-8+0 16@32-8");
	v = one_function(PROGRAM("\x0f\x04\x77\xa0\x01\x06\x10\x10\x03\x77\xa8\x01\x10\x06\x02\x77"
				 "\x78")); /* a signal's frame */
	CHECK_TEXT(rule_text(&v, 0), "m7+160+0 6@7-8 16@7+168");
	v = one_function(PROGRAM("\x0f\x05\x77\x08\x06\x23\x10"));
	CHECK_TEXT(rule_text(&v, 0), "m7+8+16 16@32-8");
	/*
	 * Instructions that nobody writes: the row's rule is unknown, later rows are read
	 * on.
	 */
	v = one_function(PROGRAM("\x0f\x02\x77\x08\x41\x0f\x01\x96\x41\x0c\x07\x10"));
	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 16@32-8");
	CHECK_TEXT(rule_text(&v, 1), "?");
	CHECK_TEXT(rule_text(&v, 2), "r7+16+0 16@32-8");
	/* A value; an unknown place. */
	v = one_function(PROGRAM("\x16\x03\x01\x50\x10\x06\x02\x30\x9f"));
	CHECK_TEXT(rule_text(&v, 0), "r7+8+0 3@33+0 6@33+0 16@32-8");
}

static void test_odd_programs(void)
{
	static const struct {
		const char *program;
		size_t len;
	} all[] = {
		{ PROGRAM("\x0b") },		     /* nothing was remembered */
		{ PROGRAM("\x3f") },		     /* no such instruction */
		{ PROGRAM("\x04\xff\xff\xff\xff") }, /* past the function's end */
		{ PROGRAM("\x0e\x80\x80") },	     /* ends in a number */
		{ PROGRAM("\x0f\x7f\x77") },	     /* an expression longer than the record */
		{ PROGRAM("\x12\x07\x80\x80\x80\x80\x80\x80\x01") }, /* an offset of 45 bits */
		{ PROGRAM("\x0d\x11") }, /* the CFA in a register that does not exist */
		{ PROGRAM("\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f") },
		{ PROGRAM("\x09\x10\x00") }, /* the return address in a register */
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct stp_program_view v = one_function(all[i].program, all[i].len);

		CHECK_TEXT(rule_text(&v, 0x50), "?");
	}
}

static void test_sections(void)
{
	struct table t = { .base = CODE };
	struct error *err;

	rules_init(&t.cfi, arena, &x86_64_unwind);
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
	CHECK(err &&
	      strstr(err->text,
		     "at offset 0x104: a function's description points to no CIE before it"));

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
	struct stp_program_view v;

	used = 0;
	put_cie("zR");
	put_fde(CODE + 0x80, 0x40, PROGRAM("\x0e\x30"));
	put_fde(CODE, 0x40, PROGRAM("\x0e\x10"));
	put_fde(CODE + 0x20, 0x40, PROGRAM("\x0e\x20")); /* begins inside another one */
	/* The same place again: the first one holds. */
	put_fde(CODE, 0x40, PROGRAM("\x0e\x18"));
	put_fde(CODE + 0x40, 0x10, PROGRAM("\x0e\x28"));
	put_fde(CODE - 0x80, 0x40, PROGRAM("\x0e\x38")); /* before the file's first address */
	rules_init(&t.cfi, arena, &x86_64_unwind);
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

static const char *symbol_at(const struct stp_program_view *v, uint32_t at)
{
	const struct stp_program_symbol *s = stp_program_table_symbol(v, at);

	return s ? v->names + s->name : "none";
}

static const char *line_at(const struct stp_program_view *v, uint32_t at)
{
	struct stp_program_line line;

	return stp_program_table_line(v, at, &line)
		       ? arena_printf(arena, "%s:%u", v->names + line.file, line.line)
		       : "none";
}

static void test_symbols(void)
{
	static const struct table_symbol all[] = {
		{ CODE + 0x30, 0x10, "last", 1 }, { CODE, 0x20, "__outer", 1 },
		{ CODE, 0x20, "outer", 2 },	  { CODE + 8, 4, "inner", 1 },
		{ CODE + 0x28, 0, "open", 1 },	  { CODE - 1, 1, "below", 1 },
	};
	static const struct table_line lines[] = {
		{ CODE + 8, "b.c", 7, 1 },
		{ CODE, "a.c", 1, 0 },
		{ CODE + 8, "b.c", 8, 2 },
		{ CODE + 0x10, NULL, 0, 3 },
	};
	struct table t = { .base = CODE };
	struct stp_program_view v;

	rules_init(&t.cfi, arena, &x86_64_unwind);
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
	CHECK_TEXT(line_at(&v, 4), "a.c:1");
	CHECK_TEXT(line_at(&v, 9), "b.c:8");
	CHECK_TEXT(line_at(&v, 0x10), "none");
}

/*
 * Lines over several blocks: they go up and down, by little and by much, with other
 * files, ends in between, and rows that say nothing new.
 */
static void test_lines(void)
{
	struct table t = { .base = CODE };
	struct table_line all[1000];
	uint64_t address = CODE + 0x10;
	struct stp_program_view v;

	rules_init(&t.cfi, arena, &x86_64_unwind);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t some = unit_random();

		address += 1 + (some & 7 ? some % 30 : some % 100000);
		all[i] = (struct table_line){ address, some >> 20 & 3 ? "a.c" : "b.c",
					      1 + (unsigned)(some >> 24) %
							      (some & 0x100 ? 50 : 1000000),
					      i };
		if (i % 37 == 36)
			all[i].line = 0;
		else if (i % 5 == 4)
			all[i].line = all[i - 1].line, all[i].file = all[i - 1].file;
		vec_push(arena, &t.lines, all[i]);
	}
	v = written(&t);
	CHECK(v.nblocks > 10);
	CHECK_TEXT(line_at(&v, 0xf), "none");
	for (unsigned i = 0; i + 1 < 1000; i++) {
		const char *text = all[i].line
					   ? arena_printf(arena, "%s:%u", all[i].file, all[i].line)
					   : "none";

		CHECK_TEXT(line_at(&v, (uint32_t)(all[i].address - CODE)), text);
		CHECK_TEXT(line_at(&v, (uint32_t)(all[i + 1].address - 1 - CODE)), text);
	}
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
	RUN(test_lines);
	arena_destroy(arena);
	return unit_end();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs: a step follows each kind of rule and refuses values that cannot be
 * a stack; this program's own stack is walked and compared with the compiler's unwinder;
 * then sections, tables and stacks are damaged at random, which the sanitizers watch.
 */
#include "cfi.h"

#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include "core/unwind.c"

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
	struct stp_unwind u = { .known = (1u << STP_UNWIND_REGISTERS) - 1,
				.is_exact = true,
				.read = read_stack };

	u.regs[STP_UNWIND_SP] = sp;
	u.regs[STP_UNWIND_RETURN] = CODE;
	return u;
}

static enum stp_unwind_result step_by(struct stp_unwind *u, struct stp_unwind_rule rule,
				      const struct stp_unwind_place *places, unsigned n)
{
	struct stp_program_view v = { .places = places };

	rule.nplaces = (uint8_t)n;
	return unwind_step(u, &v, &rule);
}

static void test_steps(void)
{
	static const struct stp_unwind_place places[] = { { 6, STP_FROM_CFA, 0, -16 },
							  { 16, STP_FROM_CFA, 0, -8 } };
	static const struct stp_unwind_rule up = { STP_CFA_REGISTER, 7, 0, 0, 32, 0, 0 };
	struct stp_unwind u = at_stack(STACK);

	stack[2] = 0xb9;
	stack[3] = 0x1234;
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_CALLER);
	CHECK_LONG(u.regs[STP_UNWIND_SP], STACK + 32);
	CHECK(has_value(&u, STP_UNWIND_BP));
	CHECK_LONG(u.regs[STP_UNWIND_BP], 0xb9);
	CHECK_LONG(u.regs[STP_UNWIND_RETURN], 0x1234);
	CHECK_LONG(u.slot, STACK + 24);
	CHECK(!u.is_exact);
	CHECK(!is_known(&u, 0) && is_known(&u, 3)); /* rax is gone with the call, rbx is kept */
	CHECK_LONG(stp_unwind_place_of(&u), 0x1233);

	/*
	 * A register that is lost, a return address that is 0, memory that is not there.
	 */
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_REGISTER, 10, 0, 0, 32, 0, 0 },
			   places, 2),
		   STP_UNWIND_UNREADABLE);
	stack[7] = 0;
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_OUTERMOST);
	u = at_stack(STACK + sizeof(stack));
	CHECK_LONG(step_by(&u, up, places, 2), STP_UNWIND_UNREADABLE);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ .cfa = STP_CFA_END }, places, 2),
		   STP_UNWIND_OUTERMOST);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ .cfa = STP_CFA_UNKNOWN }, places, 2),
		   STP_UNWIND_UNREADABLE);
	/* rbp cannot be read: only a step that needs it fails. */
	u = at_stack(STACK + 8);
	CHECK_LONG(
		step_by(&u, (struct stp_unwind_rule){ STP_CFA_REGISTER, 7, 0, 0, 8, 0, 0 },
			(struct stp_unwind_place[]){ { 6, 0, 0, 0 }, { 16, STP_FROM_CFA, 0, 8 } },
			2),
		STP_UNWIND_CALLER);
	CHECK(!has_value(&u, 6));
	CHECK(!is_known(&u, 6));
}

/* Whatever the tables say, each step goes up or is the last. */
static void test_no_loop(void)
{
	static const struct stp_unwind_place places[] = { { 16, STP_FROM_CFA, 0, -8 } };
	static const int32_t offsets[] = { 0, -8, -4096, INT32_MIN };
	struct stp_unwind u;

	for (unsigned i = 0; i < 4; i++) {
		u = at_stack(STACK + 64);
		CHECK(step_by(&u,
			      (struct stp_unwind_rule){ STP_CFA_REGISTER, 7, 0, 0, offsets[i], 0,
							0 },
			      places, 1) > STP_UNWIND_OUTERMOST);
		CHECK_LONG(u.regs[STP_UNWIND_RETURN], CODE);
	}
	stack[8] = STACK; /* in memory: a CFA that goes down */
	u = at_stack(STACK + 64);
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_MEMORY, 7, 0, 0, 0, 0, 0 }, places,
			   1),
		   STP_UNWIND_ASTRAY);
	/* A handler's stack may lie above the interrupted one. */
	stack[0] = 0x99;
	u = at_stack(STACK + 64);
	stack[8] = STACK + 8;
	CHECK_LONG(step_by(&u, (struct stp_unwind_rule){ STP_CFA_MEMORY, 7, 1, 0, 0, 0, 0 }, places,
			   1),
		   STP_UNWIND_CALLER);
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
	while (unwind_by_frame_pointer(&u) == STP_UNWIND_CALLER)
		steps++;
	CHECK_LONG(steps, 1);
	u = at_stack(STACK + 16);
	u.regs[STP_UNWIND_BP] = STACK + 8;
	CHECK_LONG(unwind_by_frame_pointer(&u), STP_UNWIND_ASTRAY);
	u.regs[STP_UNWIND_BP] = STACK + 33;
	CHECK_LONG(unwind_by_frame_pointer(&u), STP_UNWIND_ASTRAY);
	u.regs[STP_UNWIND_BP] = UINT64_MAX - 7;
	CHECK_LONG(unwind_by_frame_pointer(&u), STP_UNWIND_UNREADABLE);
}

/* ---- rules as most are ---- */

static struct stp_unwind_lean lean_of(struct stp_unwind_rule rule,
				      const struct stp_unwind_place *places, unsigned n)
{
	struct stp_program_view v = { .places = places };
	struct stp_unwind_lean lean;

	rule.nplaces = (uint8_t)n;
	stp_unwind_lean_of(&v, &rule, &lean);
	return lean;
}

static void test_lean_rules(void)
{
	static const struct stp_unwind_place places[] = { { 3, STP_FROM_CFA, 0, -24 },
							  { 6, STP_FROM_CFA, 0, -16 },
							  { 16, STP_FROM_CFA, 0, -8 } };
	static const struct stp_unwind_place by_rbx[] = { { 6, 3, 0, -16 },
							  { 16, STP_FROM_CFA, 0, -8 } };
	struct stp_unwind_rule rule = { STP_CFA_REGISTER, STP_UNWIND_SP, 0, 0, 32, 0, 0 };
	struct stp_unwind_lean lean = lean_of(rule, places, 3);

	CHECK(lean.is_lean && lean.saves_bp && !lean.needs_others);
	CHECK_LONG(lean.cfa, 32);
	CHECK_LONG(lean.at_bp, 16);
	CHECK_LONG(lean.at_return, 24);
	lean = lean_of(rule, places, 2);
	CHECK(!lean.is_lean && !lean.needs_others); /* without a return address */
	lean = lean_of(rule, by_rbx, 2);
	CHECK(!lean.is_lean && lean.needs_others);
	rule.base = 3;
	CHECK(lean_of(rule, places, 3).needs_others);
	rule = (struct stp_unwind_rule){ STP_CFA_MEMORY, STP_UNWIND_BP, 0, 0, -8, 0, 0 };
	lean = lean_of(rule, places, 3);
	CHECK(!lean.is_lean && !lean.needs_others);
	rule = (struct stp_unwind_rule){ STP_CFA_REGISTER, STP_UNWIND_SP, 1, 0, 32, 0, 0 };
	CHECK(!lean_of(rule, places, 3).is_lean); /* a signal's frame */
	rule = (struct stp_unwind_rule){ STP_CFA_REGISTER, STP_UNWIND_SP, 0, 0, INT32_MIN, 0, 0 };
	CHECK(!lean_of(rule, places, 3).is_lean); /* a distance that no number holds */
	rule = (struct stp_unwind_rule){ .cfa = STP_CFA_END };
	CHECK(!lean_of(rule, places, 0).is_lean && !lean_of(rule, places, 0).needs_others);
}

static void test_lean_steps(void)
{
	struct stp_unwind_lean lean = { .cfa = 32,
					.at_return = 24,
					.at_bp = 16,
					.base = STP_UNWIND_SP,
					.is_lean = true,
					.saves_bp = true };
	struct stp_unwind_three at = { CODE, STACK, STACK + 8 };
	struct stp_unwind u = at_stack(STACK);

	stack[2] = 0xb9;
	stack[3] = 0x1234;
	CHECK(stp_unwind_leave_lean(&at, &lean, read_stack, NULL));
	CHECK_LONG(at.sp, STACK + 32);
	CHECK_LONG(at.pc, 0x1234);
	CHECK_LONG(at.bp, 0xb9);

	/* No step: up or nowhere, to nowhere, without memory. Nothing is changed. */
	lean.cfa = 0;
	CHECK(!stp_unwind_leave_lean(&at, &lean, read_stack, NULL));
	lean.cfa = 32;
	stack[7] = 0;
	CHECK(!stp_unwind_leave_lean(&at, &lean, read_stack, NULL));
	lean.base = STP_UNWIND_BP;
	CHECK(!stp_unwind_leave_lean(&at, &lean, read_stack, NULL));
	at.sp = STACK + sizeof(stack);
	lean.base = STP_UNWIND_SP;
	CHECK(!stp_unwind_leave_lean(&at, &lean, read_stack, NULL));
	CHECK_LONG(at.pc, 0x1234);
	CHECK_LONG(at.bp, 0xb9);

	/* Registers that a walk has, and those that it does not have. */
	u.regs[STP_UNWIND_BP] = 0x77;
	CHECK(stp_unwind_take(&u, &at));
	CHECK_LONG(at.pc, CODE);
	CHECK_LONG(at.sp, STACK);
	CHECK_LONG(at.bp, 0x77);
	stp_unwind_put(&u, &at);
	CHECK(is_known(&u, STP_UNWIND_BP) && !is_known(&u, 3) && !u.is_exact);
	u.known &= ~(1u << STP_UNWIND_BP);
	CHECK(!stp_unwind_take(&u, &at));
}

/* ---- by frame pointers alone ---- */

static enum stp_unwind_result leave_record(struct stp_unwind_three *at)
{
	return stp_unwind_leave_record(at, read_stack, NULL);
}

static void test_records(void)
{
	struct stp_unwind_three at = { CODE, STACK, STACK + 16 };

	stack[2] = STACK + 40;
	stack[3] = 0x1234;
	stack[5] = 0;
	stack[6] = 0x5678;
	CHECK_LONG(leave_record(&at), STP_UNWIND_CALLER);
	CHECK_LONG(at.pc, 0x1234);
	CHECK_LONG(at.sp, STACK + 32);
	CHECK_LONG(at.bp, STACK + 40);
	CHECK_LONG(leave_record(&at), STP_UNWIND_CALLER);
	CHECK_LONG(at.pc, 0x5678);
	CHECK_LONG(leave_record(&at), STP_UNWIND_OUTERMOST);

	/* No records: below, not at a word's beginning, without memory or caller. */
	at = (struct stp_unwind_three){ CODE, STACK + 32, STACK + 16 };
	CHECK_LONG(leave_record(&at), STP_UNWIND_ASTRAY);
	at = (struct stp_unwind_three){ CODE, STACK, STACK + 17 };
	CHECK_LONG(leave_record(&at), STP_UNWIND_ASTRAY);
	at = (struct stp_unwind_three){ CODE, STACK, STACK + sizeof(stack) - 8 };
	CHECK_LONG(leave_record(&at), STP_UNWIND_UNREADABLE);
	CHECK_LONG(at.pc, CODE);
	at = (struct stp_unwind_three){ CODE, STACK, STACK + 16 };
	stack[3] = 0;
	CHECK_LONG(leave_record(&at), STP_UNWIND_OUTERMOST);
	CHECK_LONG(at.pc, CODE);
}

/* ---- this program ---- */

struct own {
	uint8_t *eh_frame;
	size_t size;
	uint64_t address, bias;
	struct table table;
	struct stp_program_view view;
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

		if (!gelf_getshdr(scn, &h) ||
		    strcmp(elf_strptr(elf, names, h.sh_name), ".eh_frame"))
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
	rules_init(&own.table.cfi, arena, &x86_64_unwind);
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

/* Walks up to the caller of the program's own code. */
static __attribute__((noinline)) void walk_own(volatile int *use)
{
	struct stp_unwind u = { .is_exact = true,
				.read = read_any,
				.known = (1u << STP_UNWIND_REGISTERS) - 1 };
	const struct stp_unwind_rule *rule;
	struct stp_unwind_lean lean;
	unsigned n = 0, i = 0, nlean = 0;

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
	while ((rule = stp_program_table_rule(&own.view,
					      (uint32_t)(stp_unwind_place_of(&u) - own.bias))) &&
	       ++i < n) {
		struct stp_unwind_three quick;

		stp_unwind_lean_of(&own.view, rule, &lean);
		lean.is_lean &= stp_unwind_take(&u, &quick);
		if (unwind_step(&u, &own.view, rule) != STP_UNWIND_CALLER)
			break;
		CHECK_LONG(u.regs[STP_UNWIND_RETURN], expected[i]);
		if (!lean.is_lean)
			continue;
		CHECK(stp_unwind_leave_lean(&quick, &lean, read_any, NULL));
		CHECK_LONG(quick.pc, expected[i]);
		CHECK_LONG(quick.sp, u.regs[STP_UNWIND_SP]);
		CHECK(!is_known(&u, STP_UNWIND_BP) || !has_value(&u, STP_UNWIND_BP) ||
		      quick.bp == u.regs[STP_UNWIND_BP]);
		nlean++;
	}
	CHECK(i >= 4 && nlean >= 3);
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

static void ask_all(const struct stp_program_view *v)
{
	for (unsigned i = 0; i < 50; i++) {
		uint32_t at = (uint32_t)unit_random() % (i % 2 ? UINT32_MAX : 0x10000);
		const struct stp_unwind_rule *rule = stp_program_table_rule(v, at);
		const struct stp_program_symbol *symbol = stp_program_table_symbol(v, at);
		struct stp_program_line line;
		struct stp_unwind u = at_stack(STACK + unit_random() % 256);

		if (rule)
			unwind_step(&u, v, rule);
		if (symbol)
			CHECK(strlen(v->names + symbol->name) < 1u << 20);
		if (stp_program_table_line(v, at, &line))
			CHECK(strlen(v->names + line.file) < 1u << 20);
	}
}

static void test_damaged_sections(void)
{
	size_t size = own.size < 20000 ? own.size : 20000;
	unsigned good = 0;

	for (unsigned round = 0; round < 400; round++) {
		struct table t = { .base = own.address };
		/* Has its exact size: the sanitizer sees each byte too many. */
		uint8_t *copy = malloc(size - round);
		struct stp_program_view v;

		memcpy(copy, own.eh_frame, size - round);
		for (unsigned i = 0; i < 1 + round % 40; i++)
			copy[unit_random() % (size - round)] = (uint8_t)unit_random();
		rules_init(&t.cfi, arena, &x86_64_unwind);
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

	rules_init(&t.cfi, arena, &x86_64_unwind);
	CHECK(!read_into(&t, own.eh_frame, own.size, own.address));
	for (uint64_t i = 0; i < 200; i++) {
		if (i < 50)
			vec_push(arena, &t.symbols,
				 ((struct table_symbol){
					 i * 64, 32,
					 arena_printf(arena, "f%llu", (unsigned long long)i), 0 }));
		vec_push(arena, &t.lines,
			 ((struct table_line){ i * 64, i % 3 ? "a.c" : "b.c", (unsigned)i + 1,
					       (unsigned)i }));
	}
	unwindtable_write(arena, &t, &data, &size);
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t n = round % 7 ? size : (uint32_t)(unit_random() % size);
		uint8_t *copy = malloc(n + 1);
		struct stp_program_view v;

		memcpy(copy, data, n);
		for (unsigned i = 0; n && i < round % 5; i++)
			copy[round % 2 ? unit_random() % n : unit_random() % (n < 64 ? n : 64)] ^=
				(uint8_t)(1u << unit_random() % 8);
		if (stp_program_table_open(copy, n, &v)) {
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
	RUN(test_steps);
	RUN(test_lean_rules);
	RUN(test_lean_steps);
	RUN(test_records);
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

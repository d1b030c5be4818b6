/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that handlers perform in place of the processor: random ones, with random
 * registers and flags, have the same results as on this processor.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "unit.h"

#ifdef __x86_64__

/* As in the kernel. */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip,
		cs, flags, sp, ss;
};

#define __user
#define user_64bit_mode(regs) ((regs)->cs == 0x33)

#define ROUNDS	    400000
#define MEMORY_SIZE 4096
#define CODE_SIZE   4096
#define FLAGS	    0x8d5ul /* that arithmetic sets */
#define LONGEST	    15

static int copy_from_user_nofault(void *dst, const void *src, size_t size);

#include "arch/x86_64/arch_instruction.h"

static uint8_t *code, *memory; /* memory is after the code */

static int copy_from_user_nofault(void *dst, const void *src, size_t size)
{
	uintptr_t at = (uintptr_t)src - (uintptr_t)memory;

	if (at > MEMORY_SIZE - size)
		return -1;
	memcpy(dst, src, size);
	return 0;
}

/* ---- on the processor ---- */

/* rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15; flags; code; our stack pointer. */
__attribute__((used)) static unsigned long machine[19];
void instructions_run(void);
void instructions_ran(void);

/* The code under test ends with a jump to instructions_ran. No mov changes flags. */
__asm__(".text\n"
	".globl instructions_run, instructions_ran\n"
	"instructions_run:\n\t"
	"push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n\t"
	"mov %rsp, 144+machine(%rip)\n\t"
	"push 128+machine(%rip); popfq\n\t"
	"mov 0+machine(%rip), %rax; mov 8+machine(%rip), %rcx\n\t"
	"mov 16+machine(%rip), %rdx; mov 24+machine(%rip), %rbx\n\t"
	"mov 32+machine(%rip), %rsp; mov 40+machine(%rip), %rbp\n\t"
	"mov 48+machine(%rip), %rsi; mov 56+machine(%rip), %rdi\n\t"
	"mov 64+machine(%rip), %r8; mov 72+machine(%rip), %r9\n\t"
	"mov 80+machine(%rip), %r10; mov 88+machine(%rip), %r11\n\t"
	"mov 96+machine(%rip), %r12; mov 104+machine(%rip), %r13\n\t"
	"mov 112+machine(%rip), %r14; mov 120+machine(%rip), %r15\n\t"
	"jmp *136+machine(%rip)\n"
	"instructions_ran:\n\t"
	"mov %rax, 0+machine(%rip); mov %rcx, 8+machine(%rip)\n\t"
	"mov %rdx, 16+machine(%rip); mov %rbx, 24+machine(%rip)\n\t"
	"mov %rsp, 32+machine(%rip); mov %rbp, 40+machine(%rip)\n\t"
	"mov %rsi, 48+machine(%rip); mov %rdi, 56+machine(%rip)\n\t"
	"mov %r8, 64+machine(%rip); mov %r9, 72+machine(%rip)\n\t"
	"mov %r10, 80+machine(%rip); mov %r11, 88+machine(%rip)\n\t"
	"mov %r12, 96+machine(%rip); mov %r13, 104+machine(%rip)\n\t"
	"mov %r14, 112+machine(%rip); mov %r15, 120+machine(%rip)\n\t"
	"mov 144+machine(%rip), %rsp\n\t"
	"pushfq; pop 128+machine(%rip)\n\t"
	"cld\n\t"
	"pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n\t"
	"ret\n");

/* Executes the instruction at the beginning of the code, from and to these registers. */
static void execute(unsigned int length, struct pt_regs *regs)
{
	const uint64_t back = (uintptr_t)instructions_ran;

	memcpy(code + length, "\xff\x25\0\0\0\0", 6); /* jmp *0(%rip) */
	memcpy(code + length + 6, &back, sizeof(back));
	for (unsigned int i = 0; i < 16; i++)
		machine[i] = *arch_register(regs, i);
	machine[16] = regs->flags;
	machine[17] = (uintptr_t)code;
	instructions_run();
	for (unsigned int i = 0; i < 16; i++)
		*arch_register(regs, i) = machine[i];
	regs->flags = machine[16];
	regs->ip += length;
}

/* ---- random ones ---- */

/* Small numbers, and those at which signs and carries change, are frequent. */
static unsigned long some_value(void)
{
	static const unsigned long edges[] = {
		0,
		1,
		0x7f,
		0x80,
		0xff,
		0x7fff,
		0x8000,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x7fffffffffffffff,
		0x8000000000000000,
	};
	unsigned long value = unit_random();

	if (value & 1)
		return value << 13 ^ value >> 7;
	value = edges[(value >> 8) % (sizeof(edges) / sizeof(edges[0]))];
	return unit_random() & 1 ? value : -value;
}

static struct pt_regs some_registers(void)
{
	struct pt_regs regs = { .cs = 0x33, .ip = (uintptr_t)code };

	for (unsigned int i = 0; i < 16; i++)
		*arch_register(&regs, i) = some_value();
	regs.flags = 0x202 | (unit_random() & FLAGS);
	return regs;
}

static void put_some_code(const struct arch_instruction_row *row)
{
	unsigned int n = 0;

	memset(code, 0xcc, CODE_SIZE);
	if (unit_random() & 1)
		code[n++] = 0x40 | (unit_random() & 15);
	if (row->opcode > 0xff)
		code[n++] = row->opcode >> 8;
	code[n++] = (uint8_t)row->opcode | (row->digit == ARCH_DIGIT_REG ? unit_random() & 7 : 0);
	for (unsigned int i = n; i < LONGEST; i++)
		code[i] = (uint8_t)unit_random();
	if (row->digit < 8)
		code[n] = (code[n] & 0xc7) | row->digit << 3;
}

/* Changes registers or the code until the operand is in our memory; false: it is not. */
static bool bring_memory(struct arch_instruction *i, struct pt_regs *regs)
{
	unsigned long at = (unsigned long)memory + unit_random() % (MEMORY_SIZE - 8);

	if (i->index != ARCH_NO_REGISTER)
		*arch_register(regs, i->index) = unit_random() % 512;
	if (i->base == ARCH_NO_REGISTER || i->base == i->index)
		return false;
	if (i->base != ARCH_IP_REGISTER) {
		*arch_register(regs, i->base) += at - arch_memory_of(i, regs);
		return arch_memory_of(i, regs) == at;
	}
	at = at - (unsigned long)code - i->length;
	for (unsigned int k = 2; k + 4 <= i->length; k++) {
		int32_t distance;

		memcpy(&distance, code + k, sizeof(distance));
		if (distance != i->distance)
			continue;
		memcpy(code + k, &(int32_t){ (int32_t)at }, sizeof(distance));
		*i = arch_instruction_read(code, LONGEST);
		return arch_memory_of(i, regs) - (unsigned long)memory < MEMORY_SIZE - 8;
	}
	return false;
}

static bool reads_memory(const struct arch_instruction *i)
{
	return i->operation != ARCH_OP_LEA && (i->first == ARCH_MEMORY || i->second == ARCH_MEMORY);
}

static void say(const struct arch_instruction *i)
{
	if (unit_failures > 5)
		return;
	printf("instruction ");
	for (unsigned int k = 0; k < i->length; k++)
		printf(" %02x", code[k]);
	printf("\n");
}

static bool is_same(const struct pt_regs *a, const struct pt_regs *b)
{
	for (unsigned int i = 0; i < 16; i++)
		if (*arch_register((struct pt_regs *)a, i) !=
		    *arch_register((struct pt_regs *)b, i))
			return false;
	return a->ip == b->ip && (a->flags & FLAGS) == (b->flags & FLAGS);
}

/* Performs the code in both ways. Returns whether it is an instruction of the table. */
static bool compare(void)
{
	struct arch_instruction i = arch_instruction_read(code, LONGEST);
	struct pt_regs regs = some_registers(), real;

	if (!i.length || i.operation == ARCH_OP_PAD)
		return false;
	if (reads_memory(&i) && !bring_memory(&i, &regs))
		return false;
	real = regs;
	arch_instruction_do(&i, &regs);
	execute(i.length, &real);
	CHECK(is_same(&regs, &real));
	if (!is_same(&regs, &real))
		say(&i);
	return true;
}

static void test_each_row(void)
{
	const unsigned int nrows = sizeof(arch_instruction_rows) / sizeof(arch_instruction_rows[0]);
	unsigned int done[sizeof(arch_instruction_rows) / sizeof(arch_instruction_rows[0])] = { 0 };

	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int row = unit_random() % nrows;

		put_some_code(&arch_instruction_rows[row]);
		done[row] += compare();
	}
	for (unsigned int i = 0; i < nrows; i++)
		CHECK(done[i] > ROUNDS / nrows / 20);
}

/* Bytes of any kind: what is taken for an instruction of the table is one. */
static void test_any_bytes(void)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		memset(code, 0xcc, CODE_SIZE);
		for (unsigned int i = 0; i < LONGEST; i++)
			code[i] = (uint8_t)unit_random();
		compare();
	}
}

/* ---- particular ones ---- */

static struct arch_instruction read_text(const char *text, unsigned int size)
{
	memset(code, 0xcc, CODE_SIZE);
	memcpy(code, text, size);
	return arch_instruction_read(code, size);
}

#define LENGTH(text) ((long long)read_text(text, sizeof(text) - 1).length)

static void test_lengths(void)
{
	CHECK_LONG(LENGTH("\xf3\x0f\x1e\xfa"), 4);	       /* endbr64 */
	CHECK_LONG(LENGTH("\x48\x89\xe5"), 3);		       /* mov %rsp,%rbp */
	CHECK_LONG(LENGTH("\x48\x83\xec\x08"), 4);	       /* sub $8,%rsp */
	CHECK_LONG(LENGTH("\x48\x81\xec\x88\0\0\0"), 7);       /* sub $0x88,%rsp */
	CHECK_LONG(LENGTH("\x85\xff"), 2);		       /* test %edi,%edi */
	CHECK_LONG(LENGTH("\x8d\x04\x37"), 3);		       /* lea (%rdi,%rsi),%eax */
	CHECK_LONG(LENGTH("\x4c\x8d\x54\x24\x08"), 5);	       /* lea 8(%rsp),%r10 */
	CHECK_LONG(LENGTH("\x48\xb8\1\2\3\4\5\6\7\x8"), 10);   /* movabs */
	CHECK_LONG(LENGTH("\x48\x8b\x05\x10\0\0\0"), 7);       /* mov 0x10(%rip),%rax */
	CHECK_LONG(LENGTH("\x48\xc7\xc0\xff\xff\xff\xff"), 7); /* mov $-1,%rax */
	CHECK_LONG(LENGTH("\x0f\xb6\x07"), 3);		       /* movzbl (%rdi),%eax */
}

/* The rest is the kernel's. */
static void test_refused(void)
{
	CHECK_LONG(LENGTH(""), 0);
	CHECK_LONG(LENGTH("\x48"), 0);
	CHECK_LONG(LENGTH("\x48\x81\xec\x88\0\0"), 0); /* cut off */
	CHECK_LONG(LENGTH("\x55"), 0);		       /* push */
	CHECK_LONG(LENGTH("\x90"), 0);
	CHECK_LONG(LENGTH("\x0f\x1f\x44\0\0"), 0);
	CHECK_LONG(LENGTH("\x48\x89\x3c\x24"), 0);		 /* mov %rdi,(%rsp) */
	CHECK_LONG(LENGTH("\x48\x83\x07\x01"), 0);		 /* addq $1,(%rdi) */
	CHECK_LONG(LENGTH("\x66\x83\xef\x01"), 0);		 /* sub $1,%di */
	CHECK_LONG(LENGTH("\x64\x48\x8b\x04\x25\x28\0\0\0"), 0); /* mov %fs:0x28,%rax */
	CHECK_LONG(LENGTH("\x67\x8d\x07"), 0);			 /* lea (%edi),%eax */
	CHECK_LONG(LENGTH("\xf0\x48\x83\x07\x01"), 0);
	CHECK_LONG(LENGTH("\x8d\xc0"), 0); /* lea of a register */
	CHECK_LONG(LENGTH("\x84\xe0"), 0); /* test %ah,%al */
	CHECK_LONG(LENGTH("\xc3"), 0);
}

static void test_stack(void)
{
	struct arch_instruction i;

	i = read_text("\x48\x83\xec\x08", 4);
	CHECK(arch_instruction_moves_stack(&i));
	i = read_text("\x4c\x8d\x54\x24\x08", 5);
	CHECK(!arch_instruction_moves_stack(&i));
	i = read_text("\x48\x39\xe5", 3); /* cmp %rsp,%rbp */
	CHECK(!arch_instruction_moves_stack(&i));
	i = read_text("\x55", 1);
	CHECK(!arch_instruction_moves_stack(&i));
}

/* Nothing happens if memory cannot be read, in 32-bit programs, and for debuggers. */
static void test_left_alone(void)
{
	struct arch_instruction i = read_text("\x48\x3b\x07", 3); /* cmp (%rdi),%rax */
	struct pt_regs regs = some_registers(), before;

	regs.di = 16;
	before = regs;
	arch_instruction_do(&i, &regs);
	CHECK(!memcmp(&regs, &before, sizeof(regs)));
	i = read_text("\x89\xf8", 2);
	regs.flags |= 0x100; /* a debugger steps to the next instruction */
	before = regs;
	arch_instruction_do(&i, &regs);
	CHECK(!memcmp(&regs, &before, sizeof(regs)));
	regs.flags &= ~0x100ul;
	regs.cs = 0x23;
	before = regs;
	arch_instruction_do(&i, &regs);
	CHECK(!memcmp(&regs, &before, sizeof(regs)));
}

int main(void)
{
	code = mmap(NULL, CODE_SIZE + MEMORY_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code != MAP_FAILED);
	memory = code + CODE_SIZE;
	for (unsigned int i = 0; i < MEMORY_SIZE; i++)
		memory[i] = (uint8_t)unit_random();
	RUN(test_each_row);
	RUN(test_any_bytes);
	RUN(test_lengths);
	RUN(test_refused);
	RUN(test_stack);
	RUN(test_left_alone);
	return unit_end();
}

#else

int main(void)
{
	return unit_end();
}

#endif

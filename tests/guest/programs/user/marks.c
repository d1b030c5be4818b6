/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers with arguments in every form, and values that are known. */
// cflags: -O2 -Iinclude
#define _SDT_HAS_SEMAPHORES 1
#include <stdbool.h>
#include <sys/sdt.h>

#define SEMAPHORE(name) unsigned short forms_##name##_semaphore __attribute__((section(".probes")))
SEMAPHORE(registers);
SEMAPHORE(memory);
SEMAPHORE(twelve);
SEMAPHORE(unoptimised);
SEMAPHORE(twice);
SEMAPHORE(gated);
SEMAPHORE(quiet);

enum color { RED, GREEN = 7 };
long variable[2] = { -1000, 2000 };
static short table[8] = { 0, 10, 20, -30, 40, 50, 60, 70 };

/* clang-format off */
#ifdef __aarch64__
static void registers(void)
{
	__asm__ volatile("ldr x9, =0x11223344aabbccdd\n ldr x10, =0x8877665544332211\n mov x11, #0x8081\n"
			 "mov w12, #0xaacc\n mov w13, #0xaa80\n"
			 STAP_PROBE_ASM(forms, registers,
					8@x9 -4@w9 4@w9 -2@w9 -1@w9 1@w12 -1@w13 -8@x10 4@w10 -2@w10 1@w10 -4@-3 4@7 x11)
			 : : : "x9", "x10", "x11", "x12", "x13");
}

static void memory(void)
{
	long i = 3;

	__asm__ volatile(STAP_PROBE_ASM(forms, memory,
					-2@[%[t], %[i], lsl 1] 2@[%[t], %w[i], sxtw 1] -2@[%[end], -12] -2@[%[t], 8] -8@[%[v]] 4@[%[v], 8] -8@[%[v], 8])
			 : : [t] "r"(table), [i] "r"(i), [end] "r"(table + 8), [v] "r"(variable), "m"(table), "m"(variable));
}
#else
static void registers(void)
{
	__asm__ volatile("movabs $0x11223344aabbccdd, %%rax\n movabs $0x8877665544332211, %%r9\n mov $0x8081, %%ebx\n"
			 STAP_PROBE_ASM(forms, registers,
					8@%%rax -4@%%eax 4@%%eax -2@%%ax -1@%%al 1@%%ah -1@%%bh -8@%%r9 4@%%r9d -2@%%r9w 1@%%r9b -4@$-3 4@$7 %%rbx)
			 : : : "rax", "r9", "rbx");
}

static void memory(void)
{
	long i = 3;

	__asm__ volatile(STAP_PROBE_ASM(forms, memory,
					-2@(%[t],%[i],2) 2@(%[t],%[i],2) -2@-2(%[t],%[i],2) -2@8(%[t]) -8@variable(%%rip) 4@variable+8(%%rip) -8@8+variable(%%rip))
			 : : [t] "r"(table), [i] "r"(i), "m"(table), "m"(variable));
}

#endif
/* clang-format on */

__attribute__((noinline)) static void twelve(signed char a, unsigned char b, short c,
					     unsigned short d, int e, unsigned f, long g,
					     unsigned long h, bool i, enum color j, const char *k)
{
	STAP_PROBE12(forms, twelve, a, b, c, d, e, f, g, h, i, j, k, "twelfth");
}

__attribute__((noinline, optimize("O0"))) static void unoptimised(int a, char b)
{
	short local[3] = { -1, 2, -3 };

	DTRACE_PROBE5(forms, unoptimised, a, b, local[a], &local[1] == local + 1, 12345678901);
}

__attribute__((noinline)) static void twice(int n)
{
	if (n)
		STAP_PROBE1(forms, twice, n);
	else
		STAP_PROBE2(forms, twice, n, variable[1]);
}

int main(void)
{
	static const char *volatile text =
		"eleventh"; /* probes read what is in memory: it is looked at before */

	if (*(const volatile char *)text != 'e')
		return 1;
	registers();
	memory();
	twelve(-1, 255, -2, 65535, -3, 4000000000u, -4, 5, true, GREEN, text);
	unoptimised(2, 'x');
	twice(1);
	twice(0);
	if (*(volatile unsigned short *)&forms_gated_semaphore)
		STAP_PROBEV(forms, gated, forms_gated_semaphore, forms_quiet_semaphore);
	STAP_PROBE(forms, quiet);
	return 0;
}

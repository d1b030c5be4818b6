// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * places: prints the nanoseconds that a breakpoint of the running kernel takes at each kind
 * of instruction, on this machine, by the kernel's own counter of hits (perf_event_open):
 * the least of many rounds, less a call without one. tests/bench/places runs it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	   400
#define CALLS	   20
#define WARM_CALLS 200
#define NOP5	   ".byte 0x0f, 0x1f, 0x44, 0, 0"
#define NOP10	   ".byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"

#define PLACE(name, code)                                                                          \
	void name(void);                                                                           \
	__asm__(".balign 64\n\t.globl " #name "\n" #name ":\n\t" code "\n\tret")

PLACE(at_nop, "nop");
PLACE(at_nop5, NOP5);
PLACE(at_nop10, NOP10);
PLACE(at_push, "push %rbp\n\tpop %rbp");
PLACE(at_jump, "jmp 1f\n1:\tnop");
PLACE(at_call, "call 1f\n\tret\n1:");
PLACE(at_endbr, "endbr64\n\tpush %rbp\n\tpop %rbp");
PLACE(at_move, "mov %rsp,%rax");
PLACE(at_test, "test %edi,%edi");
PLACE(at_subtract, "sub $8,%rsp\n\tadd $8,%rsp");
PLACE(at_address, "lea 1(%rdi),%eax");

static const struct place {
	const char *what;
	void (*call)(void);
	unsigned at; /* bytes from its beginning */
	int is_return;
} places[] = {
	{ "nop (a marker)", at_nop, 0, 0 },
	{ "nop of 5 bytes", at_nop5, 0, 0 },
	{ "nop of 10 bytes", at_nop10, 0, 0 },
	{ "push", at_push, 0, 0 },
	{ "jmp", at_jump, 0, 0 },
	{ "call", at_call, 0, 0 },
	{ "endbr64", at_endbr, 0, 0 },
	{ "push behind endbr64", at_endbr, 4, 0 },
	{ "mov", at_move, 0, 0 },
	{ "test", at_test, 0, 0 },
	{ "sub", at_subtract, 0, 0 },
	{ "lea", at_address, 0, 0 },
	{ "return, entry at endbr64", at_endbr, 0, 1 },
	{ "return, entry at push behind it", at_endbr, 4, 1 },
};

extern const char __executable_start[];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double least(void (*call)(void))
{
	double ret = 1e18;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = now(), each;

		for (int k = 0; k < CALLS; k++)
			call();
		each = (now() - begin) / CALLS;
		ret = each < ret ? each : ret;
	}
	return ret;
}

static unsigned kind(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	unsigned ret = 0;

	if (f && fscanf(f, "%u", &ret) != 1)
		ret = 0;
	if (f)
		fclose(f);
	return ret;
}

static int attach(unsigned type, const struct place *p)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = type };

	a.config = (uint64_t)p->is_return;
	a.uprobe_path = (uint64_t)(uintptr_t) "/proc/self/exe";
	a.probe_offset = (uint64_t)((const char *)(uintptr_t)p->call - __executable_start) + p->at;
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

/* Returns 0, or what is wrong with the figure. */
static int measure(unsigned type, const struct place *p)
{
	double bare = least(p->call), probed;
	int fd = attach(type, p);
	uint64_t hits = 0;

	if (fd < 0) {
		printf("%-32s %8s  %s\n", p->what, "-", strerror(errno));
		return 0;
	}
	for (int i = 0; i < WARM_CALLS; i++)
		p->call();
	probed = least(p->call);
	if (read(fd, &hits, sizeof(hits)) != sizeof(hits) || hits != WARM_CALLS + ROUNDS * CALLS) {
		printf("%-32s %8s  %llu hits of %d\n", p->what, "-", (unsigned long long)hits,
		       WARM_CALLS + ROUNDS * CALLS);
		close(fd);
		return 1;
	}
	close(fd);
	printf("%-32s %8.0f\n", p->what, probed - bare);
	return 0;
}

int main(void)
{
	unsigned type = kind();
	int fd = type ? attach(type, &places[0]) : -1, wrong = 0;

	if (fd < 0) {
		printf("skipped: %s\n",
		       type ? strerror(errno)
			    : "the kernel has no uprobe events, or /sys is not there");
		return 77;
	}
	close(fd);
	printf("%-32s %8s\n", "breakpoint at", "ns");
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		wrong |= measure(type, &places[i]);
	return wrong;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes code while it runs, as compilers of virtual machines do, and names it in a map for
 * perf, /tmp/perf-PID.map: a function that calls one of the program's, and later a second
 * one in another place. It goes on for half a minute, or until it is killed.
 */
// arch: x86_64
// cflags: -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TURNS 1200

typedef int call_it(int (*function)(int), int n);

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

/* push rbp; mov rbp, rsp; mov rax, rdi; mov edi, esi; call rax; pop rbp; ret */
static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8,
				0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3 };

static call_it *make(FILE *map, uint8_t *at, const char *name)
{
	memcpy(at, code, sizeof(code));
	fprintf(map, "%lx %zx %s\n", (unsigned long)(uintptr_t)at, sizeof(code), name);
	fflush(map);
	return (call_it *)(void *)at;
}

int main(void)
{
	uint8_t *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	call_it *first, *second = NULL;
	FILE *map;
	int sum = 0;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "we");
	if (room == MAP_FAILED || !map)
		return 1;
	fprintf(map, "100000 20 code of another kind, which is far away\n");
	first = make(map, room, "made first(int)");
	for (int i = 0; i < TURNS; i++) {
		usleep(25000);
		sum += first(leaf, 1);
		if (i == 40)
			second = make(map, room + 0x100, "made_second");
		if (second)
			sum += second(leaf, 0);
	}
	unlink(path);
	return sum != TURNS;
}

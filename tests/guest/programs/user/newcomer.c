/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Begins after a script has, and then loads a library: for half a minute, or until the
 * script ends, it calls a function of its own through that, and the kernel through two of
 * its own.
 */
// cflags: -g -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -ldl
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TURNS 1200

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

__attribute__((noinline)) int inner(int n)
{
	volatile char room[200];

	room[0] = (char)n;
	return getpriority(PRIO_PROCESS, 0) + room[0];
}

__attribute__((noinline)) int outer(int n)
{
	volatile char room[3000];

	room[0] = (char)n;
	return inner(room[0]) + room[0];
}

int main(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 20);
	int (*through)(int (*)(int), int);
	void *library;
	int sum = 0;

	if (len < 0)
		return 1;
	path[len] = 0;
	strcpy(strrchr(path, '/'), "/layer_thin");
	library = dlopen(path, RTLD_NOW);
	through = library ? (int (*)(int (*)(int), int))dlsym(library, "through_thin") : NULL;
	for (int i = 0; through && i < TURNS; i++) {
		usleep(25000);
		sum += through(leaf, 1) + outer(0);
	}
	return sum != 2 * TURNS;
}

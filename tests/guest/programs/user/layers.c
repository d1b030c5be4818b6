/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads two libraries in turn, which come to lie at the same place, and calls a function
 * through each; 1: they do not lie there.
 */
// cflags: -g -O1 -fno-optimize-sibling-calls -ldl
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TURNS 20
#define CALLS 3

static const char *const layers[][2] = { { "layer_thin", "through_thin" },
					 { "layer_thick", "through_thick" } };

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

/* Returns where the function was, or NULL. */
__attribute__((noinline)) void *visit(const char *directory, unsigned layer)
{
	char path[4200];
	void *library;
	int (*through)(int (*)(int), int);

	snprintf(path, sizeof(path), "%s/%s", directory, layers[layer][0]);
	library = dlopen(path, RTLD_NOW);
	through = library ? (int (*)(int (*)(int), int))dlsym(library, layers[layer][1]) : NULL;
	for (int i = 0; through && i < CALLS; i++)
		if (through(leaf, (int)layer) != (int)layer + 1)
			return NULL;
	return library && !dlclose(library) ? (void *)through : NULL;
}

int main(void)
{
	char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	void *first = NULL;

	if (len < 0)
		return 1;
	self[len] = 0;
	*strrchr(self, '/') = 0;
	for (unsigned i = 0; i < 2 * TURNS; i++) {
		void *at = visit(self, i % 2);

		if (!at || (first && at != first))
			return 1;
		first = at;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * collisions N BITS: prints a script with N keys that all have the same last BITS bits of a hash without a secret, the
 * one that arrays once had: in one chain there, and here as any others. Its last handler uses the two newest keys, at
 * the chain's end, 500 times in turn.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t hash(uint64_t key)
{
	__uint128_t product = (__uint128_t)key * 0x9e3779b97f4a7c15u;

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[1]) : 0;
	uint64_t mask = n ? (1ull << atoi(argv[2])) - 1 : 0, key = 0, before = 0;

	printf("global a\n");
	for (int i = 0; i < n; i++) {
		before = key;
		do
			key++;
		while (hash(key) & mask);
		if (i % 30 == 0)
			printf("%sprobe begin(%d) {\n", i ? "}\n" : "", i);
		printf("a[%llu] = 1\n", (unsigned long long)key);
	}
	printf("}\nprobe begin(%d) { for (i = 0; i < 500; i++) { a[%llu]++ a[%llu]++ } "
	       "println(a[%llu]) exit() }\n",
	       n, (unsigned long long)before, (unsigned long long)key, (unsigned long long)key);
	return !n;
}

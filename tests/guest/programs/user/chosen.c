/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of which there are two, chosen when the program is loaded: of its own, and one of libc's. */
// cflags: -g -O1 -fno-builtin
#include <string.h>

__attribute__((noinline)) static int by_hand(int n)
{
	return n + 1;
}

__attribute__((noinline)) static int by_table(int n)
{
	return n + 2;
}

#ifdef __aarch64__
__attribute__((used)) static int (*resolve_work(unsigned long capabilities))(int)
{
	return capabilities & 1 ? by_table : by_hand; /* HWCAP_FP */
}
#else
__attribute__((used)) static int (*resolve_work(void))(int)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("sse2") ? by_table : by_hand;
}
#endif

int work(int n) __attribute__((ifunc("resolve_work")));

int main(int argc, char **argv)
{
	(void)argc;
	return work((int)strlen(argv[0])) == (int)strlen(argv[0]) + 2 ? 0 : 1;
}

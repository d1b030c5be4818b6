/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that ticks loads while it runs. */
// cflags: -g -O1 -shared -fPIC
__attribute__((noinline)) int plug(int n)
{
	__asm__ volatile("");
	return n * 2;
}

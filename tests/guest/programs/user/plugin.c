/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that ticks and kept load while they run. */
// cflags: -g -O1 -shared -fPIC
static int plugged[2] = { 100, 200 };
static __thread int apart = 30;

__attribute__((noinline)) int plug(int n)
{
	__asm__ volatile("" : "+m"(plugged));
	__asm__ volatile("" : "+m"(apart));
	plugged[1] += n;
	apart += n;
	return n * 2;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that ticks and kept load while they run. */
// cflags: -g -O1 -shared -fPIC
static int plugged[2] = { 100, 200 };

__attribute__((noinline)) int plug(int n)
{
	__asm__ volatile("" : "+m"(plugged));
	plugged[1] += n;
	return n * 2;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads a library while it runs, and calls it. */
// cflags: -g -O1
#include <dlfcn.h>

int main(void)
{
	void *m = dlopen("libm.so.6", RTLD_NOW);
	int (*ilogb)(double) = m ? (int (*)(double))dlsym(m, "ilogb") : 0;

	return ilogb && ilogb(1024.0) + ilogb(8.0) == 13 ? 0 : 1;
}

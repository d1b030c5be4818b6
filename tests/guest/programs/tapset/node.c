/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what Node.js would, by the same markers. */
// cflags: -O1 -Iinclude
#include <sys/sdt.h>

/* Handlers see what the program has touched. */
static const char *S(const char *s)
{
	(void)*(const volatile char *)s;
	return s;
}

int main(void)
{
	STAP_PROBE4(node, net__server__connection, 0, S("10.0.0.1"), 1001, 3);
	STAP_PROBE4(node, net__stream__end, 0, S("10.0.0.2"), 1002, 4);
	STAP_PROBE7(node, http__server__request, 0, 0, S("10.0.0.3"), 1003, S("GET"), S("/x"), 5);
	STAP_PROBE4(node, http__server__response, 0, S("10.0.0.4"), 1004, 6);
	STAP_PROBE7(node, http__client__request, 0, 0, S("10.0.0.5"), 1005, S("PUT"), S("/y"), 7);
	STAP_PROBE4(node, http__client__response, 0, S("10.0.0.6"), 1006, 8);
	STAP_PROBE2(node, gc__start, 1, 2);
	STAP_PROBE2(node, gc__done, 2, 3);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what PHP would, by the same markers. */
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
	STAP_PROBE3(php, request__startup, S("a.php"), S("/a?b"), S("GET"));
	STAP_PROBE3(php, request__shutdown, S("a.php"), S("/a?b"), S("GET"));
	STAP_PROBE2(php, compile__file__entry, S("a.php"), S("/srv/a.php"));
	STAP_PROBE2(php, compile__file__return, S("a.php"), S("/srv/a.php"));
	STAP_PROBE2(php, execute__entry, S("a.php"), 3);
	STAP_PROBE2(php, execute__return, S("a.php"), 4);
	STAP_PROBE5(php, function__entry, S("f"), S("a.php"), 5, S("C"), S("::"));
	STAP_PROBE5(php, function__return, S("f"), S("a.php"), 6, 0, 0);
	STAP_PROBE3(php, error, S("no such thing"), S("a.php"), 7);
	STAP_PROBE1(php, exception__thrown, S("E"));
	STAP_PROBE1(php, exception__caught, S("F"));
	return 0;
}

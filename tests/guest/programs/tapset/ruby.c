/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what Ruby would, by the same markers. */
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
	STAP_PROBE4(ruby, method__entry, S("C"), S("m"), S("a.rb"), 1);
	STAP_PROBE4(ruby, method__return, S("C"), S("m"), S("a.rb"), 2);
	STAP_PROBE4(ruby, cmethod__entry, S("C"), S("m"), S("a.rb"), 11);
	STAP_PROBE4(ruby, cmethod__return, S("C"), S("m"), S("a.rb"), 12);
	STAP_PROBE3(ruby, require__entry, S("set"), S("a.rb"), 3);
	STAP_PROBE3(ruby, require__return, S("set"), S("a.rb"), 15);
	STAP_PROBE3(ruby, find__require__entry, S("set"), S("a.rb"), 4);
	STAP_PROBE3(ruby, find__require__return, S("set"), S("a.rb"), 5);
	STAP_PROBE3(ruby, load__entry, S("b.rb"), S("a.rb"), 6);
	STAP_PROBE3(ruby, load__return, S("b.rb"), S("a.rb"), 16);
	STAP_PROBE3(ruby, raise, S("Oops"), S("a.rb"), 7);
	STAP_PROBE3(ruby, object__create, S("C"), S("a.rb"), 8);
	STAP_PROBE3(ruby, array__create, 20, S("a.rb"), 9);
	STAP_PROBE3(ruby, hash__create, 21, S("a.rb"), 10);
	STAP_PROBE3(ruby, string__create, 22, S("a.rb"), 11);
	STAP_PROBE3(ruby, symbol__create, S("s"), S("a.rb"), 12);
	STAP_PROBE2(ruby, parse__begin, S("a.rb"), 13);
	STAP_PROBE2(ruby, parse__end, S("a.rb"), 14);
	STAP_PROBE(ruby, gc__mark__begin);
	STAP_PROBE(ruby, gc__mark__end);
	STAP_PROBE(ruby, gc__sweep__begin);
	STAP_PROBE(ruby, gc__sweep__end);
	return 0;
}

# SPDX-License-Identifier: GPL-2.0-or-later
# include/sys/sdt.h: notes of every kind of argument and language standard, as readelf shows them.
. "$TOP/tests/cli/expect.inc"
CC=${CC:-gcc}
include="-Wall -Wextra -Wno-unused -I$TOP/include"

# arguments PROGRAM NAME: of that marker, operands left out
sizes() {
	readelf -n "$1" |
		awk -v name="$2" \
		'/ Name: / { found = $2 == name } /Arguments:/ && found { sub(/^.*Arguments: ?/, ""); gsub(/@[^ ]*/, ""); print }'
}
# same WHAT GOT WANTED
same() { [ "$2" = "$3" ] || say_wrong "$1: '$2', not '$3'"; }

# Programs may have macros of any name.
cat > a.c <<'END'
#define weak bad
#define c bad
#define note bad
#include <sys/sdt.h>
enum e { E1 };
struct part;
struct two { int a, b; };
long table[20];
int main(int argc, char **argv)
{
	char ch = (char)argc, text[10] = "x";
	unsigned short us = argc;
	short ss = -argc;
	double d = argc;
	float f = argc;
	const signed char sc = 3;
	volatile int vi = argc;
	struct part *p = (struct part *)argv;
	enum e en = E1;
	unsigned long long ull = argc;
	struct two two = { argc, 2 };
	const char *const constant = "x";
#ifdef __cplusplus
	bool b = argc;
#else
	_Bool b = argc;
#endif

	STAP_PROBE(prov, none);
	DTRACE_PROBE1(prov, one, ch);
	STAP_PROBE12(prov, twelve, us, ss, b, d, f, text, sc, vi, p, en, ull, constant);
	STAP_PROBE5(prov, five, "text", argc * 2, 7, -1L, table[argc]);
	STAP_PROBE1(prov, whole, two);
#ifdef STAP_PROBEV
	STAP_PROBEV(prov, v0);
	STAP_PROBEV(prov, v3, argc, argv, table);
	DTRACE_PROBEV(prov, v12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
#endif
#undef c
	__asm__ volatile("nop\n" STAP_PROBE_ASM(prov, words, STAP_PROBE_ASM_TEMPLATE(2)) "nop"
			 : : STAP_PROBE_ASM_OPERANDS(2, argc, argv));
	__asm__ volatile(STAP_PROBE_ASM(prov, raw, 8@%%rdi -4@(%%rsi)) : :);
	return 0;
}
END
cp a.c a.cc
cat > b.S <<'END'
#include <sys/sdt.h>
	.text
	.globl f
f:	STAP_PROBE(prov, s0)
	STAP_PROBE2(prov, s2, 8@%rdi, -4@4(%rsi,%rax,8))
	ret
	.section .note.GNU-stack, "", @progbits
END

# one STANDARD FILE OPTIONS
one() {
	check 0 '!warning|error' -- $CC -std=$1 $3 $include -o program "$2" b.S
	same "$* one" "$(sizes program one)" -1
	same "$* twelve" "$(sizes program twelve | sed 's/ -4 8 8$/ 4 8 8/')" "2 -2 1 -8 -4 8 -1 -4 8 4 8 8"
	same "$* five" "$(sizes program five)" "8 -4 -4 -8 -8"
	same "$* whole" "$(sizes program whole)" 8
	same "$* words" "$(sizes program words)" "-4 8"
	same "$* s2" "$(sizes program s2)" "8 -4"
	case $1 in gnu90 | gnu++98) return ;; esac
	same "$* v0" "$(sizes program v0)" ""
	same "$* v3" "$(sizes program v3)" "-4 8 8"
	same "$* v12" "$(sizes program v12)" "-4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4"
}
for level in -O0 -O2 "-O2 -fPIC -shared"; do
	for standard in gnu90 gnu99 gnu17; do one $standard a.c "$level"; done
	for standard in gnu++98 gnu++11 gnu++20; do one $standard a.cc "$level"; done
done

readelf -n program | grep -A3 'Name: raw' | grep -qxF '    Arguments: 8@%rdi -4@(%rsi)' ||
	say_wrong 'operands of an asm statement differ'
readelf -n program | grep -A3 'Name: s2' | grep -qxF '    Arguments: 8@%rdi -4@4(%rsi,%rax,8)' ||
	say_wrong 'operands of a .S file differ'
readelf -SW program | grep -q '\.stapsdt\.base .* 000001 ' || say_wrong 'no .stapsdt.base of one byte'

# The note has the address of a nop of one byte, which tracers may replace; on x86_64 one of 10 bytes comes next, in
# 64-bit programs.
code_of() {
	local location
	location=$(readelf -n "$1" | sed -nE '/ Name: none/,/Location/s/.*Location: 0x0*([0-9a-f]+),.*/\1/p')
	objdump -d "$1" | sed -n "/^ *$location:/,+2{s/^[^\t]*\t//;s/ *\t.*//;s/ *$//;p}" | paste -sd' '
}
if [ "$(uname -m)" = x86_64 ]; then
	check 0 -- $CC -O2 $include -o program a.c
	same 'a marker' "$(code_of program)" '90 66 2e 0f 1f 84 00 00 00 00 00'
	printf '#include <sys/sdt.h>\nf: STAP_PROBE1(prov, none, 4@%%edi)\n' > small.S
	check 0 -- $CC -m32 $include -c -o small.o small.S
	objdump -d small.o | grep -q nopw && say_wrong 'a 32-bit marker has a nop of 10 bytes'
fi

# Semaphores; a provider that is a macro; an inline function that two objects have.
cat > semaphores.cc <<'END'
#define _SDT_HAS_SEMAPHORES 1
#define PROVIDER prov
#include <sys/sdt.h>
extern "C" {
#ifdef MAIN
unsigned short prov_here_semaphore __attribute__((section(".probes")));
#else
extern unsigned short prov_here_semaphore;
#endif
}
__attribute__((noinline)) inline void both() { STAP_PROBE(PROVIDER, here); }
#ifdef MAIN
int other();
int main() { both(); return other(); }
#else
int other() { both(); return 0; }
#endif
END
check 0 -- $CC -x c++ -O2 $include -c -DMAIN -o one.o semaphores.cc
check 0 -- $CC -x c++ -O2 $include -c -o two.o semaphores.cc
check 0 -- $CC -o program one.o two.o
same semaphores \
	"$(readelf -n program |
	awk '/ Name:/ { print $2 } /Provider:/ { print $2 } /Semaphore:/ { print $NF == "0x0000000000000000" }' |
	paste -sd' ')" "prov here 0"
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# dtrace: headers and objects from provider files, and messages about wrong ones. A program that uses them is compiled
# and its notes are read.
. "$TOP/tests/cli/expect.inc"
dtrace=$(dirname "$STAP")/dtrace
export CC=${CC:-gcc}

cat > test.d <<'END'
#pragma D attributes Evolving/Evolving/Common provider sdt_probes provider
provider sdt_probes {
	/* two
	   lines */
	probe test_0 (int type);
	probe test_1 (struct astruct *node, void (*f)(int, char), const char *names[3]) : (int a, int b);
	probe go__home(); // no arguments
	probe nothing(void);
};
struct astruct { int a; int b; };
provider other { probe x(long); };
END
check 0 -- "$dtrace" -h -s test.d
diff - test.h <<'END' || say_wrong 'the header differs'
/* Made by dtrace -h from test.d. */

/* A file that includes sys/sdt.h before this one gets no semaphores, and need not link what dtrace -G makes. */
#ifndef _SYS_SDT_H
#ifndef _SDT_HAS_SEMAPHORES
#define _SDT_HAS_SEMAPHORES 1
#endif
#include <sys/sdt.h>
#endif

#ifdef _SDT_HAS_SEMAPHORES
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned short sdt_probes_test_0_semaphore;
extern unsigned short sdt_probes_test_1_semaphore;
extern unsigned short sdt_probes_go__home_semaphore;
extern unsigned short sdt_probes_nothing_semaphore;
extern unsigned short other_x_semaphore;
#ifdef __cplusplus
}
#endif
#define SDT_PROBES_TEST_0_ENABLED() __builtin_expect(*(volatile unsigned short *)&sdt_probes_test_0_semaphore, 0)
#define SDT_PROBES_TEST_1_ENABLED() __builtin_expect(*(volatile unsigned short *)&sdt_probes_test_1_semaphore, 0)
#define SDT_PROBES_GO_HOME_ENABLED() __builtin_expect(*(volatile unsigned short *)&sdt_probes_go__home_semaphore, 0)
#define SDT_PROBES_NOTHING_ENABLED() __builtin_expect(*(volatile unsigned short *)&sdt_probes_nothing_semaphore, 0)
#define OTHER_X_ENABLED() __builtin_expect(*(volatile unsigned short *)&other_x_semaphore, 0)
#else
#define SDT_PROBES_TEST_0_ENABLED() 1
#define SDT_PROBES_TEST_1_ENABLED() 1
#define SDT_PROBES_GO_HOME_ENABLED() 1
#define SDT_PROBES_NOTHING_ENABLED() 1
#define OTHER_X_ENABLED() 1
#endif

/* test_0(int type) */
#define SDT_PROBES_TEST_0(arg1) DTRACE_PROBE1(sdt_probes, test_0, arg1)

/* test_1(struct astruct *node, void(*f)(int, char), const char *names[3]) */
#define SDT_PROBES_TEST_1(arg1, arg2, arg3) DTRACE_PROBE3(sdt_probes, test_1, arg1, arg2, arg3)

/* go__home() */
#define SDT_PROBES_GO_HOME() DTRACE_PROBE(sdt_probes, go__home)

/* nothing(void) */
#define SDT_PROBES_NOTHING() DTRACE_PROBE(sdt_probes, nothing)

/* x(long) */
#define OTHER_X(arg1) DTRACE_PROBE1(other, x, arg1)
END

cat > program.c <<'END'
#include "test.h"
int main(int argc, char **argv)
{
	if (SDT_PROBES_TEST_0_ENABLED())
		SDT_PROBES_TEST_0(argc);
	SDT_PROBES_TEST_1(argv, main, argv);
	SDT_PROBES_GO_HOME();
	OTHER_X((long)argc);
	return 0;
}
END
cp program.c program.cc
sed '1i #include <sys/sdt.h>' program.c > without.c
compile() { check 0 '!warning' -- "$@" -Wall -Wextra -Wno-unused-value -I. -I"$TOP/include"; }
# names PROGRAM: each note's name, and whether it has a semaphore
names() {
	readelf -n "$1" | awk '/ Name: / { name = $2 } /Semaphore: / { print name, $NF != "0x0000000000000000" }' |
		paste -sd' '
}

# Objects that Makefiles name for DTrace's sake are no trouble.
check 0 '/cc.* -c -o .*/test.o .*/test.o.dtrace.c' -- "$dtrace" -G -v -s test.d program.o
compile "$CC" -O2 -o with program.c test.o
[ "$(names with)" = "test_1 1 go__home 1 x 1 test_0 1" ] || say_wrong "with semaphores: $(names with)"
check 0 -- ./with
compile "$CC" -O2 -o without without.c
[ "$(names without)" = "test_0 0 test_1 0 go__home 0 x 0" ] || say_wrong "without semaphores: $(names without)"
compile "$CC" -x c++ -c -o program.o program.cc
compile "$CC" -shared -fPIC -o lib.so program.c test.o

# Names of outputs, and what is kept.
rm -f test.o
check 0 -- "$dtrace" -k -G -s test.d -o other.o
{
	[ -e other.o ] && [ -e other.o.dtrace.c ] && [ ! -e test.o.dtrace.c ] && [ ! -e test.o ]
} || say_wrong "-k -o: $(ls)"
check 0 /EXTRA_X -- "$dtrace" --no-pyparsing -h -s <(echo 'provider extra { probe x(); };') -o /dev/stdout

# The preprocessor.
mkdir -p sub
echo 'typedef int number; extern int f(void);' > sub/types.h
printf '#include "types.h"\n#define T unsigned long\n#if N\nprovider p { probe a(T, number);\nprobe b(; };\n#endif\n' \
	> cpp.d
check 1 '/^cpp.d:5:9: error: .\). expected, not .;.$' -- "$dtrace" -C -I sub -DN=1 -h -s cpp.d
sed -i '/probe b/s/(;/();/' cpp.d
check 0 -- "$dtrace" -C -Isub -D N=1 -h -s cpp.d
grep -qF '/* a(unsigned long, number) */' cpp.h || say_wrong 'macros stay'
check 0 "/^cpp.d:1:1: warning: '#include' is ignored: option -C runs the preprocessor$" -- "$dtrace" -h -s cpp.d
check 1 '/failed with status 1$' -- "$dtrace" -C -h -s cpp.d
check 1 '/no-such-compiler' -- env CC=no-such-compiler "$dtrace" -G -s test.d

# wrong TEXT MESSAGE
wrong() {
	echo "$1" > wrong.d
	check 1 "/^wrong.d:$2" -- "$dtrace" -h -s wrong.d -o wrong.h
	[ ! -e wrong.h ] || say_wrong "a header was made of: $1"
}
wrong 'provider x { probe a(int; };' "1:25: error: '\)' expected, not ';'"
wrong 'provider x { probe a(int) };' "1:27: error: ';' expected, not '\}'"
wrong 'provider x { porbe a(int); };' "1:14: error: 'probe' or '}' expected, not 'porbe'"
wrong 'provider { };' "1:10: error: a provider's name expected, not '\{'"
wrong 'provider x { probe 3(); };' "1:20: error: a probe's name expected, not '3'"
wrong 'provider x { probe a();' "2:1: error: 'probe' or '}' expected, not the end of the file"
wrong 'provider x { probe a(); probe a(int); };' \
	"1:31: error: probe 'a' is declared a second time; the first is in line 1"
wrong 'provider x { probe a(int, int, int, int, int, int, int, int, int, int, int, int, int); };' \
	"1:20: error: probe 'a' has 13 arguments; there can be 12"
wrong 'BEGIN { exit(0); }' "1:1: error: 'provider' expected, not 'BEGIN'"
wrong 'struct x { int a; };' ' error: no provider is declared here'
wrong '/* provider x { };' ' error: no provider is declared here'
check 1 '/^none.d: No such file' -- "$dtrace" -h -s none.d
check 2 '/option -s names the provider file' -- "$dtrace" -h
check 2 '/-h makes a header, -G an object file: which\?' -- "$dtrace" -s test.d
check 2 '/-h and -G exclude each other' -- "$dtrace" -h -G -s test.d
check 2 '/^usage: ' -- "$dtrace" -Z
check 0 '/^usage: ' -- "$dtrace" --help
# What builds written for DTrace pass.
for word in -64 -32 -fpic -fPIC '-x nolibs' --types; do
	rm -f test.h
	# shellcheck disable=SC2086 # two words
	check 0 -- "$dtrace" $word -h -s test.d -o test.h
	[ -s test.h ] || say_wrong "$word: no header"
	# shellcheck disable=SC2086
	check 0 -- "$dtrace" -G $word -s test.d -o test.o
done
check 2 '/unknown option' -- "$dtrace" -65 -h -s test.d -o test.h
check 2 '/requires an argument' -- "$dtrace" -h -s test.d -x
CFLAGS='-O1 \
	-g \
' check 0 '/ -O1 -g -fPIC ' -- "$dtrace" -v -G -s test.d -o test.o
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# @var("NAME", "process"): a variable of the program of -x or -c, or else of the library of it that has the variable.
. "$TOP/tests/cli/expect.inc"

echo 'int of_library = 1; __thread int of_thread = 2; int get(void) { return of_thread; }' > lib.c
echo '#include <unistd.h>
extern int of_library;
int of_program;
int main(void) { of_program = of_library; return pause(); }' > main.c
${CC:-gcc} -shared -fPIC -o libvariables.so lib.c && ${CC:-gcc} -rdynamic -fPIE -pie -o program main.c -L. -lvariables \
	"-Wl,-rpath,$PWD" || exit
stap="$STAP -r $KERNEL -p3"

# is_of FILE VARIABLE OPTION…: the generated code names that file
is_of() {
	local file=$1 variable=$2
	shift 2
	check 0 "/\"[^\"]*/$file\"" -- $stap "$@" -e "probe timer.s(1) { println(&@var(\"$variable\", \"process\")) }"
}
is_of program of_program -c ./program
is_of 'libvariables\.so' of_thread -c ./program
./program & pid=$!
trap 'kill $pid' EXIT
until [ "$(readlink /proc/$pid/exe)" = "$PWD/program" ]; do sleep 0.01; done
is_of program of_program -x $pid
is_of 'libvariables\.so' of_thread -x $pid
check 0 '/program"' '!/bin/true"' -- \
	$stap -x $pid -e 'probe timer.s(1) { println(&@var("of_program", "process:/bin/true")) }'
check 0 '/program"' -- $stap -e 'probe timer.s(1) { println(&@var("of_program", "process:./program")) }'
check 1 '/@var\("nobody_has_it"\): ' -- \
	$stap -x $pid -e 'probe timer.s(1) { println(&@var("nobody_has_it", "process")) }'
check 1 "/@var\\(\"of_program\"\\): 'process' is the target's program; give it with -c CMD or -x PID" -- \
	$stap -e 'probe timer.s(1) { println(&@var("of_program", "process")) }'
finish

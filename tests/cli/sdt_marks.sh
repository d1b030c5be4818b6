# SPDX-License-Identifier: GPL-2.0-or-later
# process(…).mark: lists, and messages about markers and arguments that are missing or cannot be read.
. "$TOP/tests/cli/expect.inc"

cat > a.c <<'END'
#include <sys/sdt.h>
static int local;
int main(int argc, char **argv)
{
	STAP_PROBE(first, none);
	STAP_PROBE2(first, two, argc, argv);
	STAP_PROBE1(second, two, argc);
	__asm__ volatile(STAP_PROBE_ASM(first, odd, 8f@%%xmm0 8@%%fs:16 16@(%%rsp) 8@gone(%%rip) -4@%%edi)
			 : : "m"(local));
	return 0;
}
END
check 0 -- ${CC:-gcc} -I"$TOP/include" -o a a.c
echo 'int main(void) { return 0; }' > b.c
check 0 -- ${CC:-gcc} -o b b.c

# listed OPTION POINT LINES
listed() {
	"$STAP" "$1" "$2" > out 2> err
	diff <(sed "s|$PWD|HERE|g" out) - > differs || { say_wrong "$1 $2:"; cat differs; }
}
listed -L 'process("./a").mark("*")' <<'END'
process("HERE/a").mark("none")
process("HERE/a").mark("odd") $arg1:long $arg2:long $arg3:long $arg4:long $arg5:long
process("HERE/a").mark("two") $arg1:long
process("HERE/a").mark("two") $arg1:long $arg2:long
END
listed -l 'process("./a").provider("s*").mark("t?o")' <<'END'
process("HERE/a").provider("second").mark("two")
END
listed -l 'process("./b").library("./a").mark("none")' <<'END'
process("HERE/b").library("HERE/a").mark("none")
END

# says STATUS REGEX SCRIPT
says() { check "$1" "/$2" -- "$STAP" -r "$KERNEL" -p2 -e "$3"; }
says 0 'a.*\.mark\("none"\)' 'probe process("./a").mark("none") { println($$name, $$provider, $$vars, $$parms) }'
says 1 "no marker is called 'tow' in .*/a; did you mean 'two'$" 'probe process("./a").mark("tow") { }'
says 1 "no marker matches 'x\*' in .*/a by provider first$" 'probe process("./a").provider("first").mark("x*") { }'
says 1 '/b has no static markers$' 'probe process("./b").mark("*") { }'
says 1 'a marker needs a name: process\("PATH"\).mark\("NAME"\) or process\("PATH"\).provider\("NAME"\).mark\("NAME"\)$' \
	'probe process("./a").mark(1) { }'
says 1 'a marker needs a name: ' 'probe process("./a").provider("first") { }'
says 1 "nothing can follow as '.return' here" 'probe process("./a").mark("two").return { }'
says 1 "marker 'two' has no '\\\$arg3'; it has \\\$arg1 to \\\$arg2$" \
	'probe process("./a").provider("first").mark("two") { println($arg3) }'
says 1 "marker 'two' has no '\\\$argc'; it has \\\$arg1$" \
	'probe process("./a").provider("second").mark("two") { println($argc) }'
says 1 "marker 'none' has no '\\\$arg1'; it has no arguments$" 'probe process("./a").mark("none") { println($arg1) }'
number=$(cat <<'END'
'.arg1' is a number, without a type or an address: markers do not have them. @cast\(.arg1, "struct NAME"\) gives it one$
END
)
says 1 "$number" 'probe process("./a").mark("two") { println($arg1->x) }'
says 1 "$number" 'probe process("./a").mark("two") { println(&$arg1) }'
says 1 "'\\\$arg1' of marker 'odd': the operand '8f@%xmm0' is a floating-point number, which scripts have no type for$" \
	'probe process("./a").mark("odd") { println($arg1) }'
says 1 "'\\\$arg2' of marker 'odd': the operand '8@%fs:16' is in a segment of its own, which probes cannot find$" \
	'probe process("./a").mark("odd") { println($arg2) }'
says 1 "'\\\$arg4' of marker 'odd': the operand '8@gone\(%rip\)' cannot be worked out: the symbol table of .*/a has no 'gone'$" \
	'probe process("./a").mark("odd") { println($arg4) }'
says 0 'mark\("odd"\)' 'probe process("./a").mark("odd") { println($arg5, $$vars, @defined($arg1)) }'
says 1 "'\\\$\\\$provider': markers have a provider; other probes do not$" \
	'probe process("./a").function("main") { println($$provider) }'

# Offsets of code and counters that the file does not have.
damage() {
	perl -0777 -pe "$1" a > damaged
	check 3 "/$2" -- "$STAP" -r "$KERNEL" -p2 -e 'probe process("./damaged").mark("none") { }'
}
damage 's/(stapsdt\0)(.{8})(.{16}first\0none)/$1 . "\377" x 7 . "\0" . $3/se' \
	": marker 'none' is at 0x[0-9a-f]*, where there is no code"
damage 's/(stapsdt\0.{16})(.{8})(first\0none)/$1 . "\377" x 7 . "\0" . $3/se' \
	": the semaphore of marker 'none' is not in the file, at 0x"
damage 's/first\0none/fi\nst\0none/' \
	"malformed at offset 0x[0-9a-f]*: a marker's name has characters that names do not have"

# Variables of the code around a marker, where there is debuginfo.
check 0 -- ${CC:-gcc} -g -O1 -I"$TOP/include" -o described "$TOP/tests/guest/programs/user/marks_described.c"
says 0 'described.*\.mark\("epoch"\)' 'probe process("./described").mark("epoch") { println($arg1, $local, $p->y, $q$, $global, @var("hidden"), @var("global@marks_described.c"), $RED) }'
says 1 "marker 'epoch' has no '.nope'; it has .arg1, and 'work' has no variable '.nope' here$" \
	'probe process("./described").mark("epoch") { println($nope) }'
says 1 "'struct point' has no member 'z'$" 'probe process("./described").mark("epoch") { println($p->z) }'
says 1 "no variable 'globa' in .*/described; did you mean 'global'$" \
	'probe process("./described").mark("epoch") { println(@var("globa")) }'
finish

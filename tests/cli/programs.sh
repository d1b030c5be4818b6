# SPDX-License-Identifier: GPL-2.0-or-later
# Probe points in programs: what is found in them, and what is wrong with them or with their files.
. "$TOP/tests/cli/expect.inc"
[ -n "$KERNEL" ] || { echo "skipped: no kernel with headers is installed"; exit 0; }
stap="$STAP -r $KERNEL"
programs=$TOP/tests/guest/programs
gcc=${CC:-gcc}

$gcc -w -g -O0 -o full "$programs/calls.c" && $gcc -w -g0 -O2 -o bare "$programs/calls.c" && $gcc -w -g0 -O2 -s -static-pie -o naked "$programs/calls.c" &&
	$gcc -w -c -o object "$programs/calls.c" || say_wrong "cannot build the programs"

# With debuginfo: types, source positions. Without: symbols. Without those: addresses.
check 0 '/^process\("/.*/full"\)\.function\("shift"\)\.call \$p:struct point\* \$by:int \$before:int$' -- $stap -L 'process("./full").function("shift").call'
check 0 '/function\("shift"\)\.return \$p:struct point\* \$by:int \$return:int$' -- $stap -L 'process("./full").function("shift").return'
check 0 '/statement\("shift@.*/calls\.c:2[0-9]"\)' -- $stap -l 'process("./full").statement("shift@calls.c:*")'
check 0 '/function\("main"\)' '/function\("shift"\)' '/function\("depth"\)' -- $stap -l 'process("./bare").function("*")'
check 0 '/library\("/.*/libc\.so\.6"\)\.function\("malloc"\)\.exported$' -- $stap -l 'process("./bare").library("libc.so.6").function("malloc").exported'
check 0 '/library\("/.*/libc\.so\.6"\)\.function\("malloc"\)$' -- $stap -l 'process("./bare").library("/lib64/libc.so.6").function("malloc")'
check 0 '/process\("/.*/bash"\)\.function\("readline"\)' -- $stap -l 'process("bash").function("readline")'
check 0 '/process\("/.*/bare"\)\.function\("main"\)' -- $stap -c './bare' -l 'process.function("main")'

check 1 "/there is no program './nothing'" -- $stap -p2 -e 'probe process("./nothing").function("main") { }'
check 1 "/there is no program 'nothing-there' in PATH" -- $stap -p2 -e 'probe process("nothing-there").function("main") { }'
check 1 "/there is no library 'libnothing.so'; its file name or path is wanted, as libc.so.6" -- $stap -p2 -e 'probe process("./bare").library("libnothing.so").function("f") { }'
check 1 "/'process' without a name is the target's program; give it by -c CMD or -x PID, or write process\(\"PATH\"\)" -- $stap -p2 -e 'probe process.function("main") { }'
check 1 "/no function named 'shfit' in .*/bare; did you mean 'shift'" -- $stap -p2 -e 'probe process("./bare").function("shfit") { }'
check 1 "/no function matches 'no_\*' in .*/bare" -- $stap -p2 -e 'probe process("./bare").function("no_*") { }'
check 1 "/naked has no symbols and no debuginfo; install its -dbgsym package, or probe .statement\(ADDRESS\)" -- $stap -p2 -e 'probe process("./naked").function("main") { }'
check 1 "/there is no code at 0x[0-9a-f]* in .*/bare" -- $stap -p2 -e 'probe process("./bare").statement(0x7fffffff) { }'
printf 'char info[] __attribute__((section(".go.buildinfo"))) = "x"; int main() { return 0; }' > go.c && $gcc -w -o go go.c || say_wrong "cannot build go.c"
check 1 "/go is a Go program: its stacks move while functions run, and a return probe would crash it; probe the function's entry, or statements before its returns" -- $stap -p2 -e 'probe process("./go").function("main").return { }'
check 0 '/go"\).function\("main"\)' -- $stap -l 'process("./go").function("main")'
check 1 "/'.function' wants a name: process\(\"PATH\"\).function\(\"main\"\)" -- $stap -p2 -e 'probe process("./bare").function(5) { }'
check 1 "/'.statement' wants a place, \"FUNCTION@FILE:LINE\", or an address" -- $stap -p2 -e 'probe process("./bare").statement { }'
check 1 "/nothing can follow '.statement' here" -- $stap -p2 -e 'probe process("./bare").statement(5).call { }'
check 1 "/unknown part '.calls' of a function probe in a program; there are .call .exported .inline .return .return.maxactive\(N\)" -- $stap -p2 -e 'probe process("./bare").function("main").calls { }'
check 1 "/maxactive\(0\) is out of range: 1 to 65535" -- $stap -p2 -e 'probe process("./bare").function("main").return.maxactive(0) { }'
check 1 "/nothing can follow as '.call' here" -- $stap -p2 -e 'probe process("./bare").function("main").return.call { }'
check 1 "/'\\\$x': .*/bare has no debuginfo that tells of it; install its -dbgsym package, or take parameters by number: long_arg\(1\), pointer_arg\(2\)" -- $stap -p2 -e 'probe process("./bare").function("main") { println($x) }'
check 1 "/'shift' has no parameter '\\\$before'; a return probe has parameters only" -- $stap -p2 -e 'probe process("./full").function("shift").return { println($before) }'
check 1 "/'shift' has no variable '\\\$befor' here; did you mean '\\\$before'" -- $stap -p2 -e 'probe process("./full").function("shift") { println($befor) }'

# Files that are none.
echo 'echo hello' > script.sh
check 1 "/script.sh is no ELF file: a script's interpreter, or the program itself, is what can be probed" -- $stap -p2 -e 'probe process("./script.sh").function("main") { }'
check 1 "/object is neither a program nor a shared library" -- $stap -p2 -e 'probe process("./object").function("main") { }'
cp bare foreign && printf '\xb7' | dd of=foreign bs=1 seek=18 conv=notrunc 2> /dev/null
check 1 "/foreign is a program for another processor" -- $stap -p2 -e 'probe process("./foreign").function("main") { }'
objcopy --add-section .go.buildinfo=script.sh bare go
check 1 "/go is a Go program: its stacks move while functions run, and a return probe would crash it; probe the function's entry, or" -- $stap -p2 -e 'probe process("./go").function("main").return { }'
check 0 -- $stap -p2 -e 'probe process("./go").function("main") { println(1) }'

# Cut short or with bytes changed: refused or harmless.
size=$(stat -c %s full)
for at in 40 64 200 1000 $((size / 2)) $((size - 600)) $((size - 100)); do
	head -c "$at" full > damaged
	timeout 20 $stap -L 'process("./damaged").function("*")' > out 2> err
	[ $? -le 3 ] || say_wrong "cut at $at: status $?"
done
for at in $(seq 16 7 63) $(seq 70 97 $((size - 1))); do
	cp full damaged && printf '\xff\x7f' | dd of=damaged bs=1 seek="$at" conv=notrunc 2> /dev/null
	timeout 20 $stap -L 'process("./damaged").function("*")' > out 2> err
	[ $? -le 3 ] || say_wrong "changed at $at: status $?"
done
finish

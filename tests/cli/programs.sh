# SPDX-License-Identifier: GPL-2.0-or-later
# Probe points in programs: the points that are found, and errors in them or in their files.
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
programs=$TOP/tests/guest/programs
gcc=${CC:-gcc}

$gcc -w -g -O0 -o full "$programs/user/calls.c" && $gcc -w -g0 -O2 -o bare "$programs/user/calls.c" &&
	$gcc -w -g0 -O2 -s -static-pie -o naked "$programs/user/calls.c" &&
	$gcc -w -c -o object "$programs/user/calls.c" || say_wrong "cannot build the programs"

# With debuginfo: types, source positions. Without: symbols. Without those: addresses.
check 0 '/^process\("/.*/full"\)\.function\("shift@.*/calls\.c:[0-9]+"\)\.call \$p:struct point\* \$by:int \$before:int$' \
	-- $stap -L 'process("./full").function("shift").call'
check 0 '/function\("shift@.*"\)\.return \$p:struct point\* \$by:int \$return:int$' \
	-- $stap -L 'process("./full").function("shift").return'
check 0 '/statement\("shift@.*/calls\.c:2[0-9]"\)' -- $stap -l 'process("./full").statement("shift@calls.c:*")'
check 0 '/function\("main"\)' '/function\("shift"\)' '/function\("depth"\)' \
	-- $stap -l 'process("./bare").function("*")'
check 0 '/library\("/.*/libc\.so\.6"\)\.function\("malloc"\)\.exported$' \
	-- $stap -l 'process("./bare").library("libc.so.6").function("malloc").exported'
check 0 '/library\("/.*/libc\.so\.6"\)\.function\("malloc"\)$' \
	-- $stap -l 'process("./bare").library("/lib64/libc.so.6").function("malloc")'
check 0 '/process\("/.*/bash"\)\.function\("readline"\)' -- $stap -l 'process("bash").function("readline")'
check 0 '/process\("/.*/bare"\)\.function\("main"\)' -- $stap -c './bare' -l 'process.function("main")'

# With -v their addresses.
address=$(nm full | sed -n 's/^0*\([0-9a-f]*\) [tT] shift$/\1/p')
check 0 "/^process.*function..shift@[^ ]*\\.return /\\* pc=\\.dynamic\\+0x$address \\*/ .p:struct point" \
	-- $stap -v -L 'process("./full").function("shift").return'
check 0 '/^process.*function..shift.. /\* pc=\.dynamic\+0x[0-9a-f]+ \*/' \
	-- $stap -v -L 'process("./bare").function("shift")'
$gcc -w -g -O0 -no-pie -o fixed "$programs/user/calls.c" || say_wrong "cannot build a program"
check 0 '/^process.*function..shift@.* /\* pc=\.absolute\+0x40[0-9a-f]+ \*/' \
	-- $stap -v -L 'process("./fixed").function("shift")'
check 0 '!pc=' -- $stap -v -l 'process("./fixed").function("shift")'

# Plugins: libraries that a program is not linked with.
mkdir -p plugins
echo 'int ping(int n) { return n + 1; }' > plugin.c
for number in 1 2; do
	$gcc -g -O1 -shared -fPIC -o plugins/libplugin$number.so plugin.c || say_wrong "cannot build a plugin"
done
for name in "$PWD/plugins/libplug*.so" './plugins/lib*.so'; do
	check 0 '/libplugin1\.so"\)\.function\("ping@.*"\)$' '/libplugin2\.so"\)\.function\("ping@.*"\)$' \
		-- $stap -l "process(\"./bare\").library(\"$name\").function(\"ping\")"
done
for name in 'libplugin2.so' 'libplugin2*'; do
	LD_LIBRARY_PATH=/nowhere:$PWD/plugins check 0 '/libplugin2\.so"\)\.function\("ping@.*"\)$' \
		-- $stap -l "process(\"./bare\").library(\"$name\").function(\"ping\")"
	(cd plugins && check 0 '/libplugin2\.so"\)\.function\("ping@.*"\)$' \
		-- $stap -l "process(\"../bare\").library(\"$name\").function(\"ping\")")
done
check 1 "/bare uses no library that matches 'libplugin3\*', nor is there such a file where it would load one from" \
	-- $stap -p2 -e 'probe process("./bare").library("libplugin3*").function("ping") { }'

# A library of one's own that has the name of one that glibc has joined with libc: by its path, and of its program.
mkdir -p joined
for name in libdl.so libpthread.so.0 librt.so.1 libc.so; do
	$gcc -g -O1 -shared -fPIC -Wl,-soname,$name -o joined/$name plugin.c || say_wrong "cannot build $name"
	check 0 "/^process\\(\"/.*/joined/${name//./\\.}\"\\)\.function\\(\"ping@" "!' here\$" \
		-- $stap -l "process(\"joined/$name\").function(\"ping\")"
done
echo 'int ping(int); int main(void) { return ping(1) == 2; }' > pings.c
$gcc -g -o pings pings.c joined/libdl.so joined/libc.so -Wl,-rpath,"\$ORIGIN/joined" ||
	say_wrong "cannot build a program"
for name in libdl.so "$PWD/joined/librt.so.1" 'libdl*'; do
	check 0 '/library\("/.*/joined/lib(dl|rt)\.so[.1]*"\)\.function\("ping@' "!' here\$" \
		-- $stap -l "process(\"./pings\").library(\"$name\").function(\"ping\")"
done
check 0 '/joined/libdl\.so"\)\.function\("ping@' "!' here\$" \
	-- $stap -l "process(\"$PWD/joined/libd*.so\").function(\"ping\")"
# The files that glibc leaves have no functions, and old names of theirs are no files.
pthread=$(ldconfig -p | awk '/x86-64|AArch64/ && $1 == "libpthread.so.0" { print $NF; exit }')
for name in ${pthread:+"$pthread"} /lib64/libpthread-2.12.so libpthread.so.0; do
	check 0 '/^process\("/.*/libc\.so\.6"\)\.function\("pthread_create' \
		-- $stap -l "process(\"$name\").function(\"pthread_create\")"
	check 0 '/library\("/.*/libc\.so\.6"\)\.function\("pthread_create' \
		-- $stap -l "process(\"./bare\").library(\"$name\").function(\"pthread_create\")"
done

# A global symbol of the program or of the kernel is what .exported means.
cat > globals.c <<-'END'
	__attribute__((noinline)) int seen(int n) { return n + 1; }
	static __attribute__((noinline)) int unseen(int n) { __asm__ volatile(""); return n + 2; }
	int main(int n, char **v) { return seen(n) + unseen(n); }
END
for options in -g -g0; do
	$gcc -w $options -O1 -o globals globals.c || say_wrong "cannot build globals"
	check 1 "/no (exported )?function .*'unseen'" \
		-- $stap -p2 -e 'probe process("./globals").function("unseen").exported { }'
	check 0 '/function\("seen.*exported$' '/function\("main.*exported$' '!unseen' \
		-- $stap -l 'process("./globals").function("*").exported'
done
check 0 '/^kernel\.function\("vfs_read"\)\.exported$' -- $stap -l 'kernel.function("vfs_read").exported'
check 0 '/^kernel\.function\("vfs_fsync"\)\.exported$' '!do_iter_read' -- $stap -l 'kernel.function("*").exported'

# A line of another version: the function is meant.
check 0 '/"shift@.*calls\.c:[0-9]+"\)\.return$' -- $stap -l 'process("./full").function("shift@calls.c:1").return'
check 0 "/note: 'shift@calls.c:9999': the function has no code at that line; it is probed all the same" \
	-- $stap -p2 -e 'probe process("./full").function("shift@calls.c:9999") { println(1) }'
check 1 "/'shift@calls.c:9999': no code belongs to that line; the nearest that has some: [0-9]+" \
	-- $stap -p2 -e 'probe process("./full").statement("shift@calls.c:9999") { println(1) }'

# What only symbols name, beside what debuginfo does; numbers in registers that no probe can read are listed as well.
cat > asm.c <<-'END'
	asm(".globl by_hand\n.type by_hand,@function\nby_hand: ret\n.size by_hand,.-by_hand");
	double half(double d, float f, int k) { return d / 2 + f + k; }
	int main(void) { return half(1, 2, 3) > 4; }
END
$gcc -w -g -O1 -o asm asm.c || say_wrong "cannot build asm.c"
check 0 '/function\("_start"\)$' '/function\("by_hand"\)$' \
	'/function\("half@.*/asm\.c:2"\) \$d:double \$f:float \$k:int$' '/function\("main@.*/asm\.c:3"\)$' -- $stap \
	-L 'process("./asm").function("*")'
check 0 '/function\("by_hand"\)\.call$' '!half' -- $stap -l 'process("./asm").function("b*").call'
check 1 "/'_start' is not called as functions are: it has no return that could be probed; probe its entry" \
	-- $stap -p2 -e 'probe process("./asm").function("_start").return { }'
check 0 '/function\("by_hand"\)\.return$' '/function\("_init"\)\.return$' '/function\("main@.*"\)\.return$' '!_start' \
	-- $stap -l 'process("./asm").function("*").return'
check 0 '!by_hand' -- $stap -l 'process("./asm").function("*@asm.c")'
case $(uname -m) in
x86_64)
	check 0 -- $stap -p3 -e 'probe process("./asm").function("half") { println(fp_to_string($d, 3), $$parms) }'
	check 1 "/'\\\$d' cannot be written: it is neither in memory nor in a register here" \
		-- $stap -g -p2 -e 'probe process("./asm").function("half") { $d = 1 }'
	;;
*)
	check 1 "/'\\\$d' of 'half' at .*: it is in a register that probes cannot read \(floating point or vector\)" \
		-- $stap -p2 -e 'probe process("./asm").function("half") { println($d) }'
	;;
esac

# What no memory holds has elements all the same, by plain numbers.
$gcc -w -g -O2 -fno-ipa-sra -o passed "$programs/user/passed.c" || say_wrong "cannot build passed.c"
point='process("./passed").statement("scatters@passed.c:56")'
check 0 -- $stap -p3 -e "probe $point { println(\$name[1], \$name\$, \$q->text[0]) }"
check 1 "/the array ends before element 9, and so do the registers that hold it" \
	-- $stap -p2 -e "probe $point { println(\$name[9]) }"
check 1 "/an array held in registers has no memory: its elements are named by plain numbers, \[0\], or printed whole, with '\\$'" \
	-- $stap -p2 -e "probe $point { println(\$name[\$a]) }"
check 1 "/this is held in a register: it has no address; '&' needs a member or element, '\\$' at the end prints it whole" \
	-- $stap -p2 -e "probe $point { println(\$name) }"

# A copy and the line that calls it begin at the same address: the line is the caller's, though the copy's function
# stands above it in the file.
cat > beside.c <<-'END'
	int table[9], sink;
	static inline __attribute__((always_inline)) int checked(int k)
	{
		return sink ? -k : k;
	}
	__attribute__((noinline)) int caller(int k)
	{
		k = checked(k);
		return k < 0 ? k : table[k];
	}
	int main(int n, char **v) { return caller(n); }
END
$gcc -w -g -O2 -o beside beside.c || say_wrong "cannot build beside.c"
check 0 '/"caller@.*/beside\.c:8"' '!checked' -- $stap -l 'process("./beside").statement("*@beside.c:8")'
check 0 '/"checked@.*/beside\.c:4"' '!caller' -- $stap -l 'process("./beside").statement("*@beside.c:4")'

# Lines that the compiler took apart: no statement begins there, but code is left of them. A pattern has them where no
# other line begins.
printf '#include <stdio.h>\nint f(int a)\n{\n\tint b = a + 1;\n\tif (b > 3)\n\t\tb *= 2;\n\treturn b;\n}\nint main(int argc, char **argv)\n{\n\tprintf("%%d\\n", f(argc));\n\treturn 0;\n}\n' \
	> apart.c
$gcc -g -O2 -fno-inline -o apart apart.c || say_wrong "cannot build apart.c"
for line in 6 8; do
	check 0 "/statement\(\"f@.*/apart\.c:$line\"\)" \
		-- $stap -l "process(\"./apart\").statement(\"f@apart.c:$line\")"
done
check 0 "/apart\.c:8\"" "!apart\.c:6\"" -- $stap -l 'process("./apart").statement("f@apart.c:*")'

# Watched memory of processes: by address, and by name where the program is always at the same place.
printf 'int watched[2] = { 1, 2 };\nstatic __thread int apart;\nint main() { return watched[0] + apart; }\n' > watchpoint.c
$gcc -w -g -no-pie -o watched watchpoint.c && $gcc -w -g -pie -fPIE -o moving watchpoint.c ||
	say_wrong "cannot build watchpoint.c"
check 0 "/\\.address = UINT64_C\\($((0x$(nm watched |
	sed -n 's/^0*\([0-9a-f]*\) D watched$/\1/p')))\\), \\.is_user = true" -- $stap -c ./watched -p3 \
	-e 'probe process.data("watched").write { println(pp()) }'
check 0 '/\.length = 4,' -- $stap -c ./watched -p3 -e 'probe process.data("watched").length(4).write { println(pp()) }'
check 0 '/^process\.data\("watched"\)\.length\(3\)\.rw$' -- $stap -c ./watched -l 'process.data("watched").length(3).rw'
check 0 '/^process\.data\(0x404040\)\.length\(4\)\.rw$' -- $stap -l 'process.data(0x404040).length(4).rw'
check 1 "/moving is loaded at a different address each time: watch its variables by their address in a process, process.data\(0x7f0123456789\) with -x PID" \
	-- $stap -c ./moving -p2 -e 'probe process.data("watched").write { println(1) }'
check 1 "/'apart' is thread-local: each thread has its own, at its own address" \
	-- $stap -c ./watched -p2 -e 'probe process.data("apart").write { println(1) }'
check 1 "/'process.data\(.*\).write' is not for --privilege=stapusr" \
	-- $stap --privilege=stapusr -p2 -e 'probe process.data(0x404040).write { println(1) }'

# Variables of programs from elsewhere: what is not in the file, or not a file.
check 0 -- $stap -p3 -e 'probe timer.s(1) { println(@var("out", "./full")) }'
check 1 "/@var\(\"outt\"\): no variable 'outt' in .*/full; did you mean 'out'" \
	-- $stap -p2 -e 'probe syscall.getppid { println(@var("outt", "./full")) }'
check 1 "/@var\(\"out\"\): there is no program './nothing'" \
	-- $stap -p2 -e 'probe timer.s(1) { println(@var("out", "./nothing")) }'

check 1 "/@var\(\"out\"\): there is no program './nothing'" \
	-- $stap -p2 -e 'probe timer.s(1) { println(@var("out", "./nothing:./nothing-else")) }'
# Of a list of programs the first that has it, of several files that match the first; what is nowhere has a value all
# the same.
printf 'static int same = 2; static const long value = 1234567890123; int first() { return same++ + (int)value; }\n' \
	> units1.c
printf 'static int same = 3; int first(); int main() { return same++ + first(); }\n' > units2.c
$gcc -w -g -O1 -o 'uni=ts' units1.c units2.c || say_wrong "cannot build uni=ts"
check 0 \
	-- $stap -p3 \
	-e 'probe timer.s(1) { println(@var("out", "./nothing:./full"), @var("same@units?.c", "./full:./uni=ts"), @var("value", "./uni=ts")) }'
check 0 -- $stap -p2 -e 'probe timer.s(1) { println(@var("same", "./uni=ts")) }'
$gcc -w -g -O1 -no-pie -o still units1.c units2.c || say_wrong "cannot build still"
check 1 "/'value' is a constant that the compiler has put where it is used: it has no address" \
	-- $stap -c ./still -p2 -e 'probe process.data("value").write { println(1) }'

# A program that PATH does not have is one of this directory; "a=b" is a variable of its environment, "./a=b" a program.
check 0 "/process\(\"$PWD/full\"\)" -- $stap -p2 -e 'probe process("full").function("main") { println(1) }'
check 0 "/process\(\"$PWD/uni=ts\"\)" -- $stap -c './uni=ts 1' -p2 -e 'probe process.function("main") { println(1) }'
check 0 "/process\(\"$PWD/full\"\)" -- $stap -c 'uni=ts ./full' -p2 -e 'probe process.function("main") { println(1) }'
check 1 "/'process' without a name is the target's program" \
	-- $stap -c 'true; ./full' -p2 -e 'probe process.function("main") { println(1) }'
check 1 "/there is no program './nothing'" -- $stap -p2 -e 'probe process("./nothing").function("main") { }'
check 1 "/there is no program 'nothing-there' in PATH" \
	-- $stap -p2 -e 'probe process("nothing-there").function("main") { }'
check 1 "/there is no library 'libnothing.so'; give its file name or path, as in libc.so.6" \
	-- $stap -p2 -e 'probe process("./bare").library("libnothing.so").function("f") { }'
check 1 "/'process' without a name is the target's program; give it with -c CMD or -x PID, or write process\(\"PATH\"\)" \
	-- $stap -p2 -e 'probe process.function("main") { }'
check 1 "/no function named 'shfit' in .*/bare; did you mean 'shift'" \
	-- $stap -p2 -e 'probe process("./bare").function("shfit") { }'
check 1 "/no function matches 'no_\*' in .*/bare" -- $stap -p2 -e 'probe process("./bare").function("no_*") { }'
check 1 "/naked has no symbols and no debuginfo; install its -dbgsym package, or probe .statement\(ADDRESS\)" \
	-- $stap -p2 -e 'probe process("./naked").function("main") { }'
check 1 "/there is no code at 0x[0-9a-f]* in .*/bare" \
	-- $stap -p2 -e 'probe process("./bare").statement(0x7fffffff) { }'
printf 'char info[] __attribute__((section(".go.buildinfo"))) = "x"; int ends() { for (;;) ; } int work(int c) { return c; } int main(int c) { return work(c); }' > go.c &&
	$gcc -w -o go go.c || say_wrong "cannot build go.c"
check 0 -- $stap -p2 -e 'probe process("./go").function("work").return { println($return) }'
case $(uname -m) in x86_64)
	check 1 "/go is a Go program: its stacks move while functions run, so that returns are probed at the instructions that return, and not all of 'ends' are known: it has no instruction that returns; probe its entry, or statements before its returns" \
		-- $stap -p2 -e 'probe process("./go").function("ends").return { }'
	check 1 "/'\\\$c': a return probe in a program of Go has values of the entry only where optimised code of Go 1.17 or later has debuginfo; keep them in a probe of the entry, by @goid|no debuginfo" \
		-- $stap -p2 -e 'probe process("./go").function("work").return { println($c) }'
	check 1 "/@entry: a return probe in a program of Go has values of the entry only where" \
		-- $stap -p2 -e 'probe process("./go").function("work").return { println(@entry(1)) }'
	check 1 "/'int_arg\(\)' at a return: a return probe in a program of Go has values of the entry only where" \
		-- $stap -p2 -e 'probe process("./go").function("work").return { println(int_arg(1)) }'
	;;
esac
check 0 '/go"\).function\("main"\)' -- $stap -l 'process("./go").function("main")'
# Programs that switch stacks: warned of where a return is probed, also when a library does, or the program that a
# library is probed for.
printf '#include <ucontext.h>\nint work(void) { ucontext_t c; return getcontext(&c) || swapcontext(&c, &c); }\nint main() { return work(); }' \
	> coro.c
$gcc -w -o coro coro.c && $gcc -w -static -o coro_static coro.c && $gcc -w -shared -fPIC -o libcoro.so coro.c &&
	printf 'int work(void); int main() { return work(); }' > user.c &&
	$gcc -w -o coro_user user.c -L. -lcoro -Wl,-rpath,"$PWD" || say_wrong "cannot build coro.c"
switching=" uses (swapcontext|setcontext|makecontext): if it switches to another stack within a call, the kernel loses the place of the return probe, and the program is killed \(SIGILL\); probe the function's entry, or statements before its returns"
check 0 "/warning: .*/coro$switching" -- $stap -p2 -e 'probe process("./coro").function("work").return { println(1) }'
check 0 "/warning: .*/coro_static$switching" \
	-- $stap -p2 -e 'probe process("./coro_static").function("work").return { println(1) }'
check 0 "/warning: .*/libcoro.so$switching" \
	-- $stap -p2 -e 'probe process("./coro_user").library("libcoro.so").function("work").return { println(1) }'
check 0 "/warning: .*/coro$switching" \
	-- $stap -p2 -e 'probe process("./coro").library("libc.so.6").function("getpid").return { println(1) }'
for point in 'process("./coro").function("work")' 'process("./bare").function("main").return' \
	'process("./bare").library("libc.so.6").function("getpid").return'; do
	! $stap -p2 -e "probe $point { println(1) }" 2>&1 | grep 'another stack' || say_wrong "$point: warned of"
done
check 1 "/'.function' needs a name: process\(\"PATH\"\).function\(\"main\"\)" \
	-- $stap -p2 -e 'probe process("./bare").function(5).inline { }'
shift=$(nm full | sed -n 's/^0*\([0-9a-f]*\) [Tt] shift$/0x\1/p')
check 0 "/process\\(\".*/full\"\\)\\.function\\($shift\\)\\.return .*\\\$by:int.* \\\$return:int\$" \
	-- $stap -L "process(\"./full\").function($((shift + 9))).return"
check 0 "/full\"\\)\\.function\\(0x[0-9a-f]+\\)\$" -- $stap -l "process(\"./full\").function($((shift + 9)))"
check 1 "/no function of .*/full is at address 0x5" -- $stap -p2 -e 'probe process("./full").function(5) { }'
check 1 "/'.statement' needs a place, \"FUNCTION@FILE:LINE\", or an address" \
	-- $stap -p2 -e 'probe process("./bare").statement { }'
check 1 "/unknown part '.call' of a statement probe; there are .nearest and .absolute" \
	-- $stap -p2 -e 'probe process("./bare").statement(5).call { }'
check 1 "/unknown part '.calls' of a function probe; there are .call .exported .inline .return .return.maxactive\(N\) .label\(\"l\"\) .callee\(\"g\"\) .callees\(N\) .nearest" \
	-- $stap -p2 -e 'probe process("./bare").function("main").calls { }'
check 1 "/maxactive\(0\) is out of range: 1 to 65535" \
	-- $stap -p2 -e 'probe process("./bare").function("main").return.maxactive(0) { }'
check 1 "/nothing can follow as '.call' here" -- $stap -p2 -e 'probe process("./bare").function("main").return.call { }'
check 1 "/'\\\$x': .*/bare has no debuginfo that describes it; install its -dbgsym package, or use parameters by number: long_arg\(1\), pointer_arg\(2\)" \
	-- $stap -p2 -e 'probe process("./bare").function("main") { println($x) }'
check 1 "/'shift' has no parameter '\\\$before'; a return probe has parameters only" \
	-- $stap -p2 -e 'probe process("./full").function("shift").return { println($before) }'
check 1 "/'shift' has no variable '\\\$befor' here; did you mean '\\\$before'" \
	-- $stap -p2 -e 'probe process("./full").function("shift") { println($befor) }'

# Absolute addresses: of what is always loaded at one place, or of a process.
$gcc -w -g0 -O1 -no-pie -o fixed "$programs/user/calls.c" &&
	$gcc -w $(sed -n 's|^// cflags: ||p' "$programs/user/ticks.c") -o ticks "$programs/user/ticks.c" ||
	say_wrong "cannot build fixed programs"
at=0x$(nm fixed | sed -n 's/^0*\(.*\) T shift$/\1/p')
check 0 "/^process\\(\".*/fixed\"\\)\\.statement\\($at\\)\\.absolute$" \
	-- $stap -l "process(\"./fixed\").statement($at).absolute"
check 1 "/there is no code at 0x10 in .*/fixed" -- $stap -p2 -e 'probe process("./fixed").statement(0x10).absolute { }'
check 1 "/bare is loaded at a different address each time: an absolute address belongs to a process, process\(PID\).statement\(0x1000\).absolute; without '.absolute' it is that in the file" \
	-- $stap -p2 -e 'probe process("./bare").statement(0x1000).absolute { }'
check 1 "/'.absolute' belongs to an address in a process: process\(PID\).statement\(0x7f0123456789\).absolute" \
	-- $stap -p2 -e 'probe process("./fixed").statement("main@calls.c:5").absolute { }'
./ticks & ticking=$!
wait_until has /proc/$ticking/maps /ticks # before that it is the shell, with a libc elsewhere
wait_until has /proc/$ticking/maps libc.so
at=0x$(sed -n 's/-.* r-xp .*libc.so.6$//p' /proc/$ticking/maps)
# Its first bytes are the slots', which have more than a return address on the stack.
check 1 "/'$at' is not called as functions are: it has no return that could be probed; probe its entry" \
	-- $stap -p2 -e "probe process($ticking).statement($at).absolute.return { }"
libc=$(sed -n 's/.* r-xp .* \(\/.*libc.so.6\)$/\1/p' /proc/$ticking/maps)
mapped=0x$(sed -n 's/.* r-xp 0*\([0-9a-f]*\) .*libc.so.6$/\1/p' /proc/$ticking/maps)
usleep=0x$(nm -D "$libc" | sed -n 's/^\([0-9a-f]*\) . usleep@.*/\1/p')
sleeps=$(printf '%#x' $((at - mapped + usleep)))
check 0 "/^process\\(\".*/ticks\"\\)\\.statement\\($sleeps\\)\\.absolute\\.return \\\$return:long$" \
	-- $stap -L "process($ticking).statement($sleeps).absolute.return"
check 0 "/libc.so.6\", .*\\.offset = 0x$(sed -n 's/.* r-xp 0*\([0-9a-f]*\) .*libc.so.6$/\1/p' /proc/$ticking/maps), \\.program = \".*/ticks\"" \
	-- $stap -x $ticking -p3 -e "probe process.statement($at).absolute { println(1) }"
check 1 "/process $ticking has no code of a file at 0x10" \
	-- $stap -p2 -e "probe process($ticking).statement(0x10).absolute { }"
kill $ticking

# Inside functions: callees, labels, slots.
$gcc -w -g -O2 -fno-ipa-cp -fno-ipa-ra -o inside "$programs/user/inside.c" &&
	$gcc -w -g -O0 -o plain "$programs/user/inside.c" &&
	$gcc -w -O2 -fcf-protection -Wl,-z,ibtplt,-z,now -o ibt "$programs/user/inside.c" ||
	say_wrong "cannot build inside.c"
check 0 '/function\("outer@.*/inside\.c:[0-9]+"\)\.callee\("middle@.*/inside\.c:[0-9]+"\) \$n:int$' \
	'/function\("outer@.*\.callee\("leaf@.*"\) \$n:int$' '/\.callee\("small@.*"\) \$n:int$' -- $stap \
	-L 'process("./inside").function("outer").callees'
check 0 '/function\("middle@.*\.callee\("leaf@.*"\)$' -- $stap -l 'process("./inside").function("outer").callees(2)'
check 0 '/\.callee\("middle@.*"\)\.return \$n:int \$return:int$' \
	-- $stap -L 'process("./inside").function("outer").callee("middle").return'
check 0 '/function\("outer@.*"\)\.label\("big"\) \$n:int \$sum:int$' \
	-- $stap -L 'process("./inside").function("outer").label("*")'
check 0 '/plt\("getpid"\)$' '/plt\("(__isoc23_)?strtol"\)$' '/plt\("write"\)$' -- $stap -l 'process("./inside").plt'
check 0 '/plt\("getpid"\)$' '/plt\("(__isoc23_)?strtol"\)$' '/plt\("write"\)$' -- $stap -l 'process("./ibt").plt("*")'
check 0 '!__cxa_finalize' -- $stap -l 'process("./inside").plt("*")'
check 0 '/plt\("__cxa_finalize"\)$' -- $stap -l 'process("./inside").plt("__cxa_finalize")'
check 0 '/plt\("getpid"\)\.return \$return:long$' -- $stap -L 'process("./inside").plt("getpid").return'
check 0 '/library\(".*/libtinfo.*"\)\.plt\("malloc"\)$' \
	-- $stap -l 'process("/bin/bash").library("libtinfo.so*").plt("malloc")'
check 1 "/'outer' calls no function 'main' that is known when it is linked" \
	-- $stap -p2 -e 'probe process("./inside").function("outer").callee("main") { }'
check 1 "/'outer' calls no function 'leaf': its debuginfo describes no calls; it does for optimised code \(-O1 and above\)" \
	-- $stap -p2 -e 'probe process("./plain").function("outer").callee("leaf") { }'
check 1 "/'outer' has no label 'none' with code" \
	-- $stap -p2 -e 'probe process("./inside").function("outer").label("none") { }'
check 1 "/'middle' has no parameter '\\\$sum'; a return probe has parameters only" \
	-- $stap -p2 -e 'probe process("./plain").function("middle").return { println($sum) }'
check 1 "/inside has no slot for 'getpids'; did you mean 'getpid'" \
	-- $stap -p2 -e 'probe process("./inside").plt("getpids") { }'
# Headers of the C library have calls made to other functions: __isoc99_sscanf, __isoc23_strtol, __printf_chk.
printf '%s\n' '#include <stdio.h>' \
	'int main(int c, char **v) { printf("%d", c); return sscanf(v[0], "%d", &c); }' > scans.c
$gcc -w -O2 -D_FORTIFY_SOURCE=2 -o scans scans.c || say_wrong "cannot build scans.c"
check 1 "/scans has no slot for 'printf': the C library's headers make it '__printf_chk'; probe .plt\(\"__printf_chk\"\)" \
	-- $stap -p2 -e 'probe process("./scans").plt("printf") { }'
check 1 "/has no slot for 'sscanf': the C library's headers make it '__isoc[0-9]+_sscanf'; " \
	-- $stap -p2 -e 'probe process("./scans").plt("sscanf") { }'
check 1 "/naked makes no calls through slots: it is linked statically, or compiled with -fno-plt" \
	-- $stap -p2 -e 'probe process("./naked").plt { }'
check 1 "/'.plt' needs the name of a function in a library: process\(\"PATH\"\).plt\(\"malloc\"\)" \
	-- $stap -p2 -e 'probe process("./inside").plt(3) { }'
check 1 "/unknown part '.call' of a slot probe; there is .return" \
	-- $stap -p2 -e 'probe process("./inside").plt("getpid").call { }'
check 1 "/'\\\$x': a slot does not describe the function's variables; use parameters by number: long_arg\(1\), pointer_arg\(2\)" \
	-- $stap -p2 -e 'probe process("./inside").plt("getpid") { println($x) }'

# Behind landing pads where that is cheaper, and no jump leads there.
if ! $gcc -fcf-protection -x c -c -o /dev/null - <<< 'int x;' 2> /dev/null; then
	echo "programs.sh: the compiler makes no landing pads"
else
	$gcc -g -O2 -fcf-protection -o pads "$programs/user/pads.c" &&
		$gcc -O2 -s -rdynamic -fcf-protection -o pads_bare "$programs/user/pads.c" ||
		say_wrong "cannot build pads.c"
	# stands PROGRAM POINT PLACE: PLACE is NAME or NAME+BYTES
	stands() {
		local address
		address=$(nm -D pads_bare | sed -n "s/^0*\([0-9a-f]*\) T ${3%+*}$/\1/p")
		[ "$1" = pads_bare ] || address=$(nm "$1" | sed -n "s/^0*\([0-9a-f]*\) [Tt] ${3%+*}$/\1/p")
		address=$(printf '%x' $((0x$address + ${3#"${3%+*}"})))
		check 0 "/ /\* pc=\.dynamic\+0x$address \*/" -- $stap -v -L "process(\"./$1\").$2"
	}
	for program in pads pads_bare; do
		for name in pushes padded patchable calls nops compiled; do
			stands $program "function(\"$name\")" $name+4
			stands $program "function(\"$name\").return" $name+4
		done
		for name in loops loops_far subtracts; do stands $program "function(\"$name\")" $name+0; done
	done
	$gcc -g -O0 -fcf-protection -o pads_plain "$programs/user/pads.c" || say_wrong "cannot build pads.c"
	stands pads_plain 'function("unoptimised").return' unoptimised+4
	stands pads 'function("main").callee("compiled")' compiled+4
	stands pads 'statement("compiled@pads.c")' compiled+0
	at=0x$(nm pads | sed -n 's/^0*\([0-9a-f]*\) T compiled$/\1/p')
	stands pads "statement($at)" compiled+0
	stands pads "function($((at + 6)))" compiled+4
	check 0 "/function\\($at\\) /" -- $stap -v -L "process(\"./pads\").function($((at + 6)))"
fi

# One of several is chosen when the program is loaded.
for how in '-O1' '-O0 -no-pie' '-O1 -static'; do
	$gcc -w -g $how -fno-builtin -o chosen "$programs/user/chosen.c" || say_wrong "cannot build chosen.c"
	check 0 '/function\("by_hand@.*/chosen\.c:[0-9]+"\)\.return \$n:int \$return:int$' '/function\("by_table@' \
		-- $stap -L 'process("./chosen").function("work").return'
done
$gcc -w -g0 -O2 -fno-builtin -s -rdynamic -o chosen "$programs/user/chosen.c"
check 0 '/function\("work"\)\.return \$return:long$' -- $stap -L 'process("./chosen").function("work").return'
printf 'static void a(void) {} void *list[] = { a }; void *choose(void) { return list[0]; } void work(void) __attribute__((ifunc("choose"))); int main(void) { work(); }' \
	> list.c &&
	$gcc -w -o list list.c
check 1 "/'work' has several versions, of which one is chosen when the program is loaded, but they are not known; probe its calls: .plt\(\"work\"\) of the programs that call it" \
	-- $stap -p2 -e 'probe process("./list").function("work") { }'
check 0 '/function\("__strlen_sse2@|function\("strlen"\)$' \
	-- $stap -l 'process("./bare").library("libc.so.6").function("strlen")'
check 1 "/'time' is in the vdso, code of the kernel that is not in a file and cannot be probed; probe its calls: .plt\(\"time\"\) of the programs that call it" \
	-- $stap -p2 -e 'probe process("./bare").library("libc.so.6").function("time") { }'

# Pieces of bits; what only the entry knows; what stands in no line.
$gcc -w $(sed -n 's|^// cflags: ||p' "$programs/user/pieces.c") -o pieces "$programs/user/pieces.c" ||
	say_wrong "cannot build pieces.c"
check 0 '/function\("spread"\) \$bits:unsigned int \$wide:long unsigned int \$mixed:unsigned int \$gone:unsigned int \$entered:long unsigned int$' \
	-- $stap -L 'process("./pieces").function("spread")'
inside=$((0x$(nm pieces | sed -n 's/ t inside$//p')))
check 0 '/statement\(0x[0-9a-f]+\) \$bits:unsigned int \$wide:long unsigned int \$mixed:unsigned int \$gone:unsigned int$' \
	-- $stap -L "process(\"./pieces\").statement($inside)"
check 1 "/'\\\$entered' of 'spread' at 0x[0-9a-f]*: only its value at the entry of 'spread' is known here, which is lost; save it there, by thread, as in: probe ….function\(\"spread\"\).call \{ kept\[tid\(\)\] = \\\$… \}" \
	-- $stap -p2 -e "probe process(\"./pieces\").statement($inside) { println(\$entered) }"
check 1 "/this part of '\\\$gone' is optimised out here" \
	-- $stap -p2 -e 'probe process("./pieces").function("spread") { println($gone) }'
check 1 "/'\\\$endless' of 'spread' at 0x[0-9a-f]*: its location is malformed: a piece out of range" \
	-- $stap -p2 -e 'probe process("./pieces").function("spread") { println($endless) }'
check 1 "/'\\\$nothing' of 'spread' at 0x[0-9a-f]*: its location is malformed: a piece out of range" \
	-- $stap -p2 -e 'probe process("./pieces").function("spread") { println($nothing) }'

# A variable that is not there: at which lines it is.
cat > livelines.c <<'END'
volatile int sink;
__attribute__((noinline)) int keep(int n) { sink = n; return n; }
__attribute__((noinline)) int work(int a, int b)
{
	int first = a * 3;
	keep(first);
	int second = b + 5;
	keep(second);
	if (second > 3) {
		int inner = second * b;
		keep(inner);
		keep(inner + 1);
	}
	keep(7);
	return 1;
}
int main(int argc, char **argv) { return work(argc, 2); }
END
$gcc -w -g -O2 -o lives livelines.c || say_wrong "cannot build livelines.c"
for name in first second; do # as -L says it line by line
	lines=$($stap -L 'process("./lives").statement("work@livelines.c:*")' | grep "\\\$$name:" |
		sed 's/.*livelines.c:\([0-9]*\)").*/\1/')
	away=$($stap -L 'process("./lives").statement("work@livelines.c:*")' | grep -v "\\\$$name:" |
		sed 's/.*livelines.c:\([0-9]*\)").*/\1/' | tail -n 1)
	[ -n "$lines" ] && [ -n "$away" ] || { say_wrong "'$name' is everywhere or nowhere"; continue; }
	range=$(echo $lines | sed 's/ .* /-/; s/ /-/')
	check 1 "/'\\\$$name' of 'work' at .*livelines.c:$away: .*; it can be read at lines $range\$" \
		-- $stap -p2 -e "probe process(\"./lives\").statement(\"work@livelines.c:$away\") { println(\$$name) }"
done

# C++.
if command -v g++ > out; then
	g++ -w -g -O0 -o shapes "$programs/user/shapes.cpp" &&
		g++ -w -g0 -O2 -o shapes_bare "$programs/user/shapes.cpp" ||
		say_wrong "cannot build shapes.cpp"
	check 0 '/function\("Box<int>::grow@.*cpp:[0-9]+"\) \$this:struct geo::Box<int>\*const \$by:int$' \
		'/function\("Box<long int>::grow@' -- $stap -L 'process("./shapes").function("Box::grow")'
	check 0 '/function\("scale@' -- $stap -l 'process("./shapes").function("_ZN3geo5scaleEi")'
	check 0 '/function\("_ZN3geo5scaleEi"\)$' -- $stap -l 'process("./shapes_bare").function("*scale*")'
	check 0 '/function\("scale@' '!geo::' !Pair -- $stap -l 'process("./shapes").function("scale@shapes.cpp")'
	check 0 '/function\("::?main@|function\("main@' -- $stap -l 'process("./shapes").function("::main")'
	check 0 '/"operator\(\)@.*shapes\.cpp:[0-9]+"\)$' -- $stap -l 'process("./shapes").function("operator()")'
	check 0 '/"main::\{lambda\}::operator\(\)@.*shapes\.cpp:[0-9]+"\)$' \
		-- $stap -l 'process("./shapes").function("main::*::operator()")'
	check 0 '/statement\("Pair::sum@.*cpp:[0-9]+"\)' \
		-- $stap -l 'process("./shapes").statement("Pair::sum@shapes.cpp:*")'
	check 0 '/\("geo::scale\(geo::inner::Pair const&\)"\)$' '/\("geo::scale\(int\)"\)$' \
		-- $stap -l 'process("./shapes_bare").function("geo::*")'
	check 1 "/no function 'geo::scale\\(short\\)' in .*/shapes" \
		-- $stap -p2 -e 'probe process("./shapes").function("geo::scale(short)") { }'
	check 1 "/no function '::scale' in .*/shapes" \
		-- $stap -p2 -e 'probe process("./shapes").function("::scale") { }'
	check 1 "/no type 'geo::Pair' in the debuginfo of .*/shapes" \
		-- $stap -p2 -e 'probe process("./shapes").function("main") { println(@cast(1, "geo::Pair")->a) }'
fi

# Floating point, thread-local variables; results in two registers and in memory.
cat > float.c <<'END'
static __thread int mine = 3;
struct mixed { double a; long b; };
struct range { long low, high; };
struct large { long a, b, c; };
__attribute__((noinline)) double half(double x, int n) { mine += n; return x / n; }
__attribute__((noinline)) long double huge(int n) { return n; }
__attribute__((noinline)) struct mixed both(struct mixed m, int n) { return (struct mixed){ m.a, m.b + n }; }
__attribute__((noinline)) struct range turned(struct range r) { return (struct range){ r.high, r.low }; }
__attribute__((noinline)) struct large times(struct large l, long n)
{
	return (struct large){ l.a * n, l.b * n, l.c * n };
}
int main()
{
	return half(4, 2) + huge(mine) + both((struct mixed){ 1, 2 }, 3).b + turned((struct range){ 1, 2 }).low +
	       times((struct large){ 1, 2, 3 }, mine).c;
}
END
$gcc -w -g -O0 -o float float.c || say_wrong "cannot build float.c"
check 1 "/'huge' returns 'long double': floating-point numbers are in registers that probes cannot read" \
	-- $stap -p2 -e 'probe process("./float").function("huge").return { println($return) }'
check 0 -- $stap -p2 -e 'probe process("./float").function("both").return { println($return->b, $return$) }'
check 0 -- $stap -p2 -e 'probe process("./float").function("half").return { println($x$) }'
check 1 "/parameter '\\\$m': it holds floating-point numbers, which are passed in registers that probes cannot read" \
	-- $stap -p2 -e 'probe process("./float").function("both").return { println($m->b) }'
check 0 \
	-- $stap -p3 \
	-e 'probe process("./float").function("half") { println($mine) } probe timer.s(1) { println(@var("mine@float.c", "./float")) }'
echo '__thread int apart; int *where(void) { return &apart; }' > apart.c
$gcc -w -g -O1 -shared -fPIC -mtls-dialect=gnu2 -o apart apart.c || say_wrong "cannot build apart.c"
check 0 -- $stap -p3 -e 'probe process("./apart").function("where") { println($apart) }'
echo '__attribute__((used)) static __thread int apart = 3; int where(void) { return 0; }' > apart.c
$gcc -w -g -O1 -shared -fPIC -o apart apart.c || say_wrong "cannot build apart.c"
check 1 "/'\\\$apart' of 'where' at .*: it is thread-local, and .*/apart does not show where threads have it" \
	-- $stap -p2 -e 'probe process("./apart").function("where") { println($apart) }'
check 1 "/@entry: '\\\$return' is not known at entry" \
	-- $stap -p2 -e 'probe process("./float").function("turned").return { println(@entry($return->low)) }'
check 0 \
	-- $stap -p2 \
	-e 'probe process("./float").function("times").return { println($return->c, $return$, $n, @entry($l->b)) }'

# 32-bit programs, where there is a compiler for them.
if $gcc -m32 -w -g -O0 -o float32 float.c 2> err; then
	check 1 "/parameter '\\\$l': only numbers and pointers are known at the entry of a 32-bit function" \
		-- $stap -p2 -e 'probe process("./float32").function("times").return { println($l->a) }'
	printf 'long long wide(long long a) { return a; } int main() { return wide(5) - 5; }' > wide.c &&
		$gcc -m32 -w -g -O0 -o wide wide.c
	check 1 "/parameter '\\\$a': it takes two words on the stack of a 32-bit program" \
		-- $stap -p2 -e 'probe process("./wide").function("wide").return { println($a) }'
	check 1 "/'wide' returns 'long long int', which takes two registers in a 32-bit program" \
		-- $stap -p2 -e 'probe process("./wide").function("wide").return { println($return) }'
	check 0 '/plt\("__libc_start_main"\)$' -- $stap -l 'process("./wide").plt'
fi

# Programs by pattern, process, build-id; scripts; libraries of the program.
cp inside 'inside+1' && cp inside 'inside+2'
echo nothing > 'inside+text'
check 0 '/process\("/.*/inside\+1"\)\.function\("leaf@' '/process\("/.*/inside\+2"\)\.function\("leaf@' \
	-- $stap -l 'process("./insid*").function("leaf")'
check 0 '/process\("/.*/bash"\)\.function\("readline"\)$' -- $stap -l 'process("bas[h]").function("readline")'
check 0 '/process\("/.*/bash"\)\.function\("readline"\)$' \
	-- bash -c "$stap -l \"process(\$\$).function(\\\"readline\\\")\"; true"
id=$(readelf -n "$(readlink -f /bin/bash)" | sed -n 's/.*Build ID: //p')
check 0 '/process\("/.*/bash"\)\.function\("readline"\)$' -- $stap -l "process(\"$id\").function(\"readline\")"
check 0 '/library\(".*/libc.so.6"\)\.function\("malloc"\)$' \
	-- $stap -l 'process("/bin/bash").library("lib*").function("malloc")'
check 0 '/library\(".*/libc.so.6"\)\.function\("__libc_malloc"\)$' '/library\(".*/libc.so.6"\)\.function\("malloc"\)$' \
	-- $stap -l 'process("/bin/bash").library("libc.so.6").function("*malloc")'
cp "$(readlink -f /bin/sleep)" deleted && { ./deleted 60 & gone=$!; }
[ ! -e deleted ] || sleep 0.3
rm deleted
check 0 "/process\\(\"/proc/$gone/exe\"\\)\\.plt\\(\"nanosleep\"\\)\$" -- $stap -l "process($gone).plt(\"nanosleep\")"
check 0 "/process\\(\"/proc/$gone/exe\"\\)\\.library\\(\".*/libc.so.6\"\\)\\.function\\(\"malloc\"\\)\$" \
	-- $stap -x $gone -l 'process.library("libc*").function("malloc")'
kill $gone
mkdir -p box
if unshare -m mount -t tmpfs none box 2> err; then
	unshare -m sh -c "mount -t tmpfs none box && cp inside box/own && cp $(readlink -f /bin/sleep) box/sleep && ln -s $PWD/box/sleep box/link && ln -s ../../../../../../../../$PWD/box/link box/up && ln -s loop box/loop && exec box/sleep 60" & boxed=$!
	# Below another root directory the kernel says the whole way to it.
	is_boxed() { [[ $(readlink /proc/$boxed/exe) = *"$PWD/box/sleep" ]]; }
	wait_until is_boxed
	check 0 "/process\\(\"/proc/$boxed/root/.*/box/sleep\"\\)\\.plt\\(\"nanosleep\"\\)\$" \
		-- $stap -l "process($boxed).plt(\"nanosleep\")"
	check 0 "/process\\(\"/proc/$boxed/root/.*/box/sleep\"\\)\\.library\\(\"/usr/lib/.*/libc.so.6\"\\)\\.function\\(\"malloc\"\\)\$" \
		-- $stap -x $boxed -l 'process.library("libc.so.6").function("malloc")'
	in_box=/proc/$boxed/root$PWD/box
	check 0 "/process\\(\"$in_box/sleep\"\\)\\.plt\\(\"nanosleep\"\\)\$" \
		-- $stap -l "process(\"$in_box/./link\").plt(\"nanosleep\")"
	check 0 "/process\\(\"$in_box/sleep\"\\)\\.plt\\(\"nanosleep\"\\)\$" \
		-- $stap -l "process(\"$in_box/u*\").plt(\"nanosleep\")"
	check 0 "/library\\(\"/usr/lib/.*/libc.so.6\"\\)\\.function\\(\"malloc\"\\)\$" \
		-- $stap -l "process(\"$in_box/up\").library(\"libc.so.6\").function(\"malloc\")"
	check 0 "/process\\(\"/.*/bash\"\\)\\.function\\(\"readline\"\\)\$" !proc/ \
		-- $stap -l "process(\"/proc/$boxed/root/bin/bash\").function(\"readline\")"
	check 1 "/there is no program '$in_box/loop'" -- $stap -l "process(\"$in_box/loop\").function(\"main\")"
	kill $boxed
fi
printf '#!/usr/bin/env bash\necho hello\n' > hello && printf '#! %s/hello x\n' "$PWD" > twice && chmod +x hello twice
check 0 '/process\("/.*/bash"\)\.function\("readline"\)$' -- $stap -l 'process("./twice").function("readline")'
printf '#!/nothing/there\n' > nothing
check 1 "/no program matches './none\*'" -- $stap -p2 -e 'probe process("./none*").function("main") { }'
check 1 "/no program matches 'none-there\*' in PATH" -- $stap -p2 -e 'probe process("none-there*").function("main") { }'
check 1 "/there is no program '/nothing/there'" -- $stap -p2 -e 'probe process("./nothing").function("main") { }'
check 1 "/process 2 is the kernel's: it runs no program" -- $stap -p2 -e 'probe process(2).function("main") { }'
check 1 "/there is no process 99999999" -- $stap -p2 -e 'probe process(99999999).function("main") { }'
check 1 "/no program with build-id 0{39}1 is linked below /usr/lib/debug/.build-id, in PATH or among the libraries" \
	-- env PATH=/bin $stap -p2 -e 'probe process("0000000000000000000000000000000000000001").function("main") { }'
check 1 "/bash uses no library that matches 'libnone\*'" \
	-- $stap -p2 -e 'probe process("/bin/bash").library("libnone*").function("main") { }'

# Files that are none.
echo 'echo hello' > script.sh
check 1 "/script.sh is not an ELF file: only a script's interpreter, or the program itself, can be probed" \
	-- $stap -p2 -e 'probe process("./script.sh").function("main") { }'
check 1 "/object is neither a program nor a shared library" \
	-- $stap -p2 -e 'probe process("./object").function("main") { }'
cp bare foreign && printf '\xb7' | dd of=foreign bs=1 seek=18 conv=notrunc 2> /dev/null
check 1 "/foreign is a program for another processor" -- $stap -p2 -e 'probe process("./foreign").function("main") { }'
objcopy --add-section .note.go.buildid=script.sh bare go
check 1 "/go is a Go program: its stacks move while functions run, so that returns are probed at the instructions that return" \
	-- $stap -p2 -e 'probe process("./go").plt("*").return { }'
check 0 -- $stap -p2 -e 'probe process("./go").function("main") { println(1) }'

# Cut short or with bytes changed: refused or harmless.
size=$(stat -c %s full)
for at in 40 64 200 1000 $((size / 2)) $((size - 600)) $((size - 100)); do
	head -c "$at" full > damaged
	watched --cpu 20 $stap -L 'process("./damaged").function("*")' > out 2> err
	status=$?
	[ $status -le 3 ] || say_wrong "cut at $at: status $status"
	watched --cpu 20 $stap -L 'process("./damaged").plt' > out 2> err
	status=$?
	[ $status -le 3 ] || say_wrong "slots, cut at $at: status $status"
done
for at in $(seq 16 7 63) $(seq 70 97 $((size - 1))); do
	cp full damaged && printf '\xff\x7f' | dd of=damaged bs=1 seek="$at" conv=notrunc 2> /dev/null
	watched --cpu 20 $stap -L 'process("./damaged").function("*")' > out 2> err
	status=$?
	[ $status -le 3 ] || say_wrong "changed at $at: status $status"
	watched --cpu 20 $stap -L 'process("./damaged").library("*").plt' > out 2> err
	status=$?
	[ $status -le 3 ] || say_wrong "slots, changed at $at: status $status"
done
args6='\$arg1:long \$arg2:long \$arg3:long \$arg4:long \$arg5:long \$arg6:long'
check 0 '/^process\.begin$' '/^process\.end$' "/^process\.syscall \\\$syscall:long $args6$" -- $stap -L 'process.*'
check 0 '/^process\.thread\.begin$' '/^process\.thread\.end$' -- $stap -L 'process.thread.*'
check 0 '/^process\("/.*/ls"\)\.syscall\.return \$syscall:long \$return:long$' \
	-- $stap -L 'process("ls").syscall.return'
check 0 '/^process\("/.*/ln"\)\.begin$' '/^process\("/.*/ls"\)\.begin$' -- $stap -l 'process("/bin/l[ns]").begin'
check 0 '/^process\(number\)\.syscall\.return$' '/^process\.library\(string\)\.plt\.return$' \
	'/^process\(string\)\.function\(number\)\.call$' -- $stap --dump-probe-types
# $$vars prints what is not a number by its shape.
printf '%s\n' 'struct pair { int a, b; };' \
	'int f(int n, struct pair s) { struct pair own = s; int list[3] = { n }; __asm__ volatile("" :: "m"(own), "m"(list)); return n; }' \
	'int main(void) { struct pair s = { 1, 2 }; return f(0, s); }' > records.c
$gcc -w -g -O0 -o records records.c || say_wrong "cannot build records.c"
check 0 '/"n="' '/" s=\{\.\.\.\} own=\{\.\.\.\} list=\[\.\.\.\]"' \
	-- $stap -p3 -e 'probe process("./records").function("f") { println($$vars) }'
finish

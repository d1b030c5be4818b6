# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: points in programs, by breakpoints of this machine's kernel.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

cat > prog.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/sdt.h"

struct thing {
	int a;
	char *name;
};

__attribute__((noinline)) int work(int n, struct thing *t)
{
	__asm__ volatile("" ::"r"(t) : "memory");
	STAP_PROBE2(prog, worked, n, t->name);
	return n * 2 - t->a;
}

__attribute__((noinline)) int deep(int n)
{
	int ret = n ? deep(n - 1) + 1 : 0;

	__asm__ volatile("" : "+r"(ret));
	return ret;
}

int main(int argc, char **argv)
{
	struct thing t = { 3, strdup("hello") };
	int sum = deep(5);

	for (int i = atoi(argv[1]); i > 1; i--)
		if (!fork()) {
			argv[1] = "1";
			break;
		}
	for (int i = 0; i < atoi(argv[2]); i++)
		sum += work(i, &t);
	while (wait(NULL) > 0)
		;
	return sum == 1;
}
END
gcc -g -O1 -I"$TOP/include" -o prog prog.c || say_wrong "prog.c"

"$STAP" --runtime=bpf -c './prog 1 1' -e 'probe process("prog").function("work") { println("hit") }' > out 2> err
if grep -qE 'an arena|not permitted|sets no breakpoint' err; then
	check 1 '/--runtime=bpf: |sets no breakpoint' -- "$STAP" --runtime=bpf -c './prog 1 1' -e '
		probe process("prog").function("work") { println("hit") }'
	finish
	exit
fi
grep -qx hit out || say_wrong "a function"

# Parameters, members, strings, what the call returns, what was saved at entry.
check 0 '/^0 hello 3 prog 1$' '/^2 hello 3 prog 1$' '/^-3 0 3 1$' '/^1 2 3 1$' '!ERROR' -- \
	"$STAP" --runtime=bpf -c './prog 1 3' -e 'probe process("prog").function("work") {
		printf("%d %s %d %s %d\n", $n, user_string($t->name), $t->a, execname(), pid() == target()) }
	probe process("prog").function("work").return {
		printf("%d %d %d %d\n", $return, $n, $t->a, @entry(tid()) == tid()) }'
# Calls in calls.
check 0 '/^0 0$' '/^5 5$' '/^6 6$' -- "$STAP" --runtime=bpf -c './prog 1 1' -e 'global n
	probe process("prog").function("deep").return { printf("%d %d\n", $n, $return); n++ }
	probe end { println(n, " ", 6) }'
# Markers.
check 0 '/^prog worked 0 hello$' '/^prog worked 2 hello$' -- "$STAP" --runtime=bpf -c './prog 1 3' -e '
	probe process("prog").mark("worked") {
		printf("%s %s %d %s\n", $$provider, $$name, $arg1, user_string($arg2)) }'

# Registers, by name, and all of them.
if [ "$(uname -m)" = x86_64 ]; then
	check 0 '/^2 2 1$' '/^RIP: 0000[0-9a-f]{12}$' '/^RBP: .* R08: .* R09: ' '/^4 0$' \
		"/^there is no register 'rqx'$" -- \
		"$STAP" --runtime=bpf -c './prog 1 3' -e 'probe process("prog").function("work") {
			if ($n != 2) next
			println(register("edi"), " ", u_register("rdi"), " ", u_register("rip") == addr())
			print_regs()
			try { println(register("rqx")) } catch (m) { println(m) } }
		probe process("prog").function("work").return {
			if ($return == 1) println(register("eax") + 3, " ", u_register("rip") != addr()) }'
fi

# No hit waits for a page of the program, as error::fault(7) says.
cat > cold.c << 'END'
#include <sys/mman.h>
__attribute__((noinline)) int look(const char *text, int n)
{
	__asm__ volatile("" ::"r"(text) : "memory");
	return n;
}
int main(void)
{
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	look(p, 1);
	*p = 'x';
	return look(p, 0);
}
END
gcc -g -O1 -o cold cold.c || say_wrong "cold.c"
check 0 '/^1 absent$' '/^0 x$' '/^read fault \[man error::fault\] at 0x[0-9a-f]+$' -- \
	"$STAP" --runtime=bpf -c ./cold -e '
	probe process("cold").function("look") {
		printf("%d %s\n", $n, user_string($text, "absent"))
		try { println(user_string($text)) } catch (m) { println(m) } }'

# Interfaces of a position-independent program of Go, at a function's entry; the names of the types are in memory.
cat > shown.go << 'END'
package main

import "fmt"

type Dog struct{ Age int }

//go:noinline
func show(i interface{}, n int) int { if i == nil { return n }; return n + 1 }
func main() { fmt.Printf("%T\n", Dog{}); show(nil, 1); show(5, 2); show(Dog{3}, 3) }
END
if command -v go > /dev/null && HOME=$PWD GOFLAGS= go build -buildmode=pie -o shown shown.go 2> err; then
	check 0 '/^1 nil$' '/^2 int\(5\)$' '/^3 main.Dog\(0xc[0-9a-f]+\)$' -- "$STAP" --runtime=bpf -c ./shown -e '
		probe process("shown").function("main.show") { println($n, " ", $i$) }'
fi

# Four processes at once: every call is counted, or in the books.
check 0 '!ERROR' -- "$STAP" --runtime=bpf -t -c './prog 4 20000' -e 'global calls, returns
	probe process("prog").function("work") { calls++ }
	probe process("prog").function("work").return { returns[tid()] <<< $return - 2 * $n }
	probe end { foreach (t in returns) { n += @count(returns[t]); s += @sum(returns[t]) }
		println("calls ", calls); println("returns ", n, " ", s) }'
awk -v calls="$(awk '$1 == "calls" { print $2 }' out)" -v returns="$(awk '$1 == "returns" { print $2 }' out)" '
	/^process/ { seen = /return/ ? returns : calls; n++; if ($2 != $3 + $4 + $5 || seen + $4 + $5 != 80000) exit 1 }
	END { exit n != 2 }' err || say_wrong "four processes"
[ "$(awk '$1 == "returns" { print $3 + 3 * $2 }' out)" = 0 ] || say_wrong "four processes: the values"

# Only the target and its children, unless there is none; only that process.
printf '#!/bin/sh\nexit 0\n' > other
chmod +x other
(while [ ! -e done ]; do ./prog 1 1; done) &
check 0 '/^2$' -- "$STAP" --runtime=bpf -c 'sh -c "./prog 1 1; ./prog 1 1"' -e 'global n
	probe process("prog").function("work") { if (ppid() == target() && pexecname() == "sh") n++ }
	probe end { println(n) }'
check 0 '/^0$' -- "$STAP" --runtime=bpf -c ./other -e '
	global n probe process("prog").function("work") { n++ } probe end { println(n) }'
touch done
wait

# The program with its handlers needs two capabilities, and no stap. Killed, it leaves nothing behind.
program=$("$STAP" --runtime=bpf -p4 -e 'global n probe process("prog").function("work") { n["work"]++ }
	probe kernel.trace("sys_enter") { n["call"]++ } probe timer.profile { n["tick"]++ }
	probe end { println(n["work"] == 3, n["call"] > 3) }')
cp "$program" alone
check 0 '/^11$' '!ERROR' -- setpriv --bounding-set=-all,+bpf,+perfmon --inh-caps=-all ./alone -c './prog 1 3'
check 1 '/an arena .*: Operation not permitted' -- \
	setpriv --bounding-set=-all,+perfmon --inh-caps=-all ./alone -c './prog 1 3'
before=$(loaded)
more() { [ "$(loaded)" -gt "$before" ]; }
no_more() { [ "$(loaded)" -le "$before" ]; }
./alone > /dev/null &
wait_until more || say_wrong "no program is loaded"
kill -9 $!
wait $! 2> /dev/null
wait_until no_more || say_wrong "killed: $(loaded) programs are left, there were $before"

# gcc's DWARF 2 lists where a function's frame is: a return's parameters are not read before they are stored.
cat > grow.c << 'END'
long grow(long *p, long by) { *p += by; return *p; }
int main(void) { long n = 100; return grow(&n, 11) != 111; }
END
gcc -gdwarf-2 -O0 -o grow grow.c
check 0 '/^111 11 11$' -- "$STAP" --runtime=bpf -c ./grow -e 'probe process("./grow").function("grow").return {
	printf("%d %d %d\n", $return, $by, @entry($by)) }'
# The target of a std::function has no name here, but its address.
printf '#include <functional>\nstruct s { std::function<int(int)> f; };\n%s\n' \
	'int use(s *p) { return p->f(2); } int main() { s x; x.f = [](int a) { return a; }; return use(&x) != 2; }' > f.cpp
g++ -g -O0 -o called f.cpp
check 0 '/^\{.f=' -- "$STAP" --runtime=bpf -c ./called -e '
	probe process("./called").function("use").call { println($p$) }'

check 1 "/'process.*': --runtime=bpf has no libraries of one program only" -- "$STAP" --runtime=bpf -p2 -e '
	probe process("/bin/true").library("libc.so.6").function("malloc") { println(1) }'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: handlers that run in this machine's kernel without a module print what those of --runtime=user do; what
# it cannot do is refused at translation.
# skip: [ -z "$(ls /usr/bin/clang-1[89] /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 18 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
. "$TOP/tests/cli/expect.inc"

# same NAME SCRIPT: both runtimes print the same.
same() {
	"$STAP" --runtime=user -e "$2" > user.out 2> user.err || say_wrong "$1: --runtime=user failed: $(cat user.err)"
	"$STAP" --runtime=bpf -e "$2" > bpf.out 2> bpf.err || say_wrong "$1: --runtime=bpf failed: $(cat bpf.err)"
	cmp -s user.out bpf.out || say_wrong "$1: the output differs: $(diff user.out bpf.out | head -5)"
}

"$STAP" --runtime=bpf -e 'probe begin { println("hello") exit() }' > out 2> err
if grep -qE 'an arena|Operation not permitted' err; then
	check 1 '/--runtime=bpf: ' -- "$STAP" --runtime=bpf -e 'probe begin { exit() }'
	finish
	exit
fi
grep -qx hello out || say_wrong "hello: $(cat err)"

same numbers 'function f(x) { return x * 3 - 1 } probe begin { for (i = -3; i < 4; i++) printf("%d %x %d\n", f(i), i, i % 3) exit() }'
same texts 'global s probe begin { s = "abc" . "def"; if (s =~ "c.*e") println(s . ":" . sprint(7)) exit() } probe end { println(s) }'
same timers 'global n probe timer.ms(5) { if (++n > 3) exit() } probe timer.ms(1) if (n > 100) { println("never") } probe end { println(n) }'
same loops 'probe begin { i = 0; while (1) { if (i++ > 50) break; if (i % 2) continue; printf("%d ", i) } println("") exit() }'

check 1 '/--runtime=bpf cannot do recursion yet' -- \
	"$STAP" --runtime=bpf -e 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } probe begin { println(f(5)) exit() }'
check 1 "/probes the kernel; --runtime=bpf has begin, end, error and timer probes" -- \
	"$STAP" --runtime=bpf -p3 -e 'probe procfs("x").read { $value = "y" }'
finish

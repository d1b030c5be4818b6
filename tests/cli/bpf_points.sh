# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: points in the kernel of this machine. Each hit is in the output or in the books, from all CPUs.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"

"$STAP" --runtime=bpf -e 'probe kernel.trace("sys_enter") { exit() }' > out 2> err
if grep -qE 'an arena|not permitted|the tracepoint cannot be used' err; then
	check 1 '/--runtime=bpf: |cannot be used' -- "$STAP" --runtime=bpf -e '
		probe kernel.trace("sys_enter") { exit() }'
	finish
	exit
fi

cat > flood.c << 'END'
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 4; i++)
		if (!fork()) {
			for (int n = atoi(argv[1]); n > 0; n--)
				syscall(SYS_sched_getscheduler, 0);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -O1 -o flood flood.c
call=$(printf '#include <sys/syscall.h>\nSYS_sched_getscheduler\n' | gcc -E - | tail -n 1)

# skipped POINT: hits of the point that the books, in err, have as dropped or skipped; they must add up.
skipped() {
	awk -v point="$1" '$1 == point { if ($2 != $3 + $4 + $5) exit 1; print $4 + $5; found = 1 } END { exit !found }' err ||
		echo bad
}

# all NAME WANTED SEEN SKIPPED: hits that were seen, and those in the books, are all there were.
all() {
	[ "$4" != bad ] && [ "$3" -le "$2" ] && [ $(($3 + $4)) -ge "$2" ] || say_wrong "$1: $3 of $2 seen, $4 skipped"
}

# Arrays by name, as four processes call at once.
check 0 '!ERROR' -- "$STAP" --runtime=bpf -t -c './flood 50000' -e 'global n, all
probe kernel.trace("sys_enter") { if ($id != '$call') next; n[execname(), tid()]++; all++ }
probe end { foreach ([e, t] in n) printf("%s %d\n", e, n[e, t]); println("all ", all) }'
all arrays 200000 "$(awk '$1 == "all" { print $2 }' out)" "$(skipped 'kernel.trace("sys_enter")')"
[ "$(grep -c '^flood ' out)" = 4 ] || say_wrong "arrays: not four processes"

# A record for each hit.
check 0 '!ERROR' -- "$STAP" --runtime=bpf -t -c './flood 50000' -o records -e '
probe kernel.trace("sys_enter") { if ($id == '$call') printf("%s %d %d\n", execname(), pid() == tid(), cpu() >= 0) }'
all records 200000 "$(grep -cx 'flood 1 1' records)" "$(skipped 'kernel.trace("sys_enter")')"
[ "$(grep -vcx 'flood 1 1' records)" = 0 ] || say_wrong "records: others than the program's"

# Arguments, their members, and strings that they point to; an array grows while hits come.
check 0 '/^true /bin/true 1 1$' -- "$STAP" --runtime=bpf -c /bin/true -e 'probe kernel.trace("sched_process_exec") {
	if (pid() == target()) printf("%s %s %d %d\n", kernel_string($p->comm), kernel_string($bprm->filename),
		$p->pid == tid(), in_target()) }'
check 0 '/^30000 elements$' '!ERROR' -- "$STAP" --runtime=bpf -DMAXACTION=99999 -c './flood 7500' -e '
	global n, k probe kernel.trace("sys_enter") {
	if (execname() == "flood" && k < 30000) n[k++, sprintf("key%d", k)] = $id }
	probe end { foreach ([i, s] in n) c++; println(c, " elements") }'
# A signed argument, an error that is caught, and one that is not: an address that cannot be read.
check 0 '/^0 caught$' -- "$STAP" --runtime=bpf -c /bin/true -e '
	global n probe kernel.trace("sched_process_exit") { if (!n++) {
	try { println(kernel_long(0xffffffffffff0000)) } catch { println($p->exit_code, " caught") } exit() } }'
check 1 '/ERROR: read fault .* in probe kernel.trace' -- "$STAP" --runtime=bpf -e '
	probe kernel.trace("sys_enter") { println(kernel_long(8)) exit() }'
# A timer between hits, and conditions.
check 0 '/^(1|2|3) 1$' -- "$STAP" --runtime=bpf -e 'global n, k, on
	probe kernel.trace("sys_enter") if (on) { k = 1 }
	probe timer.ms(20) { on = 1; if (++n == 3) { println(n, " ", k) exit() } }'
# The books have the time of hits of a probe that is rare among others, of which one in 16 is measured.
check 0 '/^timer\.ms\(10\) .* [1-9][0-9]*$' '/^kernel\.trace.* [1-9][0-9]*$' -- "$STAP" --runtime=bpf -t \
	-c 'sh -c "./flood 7500; sleep 0.1"' -e '
	global n, t probe kernel.trace("sys_enter") { n++ } probe timer.ms(10) { t++ }'
# Records as data: the program that takes them is started before the handlers are there.
check 0 '/"text": *"true' -- "$STAP" --runtime=bpf --json -c /bin/true -e '
	probe kernel.trace("sched_process_exec") { printf("%s\n", execname()) }'

# A second of ticks of each CPU, and an event of the kernel's own.
check 0 '/^ticks 1 1$' -- "$STAP" --runtime=bpf -T 1 -e 'global n, c probe timer.profile { n++; c[cpu()]++ }
	probe end { foreach (i in c) k++; println("ticks ", n > 50 * k, " ", registers_valid() == 0) }'
# Registers of a sample, by name; and the line about the records.
check 0 '/^1 1 1$' '/^records: 1 merged, 0 out of order$' -- "$STAP" --runtime=bpf -t -e 'probe timer.profile {
	println(register("rip") == addr(), " ", u_register("esp") == (register("rsp") & 0xffffffff), " ",
		register("ebx") == ((register("rbx") & 0xffffffff) ^ 0x80000000) - 0x80000000)
	exit()
}'
check 1 "/no register 'nope'" -- "$STAP" --runtime=bpf -e 'probe timer.profile { println(register("nope")) }'
check 0 '/^switched$' -- "$STAP" --runtime=bpf -c 'sleep 0.1' -e 'global n
	probe perf.sw.context_switches.sample(1) { n++ }
	probe end { if (n) println("switched") }'
# An event of the scheduler has a few registers, a tracepoint has none.
if [ "$(uname -m)" = x86_64 ]; then
	check 0 "/^of the kernel, the kernel does not provide register 'rbx' at this event$" -- \
		"$STAP" --runtime=bpf -c 'sleep 0.1' -e 'probe perf.sw.context_switches.sample(1) {
			if (u_register("rsp") >> 63) print("of the kernel, ")
			try { println(register("rbx")) } catch (m) { println(m) }
			exit() }'
	check 1 '/no registers here' -- "$STAP" --runtime=bpf \
		-e 'probe kernel.trace("sys_exit") { println(register("rsp")) }'
fi
check 1 '/has no watched memory' -- "$STAP" --runtime=bpf -p2 -e 'probe kernel.data(0x1000).write { println(1) }'

# A list has the points that this runtime can probe; a point that it cannot, alone, has the reason.
check 0 '/^timer.profile.tick$' '!procfs|kernel.data' -- "$STAP" --runtime=bpf -l 'timer.profile.tick, procfs("x").read'
check 1 '/has no hooks of netfilter' -- "$STAP" --runtime=bpf \
	-l 'netfilter.hook("NF_INET_PRE_ROUTING").pf("NFPROTO_IPV4")'

# A function of the library that it lacks, or that calls one, is refused at the place in the script that calls it.
check 1 '/<input>:2:47: error: in_interrupt\(\) needs a module, --runtime=kernel: --runtime=bpf cannot do this yet' -- \
	"$STAP" --runtime=bpf -p2 -e '
	probe kernel.trace("sched_switch") { println(in_interrupt()) }'
check 1 '/<input>:2:27: error: sprint_loadavg\(\) needs a module, --runtime=kernel: ' -- "$STAP" --runtime=bpf -p2 -e '
	function load() { return sprint_loadavg() } probe kernel.trace("sched_switch") { println(load()) }'
# With -g, parameters of system calls that the script does not change need no module.
check 0 -- "$STAP" --runtime=bpf -g -p2 -e 'probe syscall.openat { println(filename) }'
check 1 '/<input>:1:1: error: set_user_string_arg\(\) needs a module' -- "$STAP" --runtime=bpf -g -p2 \
	-e 'probe syscall.openat { filename_unquoted = "x" }'
check 0 -- "$STAP" --runtime=bpf -p2 -e 'probe begin { println(pgrp()) }'
check 1 "/writing to '\\\$p->flags' needs a module.*only reads" -- "$STAP" --runtime=bpf -g -p2 -e '
	probe kernel.trace("sched_process_exit") { $p->flags = 1 }'
check 1 '/@uregister needs a module' -- "$STAP" --runtime=bpf -g -p2 -e '
	probe kernel.trace("sched_process_exit") { println(@uregister(7)) }'
check 1 "/'jiffies' needs a module.* addresses of the kernel's variables" -- "$STAP" --runtime=bpf -p2 -e '
	probe kernel.trace("sched_process_exit") { println(@var("jiffies")) }'
check 0 '/\$next:struct task_struct\*' -- "$STAP" --runtime=bpf -L 'kernel.trace("sched_switch")'
finish

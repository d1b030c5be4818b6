# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf in a namespace of processes, as in a container: numbers that are given (-c, -x, process(PID)) are those
# of the namespace, handlers have those of the initial one, and ns_pid() converts back. Processes outside are seen, too.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: no_program unshare
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sched_process_exec") { exit() }'

cat > spin.c << 'END'
#include <unistd.h>
__attribute__((noinline)) void step(void) { usleep(1000); __asm__ volatile(""); }
int main(void) { for (;;) step(); }
END
${CC:-gcc} -O1 -o inside spin.c && cp inside outside || say_wrong "no program to trace"
cat > points.stp << 'END'
global seen, n
probe begin { printf("begin %d %d\n", ns_pid(), pid() != ns_pid()) }
probe process($1).syscall { seen["call"] = task_ns_pid(task_current()) == $1 }
probe process($1).function("step") { seen["step"] = ns_tid() == $1 }
probe process(@2).begin { seen["outside"] = !ns_pid() }
probe timer.ms(100) { if (seen["call"] && seen["step"] && seen["outside"] || n++ > 100) exit() }
probe end { println("seen ", seen["call"], seen["step"], seen["outside"]) }
END
cat > target.stp << 'END'
probe process(@1).function("step") { if (pid() == target() && ns_pid() == $2) { println("hit"); exit() } }
probe timer.s(10) { exit() }
END
cat > nested << 'END'
./inside & traced=$!
./inside & other=$!
program=$("$STAP" --runtime=bpf -w -p4 points.stp $traced "$PWD/outside") || exit
"$program" & run=$!
echo run $run
wait $run
"$STAP" --runtime=bpf -c 'bash -c "echo shell \$\$; exec true"' -e '
	probe kernel.trace("sched_process_exec") { if (pid() == target()) printf("exec %d\n", ns_pid()) }'
"$STAP" --runtime=bpf -w -x $other target.stp "$PWD/inside" $other
"$STAP" --runtime=bpf -w -x 999999 target.stp "$PWD/inside" 999999
kill $traced $other
END
./outside & outside=$!
check 0 '/^seen 111$' '/^hit$' '/no such process' -- unshare -pf --mount-proc bash ./nested
kill $outside
run=$(sed -n 's/^run //p' out)
grep -qx "begin $run 1" out || say_wrong "the run's own numbers: $(cat out)"
shell=$(sed -n 's/^shell //p' out)
[ "$(grep -cx "exec $shell" out)" = 2 ] || say_wrong "the command's number: $(cat out)"
finish

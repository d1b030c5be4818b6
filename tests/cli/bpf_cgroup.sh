# SPDX-License-Identifier: GPL-2.0-or-later
# --cgroup and --container with programs of --runtime=bpf: each family's hits of tasks in the group, exact books of the
# others, unfiltered(), a flood outside, tasks that move, stap, staprun -L, and a user who is not root.
# tests/guest/kernel/cgroups.sh, of the suite bpf-books, has functions of the kernel.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ -z "$(findmnt -nt cgroup2 -o TARGET)" ] && echo "not here: no version 2 hierarchy is mounted"
# skip: no_program setpriv
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'
run=${STAP%/*}/staprun
root=$(findmnt -nt cgroup2 -o TARGET | head -n 1)
group=stap-$$
mkdir -p "$root/$group/inner" "$root/$group-other"
trap 'rmdir "$root/$group/inner" "$root/$group" "$root/$group-other" 2> /dev/null || :' EXIT

cat > work.c << 'END'
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int __attribute__((noinline)) work(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
int main(int argc, char **argv)
{
	for (int i = atoi(argv[1]); i > 0; i--) {
		work(i);
		syscall(SYS_getppid);
	}
	return 0;
}
END
cc -O1 -g -o work work.c
# in_group GROUP COMMAND…: a new task, from its first instruction in the group
in_group() {
	local to=$root/$1
	shift
	sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$to" "$@"
}
all_work() {
	in_group . ./work 50
	in_group $group ./work 1000
	in_group $group/inner ./work 30
	in_group $group-other ./work 60
}
export -f in_group all_work
export root group

cat > groups.stp << 'END'
global n, begun, ticks
function mine() { return execname() == "work" }
probe begin { begun++ }
probe kernel.trace("sys_enter") { if (mine() && $id == @const("__NR_getppid")) n["tracepoint"]++ }
probe syscall.getppid { if (mine()) n["call"]++ }
probe syscall.getppid.return { if (mine()) n["return"]++ }
probe syscall.getppid.return { if (mine() && @entry(pid()) == pid()) n["saved"]++ }
probe process("./work").function("work") { n["function"]++ }
probe process("./work").function("work").return { if ($return == @entry($n) + 1) n["value"]++ }
probe process("./work").begin { n["begin"]++ }
probe process("./work").end { n["end"]++ }
probe process("./work").syscall { if ($syscall == @const("__NR_getppid")) n["syscall"]++ }
probe timer.ms(1) { ticks++ }
probe end {
	foreach (what+ in n)
		printf("%s %d\n", what, n[what])
	printf("begun %d ticked %d group %d\n", begun, ticks > 0, run_cgroup() != 0)
}
END
sed -i 's/@const("__NR_getppid")/'"$(echo '#include <sys/syscall.h>
SYS_getppid' | cc -E - | tail -n 1)"'/' groups.stp
# seen CALLS PROCESSES: what the script prints
seen() {
	for what in begin:$2 call:$1 end:$2 function:$1 return:$1 saved:$1 syscall:$1 tracepoint:$1 value:$1; do
		echo "${what%:*} ${what#*:}"
	done
}
"$STAP" --runtime=bpf -w -p4 -m groups groups.stp > out 2> err || say_wrong "-p4: $(cat err)"
# expect CALLS PROCESSES GROUP OPTION…
expect() {
	seen "$1" "$2" > wanted
	echo "begun 1 ticked 1 group $3" >> wanted
	"$run" -t -c 'bash -c all_work' "${@:4}" ./groups.bpf > got 2> err || say_wrong "${*:4}: $(cat err)"
	cmp -s wanted got || say_wrong "${*:4}: $(diff wanted got)"
	! grep -q '^skipped:' err || say_wrong "${*:4}: $(grep '^skipped:' err)"
}
expect 1140 4 0
! grep -q ^filtered: err || say_wrong 'without a group something is filtered'
expect 1030 2 1 --cgroup $group
# Each of the two calls outside is filtered once by each of the family's probes, whatever its return saves.
awk '$1 == "filtered:" && $2 >= 110 * 7 { ok = 1 } END { exit !ok }' err || say_wrong "$(grep filtered err)"
expect 30 1 1 "--cgroup=$root/$group/inner"
expect 1140 4 1 --cgroup=/

# A probe that sees all tasks, beside others of the same program of a family.
cat > all.stp << 'END'
global n
probe syscall.getppid { unfiltered(); if (execname() == "work") { n["all"]++; if (in_target()) n["target"]++ } }
probe syscall.getppid { if (execname() == "work") n["mine"]++ }
probe timer.ms(1) { n["ticks"] = 1 }
probe end { foreach (what+ in n) printf("%s %d\n", what, n[what]) }
END
check 0 '/^all 1140$' '/^mine 1030$' '/^target 1030$' '/^ticks 1$' -- \
	"$STAP" --runtime=bpf -w --cgroup $group -c 'bash -c all_work' all.stp

# A flood outside does not keep a hit inside from running.
cat > flood.stp << 'END'
global n
probe syscall.getppid { n++ }
probe end { println("calls ", n) }
END
"$STAP" --runtime=bpf -w -p4 -m flood$$ flood.stp > out 2> err || say_wrong "flood: $(cat err)"
flood() {
	in_group $group-other ./work 2000000 & in_group $group-other ./work 2000000 & in_group $group ./work 5000
	wait
}
export -f flood
check 0 '/^calls 5000$' '/^filtered: 4[0-9]{6} ' '!^skipped' -- \
	"$run" -t -c 'bash -c flood' --cgroup $group ./flood$$.bpf

# A task that moves in and out again; the group goes before the run ends.
cat > moves << 'END'
echo $$ > "$root/$group-other/cgroup.procs"
echo $$ > "$root/$group/inner/cgroup.procs"; ./work 10
echo $$ > "$root/$group-other/cgroup.procs"; ./work 10
echo $$ > "$root/$group/inner/cgroup.procs"; ./work 7
echo $$ > "$root/cgroup.procs"; rmdir "$root/$group/inner"; ./work 3
END
check 0 '/^calls 17$' -- "$run" -c 'bash moves' --cgroup $group ./flood$$.bpf
mkdir "$root/$group/inner"

# A task that moves in each call, into the group and out of it: a return has no values of another call.
cat > hop.c << 'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int __attribute__((noinline)) hop(int n, const char *to)
{
	int fd = open(to, O_WRONLY);
	int ok = fd >= 0 && write(fd, "0", 1) == 1;
	close(fd);
	return ok ? n : -1;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++)
		if (hop(i, argv[2 + i % 2]) != i)
			return 1;
	return 0;
}
END
cc -O1 -g -fno-inline -o hop hop.c
cat > hops.stp << 'END'
global n
probe process("./hop").function("hop") { n["entry"]++ }
probe process("./hop").function("hop").return { n["return"]++ }
probe process("./hop").function("hop").return { n["saved"]++; n["wrong"] += @entry($n) != $return }
probe end { foreach (what+ in n) printf("%s %d\n", what, n[what]) }
END
check 0 '/^entry 200$' '/^return 200$' '!^saved' '!^wrong' '/^filtered: 80[0-9] ' '!not returned' -- \
	"$STAP" --runtime=bpf -w -t --cgroup $group hops.stp \
	-c "./hop 400 $root/$group/cgroup.procs $root/$group-other/cgroup.procs"

# In the background, without a reader.
check 0 '/goes on without a reader' -- "$run" -L --cgroup $group ./flood$$.bpf
all_work
"$run" -A flood$$ > got 2>&1 & pid=$!
is_read() { [ "$("$run" --status flood$$ 2> /dev/null | sed -n 's/^kept	//p')" = 0 ]; }
wait_until is_read || say_wrong 'nobody reads'
"$run" -d flood$$
wait $pid || say_wrong "-A: $(cat got)"
grep -qx 'calls 1030' got || say_wrong "-L: $(cat got)"

check 4 '/no control group nowhere below' -- "$run" --cgroup nowhere ./groups.bpf
check 4 '/no control group /tmp below' -- "$run" --cgroup /tmp ./groups.bpf
check 4 "/no running container 'none-$$'" -- "$run" --container none-$$ ./groups.bpf
check 2 '/exclude each other' -- "$run" --cgroup / --container x ./groups.bpf
check 2 -- ./groups.bpf -G 2
check 1 '/^ERROR: --cgroup: ' -- bash -c 'exec 9< /; exec ./groups.bpf -G 9'
finish

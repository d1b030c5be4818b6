# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: system calls of this machine's programs, as text, at their beginning and end, from all CPUs. A flood of
# them also in a guest of each kernel below BPF_KERNELS (tests/cli/bpf_functions.sh).
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe syscall.close { exit() }'

# A call that no other test floods: points of system calls have those of all programs.
cat > calls.c << 'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(int signal)
{
}

/* Calls of four processes at once; or, without an argument, those whose ends are particular. */
int main(int argc, char **argv)
{
	for (int i = 0; argc > 1 && i < 4; i++)
		if (!fork()) {
			for (int n = atoi(argv[1]); n > 0; n--)
				syscall(SYS_getpgid, i + 1);
			_exit(0);
		}
	if (argc == 1) {
		signal(SIGUSR1, nothing);
		raise(SIGUSR1);
		if (!fork())
			execl("/bin/true", "true", NULL);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -O1 -o calls calls.c

# Each call of a flood is seen or in the books: at its beginning, at its end, and with what a return saves.
cat > flood.stp << 'END'
global calls, ends, saved
probe syscall.getpgid { calls[tid()]++ }
probe syscall.getpgid.return { ends[tid()] <<< retval < 0 ? -1 : 1 }
probe kernel.function("sys_getpgid").return { saved <<< $pid }
probe end {
	foreach (t in calls) n += calls[t]
	foreach (t in ends) e += @count(ends[t])
	printf("seen %d %d %d %d\n", n, e, @count(saved), @max(saved))
}
END
program=$("$STAP" --runtime=bpf -g --suppress-time-limits -w -p4 flood.stp) || say_wrong "a flood's script"
cp "$program" flood

# judge WHERE CALLS: the kernel misses less than one hit of a hundred, although kernels from 7.0 take the CPU from
# programs of raw tracepoints.
judge() {
	awk -v all="$2" '/^seen/ { split($0, seen) }
		/^kernel/ { n++; if ($2 != $3 + $4 + $5 || $3 + $4 + $5 < all) exit 1
			if ($3 != seen[2] && $3 != seen[3] && $3 != seen[4]) exit 1 }
		/^skipped:/ { for (i = 3; i <= NF; i++) if ($i ~ /missed/ && $(i - 1) * 100 > all) exit 1 }
		END { exit n != 3 }' out err || say_wrong "$1: a flood: $(cat out err)"
	grep -q '^seen .* 4$' out || say_wrong "$1: values saved at entry: $(cat out)"
}
check 0 '!ERROR' -- ./flood -t -c './calls 50000'
judge here 200000
for tree in ${BPF_KERNELS:-}; do
	STAP_KERNELS=$tree check 0 '!ERROR' -- "$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- \
		./flood -t -c './calls 5000'
	judge "$tree" 20000
done

# An end of a call whose number is gone (rt_sigreturn); a new task that leaves its parent's call; a program that
# replaces the caller; calls that never end.
check 0 '/^rt_sigreturn 1, clone 1, execve 2, exit_group 0$' -- "$STAP" --runtime=bpf -c ./calls -e 'global n
	probe syscall.{rt_sigreturn,clone,execve}.return, syscall.exit_group.return ? { if (in_target()) n[name]++ }
	probe end { printf("rt_sigreturn %d, clone %d, execve %d, exit_group %d\n", n["rt_sigreturn"], n["clone"],
		n["execve"], n["exit_group"]) }'
# All of them at once.
check 0 '/^execve\("/bin/true", ' '/^exit_group\(0\)$' '/^openat = 3$' -- "$STAP" --runtime=bpf -c /bin/true -e '
	probe syscall.* { if (pid() == target()) printf("%s(%s)\n", name, argstr) }
	probe syscall.*.return { if (pid() == target()) printf("%s = %s\n", name, retstr) }'
# Calls by number.
check 0 '/^exit_group -?[0-9]+ 1$' -- "$STAP" --runtime=bpf -c /bin/true -e '
	probe syscall_any {
		if (pid() == target() && name == "exit_group")
			println(name, " ", syscall_nr, " ", syscall_num(name) == syscall_nr)
	}'
check 1 '/--runtime=bpf has no writing to what is probed' -- \
	"$STAP" --runtime=bpf -g -p4 -e 'probe syscall.close { fd = 3 }'

# argstr and retstr of 300 calls against strace's lines about the same run.
if [ -n "$(command -v strace)" ] && [ "$(uname -m)" = x86_64 ]; then
	gcc -O1 -no-pie -o everycall "$TOP/tests/guest/programs/syscalls/everycall.c"
	check 0 -- "$STAP" --runtime=bpf -o ours -c 'strace -o strace ./everycall' \
		"$TOP/tests/guest/modules/syscalls/everycall.stp"
	check 0 '/, 0 others$' -- python3 "$TOP/tests/guest/syscalls/everycall.py" ours strace 290
fi
finish

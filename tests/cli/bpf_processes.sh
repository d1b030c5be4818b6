# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: the life of processes, and their system calls: process.begin, .end, .thread.begin, .thread.end,
# .syscall. Run here, and in a guest of each kernel below BPF_KERNELS (tests/cli/bpf_functions.sh): the same file for
# all of them.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe process.begin { exit() }'

cat > lives.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *call(void *times)
{
	for (int n = atoi(times); n > 0; n--)
		syscall(SYS_getsid, 1000 + n % 2);
	return NULL;
}

/* Four processes of two threads, each of which calls as often as is said; then another program. */
int main(int argc, char **argv)
{
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		if (!fork()) {
			pthread_create(&thread, NULL, call, argv[1]);
			call(argv[1]);
			pthread_join(thread, NULL);
			if (i == 3)
				execl("/bin/true", "true", NULL);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -O1 -pthread -o lives lives.c
call=$(printf '#include <sys/syscall.h>\nSYS_getsid\n' | gcc -E - | tail -n 1)

cat > script.stp << END
global begins, ends, threads, gone, calls, returns, others
probe process("lives").begin { begins++ }
probe process("lives").end { ends++ }
probe process("lives").thread.begin { threads++ }
probe process("lives").thread.end { gone++ }
probe process("lives").syscall { if (\$syscall == $call) calls[tid()] <<< \$arg1 }
probe process("lives").syscall.return { if (\$syscall == $call) returns[tid()] <<< \$return < 0 || \$return }
probe process("/bin/true").begin, process("/bin/true").end { others[pp()]++ }
probe end {
	foreach (t in calls) { n += @count(calls[t]); sum += @sum(calls[t]) }
	foreach (t in returns) m += @count(returns[t])
	foreach (p in others) printf("%s %d\n", p, others[p])
	printf("begin %d end %d threads %d %d\n", begins, ends, threads, gone)
	printf("calls %d returns %d mean %d\n", n, m, n ? sum / n : 0)
}
END
program=$("$STAP" --runtime=bpf -w -p4 script.stp) || say_wrong "a script of processes"
cp "$program" script

# judge WHERE CALLS: each process, thread and call is seen or in the books. Those of the first point have all that the
# kernel misses, whatever the event: less than one hit of a hundred.
judge() {
	grep -q '^skipped:' err || grep -qx 'begin 5 end 5 threads 4 4' out || say_wrong "$1: processes"
	[ "$(grep -c 'true"..\(begin\|end\) 1' out)" = 2 ] || say_wrong "$1: another program"
	awk -v all="$2" '/^skipped:/ { for (i = 3; i <= NF; i++) if ($i ~ /missed/ && $(i - 1) * 100 > all) exit 1 }
		/^calls/ { if ($2 > all || $4 > all || $6 != 1000) exit 1; seen = $2 + $4 }
		/^process.*lives"/ { n++; if ($2 != $3 + $4 + $5) exit 1; hits += $2; missed += $4 + $5 }
		END { exit n != 6 || hits < 2 * all + 18 || seen + missed < 2 * all }' out err ||
		say_wrong "$1: the books of a flood: $(cat out err)"
}

check 0 '/^begin' -- ./script -t -c './lives 25000'
judge here 200000
for tree in ${BPF_KERNELS:-}; do
	STAP_KERNELS=$tree check 0 '/^begin' -- "$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- \
		./script -t -c './lives 1000'
	judge "$tree" 8000
done

# A process that exists is seen when it does something, at its end at the latest; others are not the target.
sleep 1000 &
sleeper=$!
(wait_until grep -q ready out; kill $sleeper) &
check 0 '/^begin sleep$' '/^end sleep$' '!^(begin|end) [^s]' -- "$STAP" --runtime=bpf -x $sleeper -e '
	probe begin { println("ready") }
	probe process.begin { println("begin ", execname()) }
	probe process.end { println("end ", execname()) }'
wait
check 1 '/the program cannot be opened|no such file|there is no program' -- "$STAP" --runtime=bpf \
	-e 'probe process("./none").begin { println(1) }'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: functions of the kernel, their parameters and results, from all CPUs. Run here, where the kernel has
# probes in functions; else in a guest of each kernel below BPF_KERNELS, a list of trees as stap-fetch-kernel makes
# them (6.12 or later): the same file for all of them.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"

check 1 '/has no points inside functions of the kernel|debuginfo' -- "$STAP" --runtime=bpf -p2 -e '
	probe kernel.statement("vfs_read@*:500") { println(1) }'
check 0 '/^kernel.function\("vfs_read"\)$' -- "$STAP" --runtime=bpf -l 'kernel.function("vfs_read")'

cat > reads.c << 'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Four processes read at once. */
int main(int argc, char **argv)
{
	int fd = open("/dev/zero", O_RDONLY);
	char bytes[8];

	for (int i = 0; i < 4; i++)
		if (!fork()) {
			for (int n = atoi(argv[1]); n > 0; n--)
				read(fd, bytes, 7);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -O1 -o reads reads.c

cat > script.stp << 'END'
global entries, returns, plain, saved
probe kernel.function("vfs_read").call { if (execname() == "reads" && $count == 7) entries[tid()]++ }
probe kernel.function("vfs_read").return {
	if (execname() == "reads" && $count == 7) returns[tid()] <<< $return * 1000 + $count
}
probe kernel.function("vfs_read").return { if (execname() == "reads" && $return == 7) plain++ }
probe kernel.function("rw_verify_area").return {
	if (execname() == "reads" && @entry($count) == 7) saved <<< $read_write
}
probe kernel.function("no_such_*").call ? { println("never") }
probe end {
	foreach (t in entries) n += entries[t]
	foreach (t in returns) { m += @count(returns[t]); sum += @sum(returns[t]) }
	printf("seen %d %d %d %d values %d\n", n, m, plain, @count(saved), m ? sum / m : 0)
}
END
cat > module.stp << 'END'
global opened, named
probe module("overlay").function("ovl_open").return {
	if (execname() != "cat") next
	opened += $return == 0
	named += kernel_string(@entry($file)->f_path->dentry->d_name->name) == "reads.c"
}
probe end { println("opened ", opened > 0, " ", named) }
END
# Handlers of one place run in the script's order, returns with and without values saved at entry as well.
cat > order.stp << 'END'
global entry, ret
probe kernel.function("vfs_read") { if (pid() == target() && strlen(entry) < 3) entry .= "1" }
probe kernel.function("vfs_read").return { if (pid() == target() && strlen(ret) < 3) ret .= "1" }
probe kernel.function("vfs_read") { if (pid() == target() && strlen(entry) < 3) entry .= "2" }
probe kernel.function("vfs_read").return { if (pid() == target() && strlen(ret) < 3) ret .= @entry($count) ? "2" : "" }
probe kernel.function("vfs_read") { if (pid() == target() && strlen(entry) < 3) entry .= "3" }
probe kernel.function("vfs_read").return { if (pid() == target() && strlen(ret) < 3) ret .= "3" }
probe end { println("order ", entry, " ", ret) }
END
program=$("$STAP" --runtime=bpf -w -p4 order.stp) || say_wrong "a script of one function"
cp "$program" order
program=$("$STAP" --runtime=bpf -wg -DSTP_NO_OVERLOAD -p4 script.stp) || say_wrong "a script of functions"
cp "$program" script

# judge WHERE CALLS: every call of the flood is seen or in the books. What the kernel missed of any point is in those of
# the first.
judge() {
	awk -v calls="$2" '/^seen/ { for (i = 2; i <= 5; i++) seen[i - 1] = $i; if ($7 != 7007) wrong = 1 }
		/^kernel/ { skipped[++n] = $4 + $5; if ($2 != $3 + $4 + $5) wrong = 1 }
		/^skipped:/ { for (i = 3; i <= NF; i++) if ($i ~ /missed/) missed = $(i - 1) }
		END {
			for (i = 1; i <= n; i++)
				if (seen[i] + skipped[i] + missed < calls || seen[i] > calls) wrong = 1
			exit wrong || n != 4
		}' out err || say_wrong "$1: the books of a flood: $(cat out err)"
}

if "$STAP" --runtime=bpf -c true -e 'probe kernel.function("vfs_read").call { n++ } global n
	probe end { println("ended ", n) }' > out 2> err &&
	grep -q ended out; then
	check 0 '/^seen' -- ./script -t -c './reads 5000'
	judge here 20000
else
	grep -qE 'neither kprobe.multi|an arena|not permitted' err || say_wrong "a kernel without such probes"
fi
for tree in ${BPF_KERNELS:-}; do
	# A kernel that preempts its own code has no points by fentry unless they are asked for.
	STAP_KERNELS=$tree check 0 '/^seen' -- "$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- \
		sh -c 'cat /sys/kernel/debug/sched/preempt; ./script -v -t -c "./reads 5000"'
	judge "$tree" 20000
	if grep -qE '\((none|voluntary)\)' out; then way=fentry; else way=kprobe.multi; fi
	grep -q "vfs_read\").call: $way" err || say_wrong "$tree: not by $way"
	for way in fentry kprobe.multi; do
		STAP_BPF_FUNCTIONS=$way STAP_KERNELS=$tree check 0 '/^seen' "/vfs_read.*call: $way" \
			"/verify_area.*return: ${way/fentry/fexit}" -- \
			"$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- ./script -v -t -c './reads 500'
		judge "$tree, $way" 2000
		STAP_BPF_FUNCTIONS=$way STAP_KERNELS=$tree check 0 '/^order 123 123$' -- \
			"$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- ./order -c 'cat reads.c'
	done
	# A module's functions are in types of its own: the guest's files are overlayfs.
	program=$(STAP_KERNELS=$tree "$STAP" --runtime=bpf -w -r "$(ls "$tree/lib/modules")" -p4 module.stp) ||
		say_wrong "$tree: a module"
	cp "$program" module
	STAP_BPF_FUNCTIONS=fentry STAP_KERNELS=$tree check 0 '/^opened 1 1$' '/ovl_open.*return: fexit' -- \
		"$TOP/build/bin/stap-vm" --timeout 200 -- ./module -v -c 'cat reads.c'
done
finish

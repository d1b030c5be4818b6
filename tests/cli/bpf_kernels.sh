# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: one file for several kernels, which has members, sizes and enumerators of the kernel that it runs on.
# A program tells what is true of itself, by system calls and /proc; the script reads the same in the kernel's
# structures. Run here, and in a guest of each kernel below BPF_KERNELS, a list of trees as stap-fetch-kernel makes
# them (6.12 or later).
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe kernel.trace("sys_enter") { exit() }'
cat > themself.c << 'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* The word `number` of /proc/self/stat, after the name in parentheses. */
static unsigned long long of_stat(unsigned number)
{
	char text[4096] = "", *at;
	int fd = open("/proc/self/stat", O_RDONLY);

	if (read(fd, text, sizeof(text) - 1) <= 0)
		exit(1);
	close(fd);
	at = strrchr(text, ')') + 2;
	for (unsigned i = 3; i < number; i++)
		at = strchr(at, ' ') + 1;
	return strtoull(at, NULL, 10);
}

static void tell(const char *name, long long value)
{
	printf("told %s %lld\n", name, value);
}

/* Four processes call at once. */
static int flood(void)
{
	for (int i = 0; i < 4; i++)
		if (!fork()) {
			for (int n = 0; n < 20000; n++)
				syscall(SYS_sched_get_priority_min, 4712);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	struct rlimit limit = { 1000, 1234 };
	struct sched_param param = { 0 };
	struct statfs fs;
	struct stat st;
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);

	if (argc > 1)
		return flood();
	if (write(fd, "321", 3) != 3)
		return 1;
	close(fd);
	prctl(PR_SET_NAME, "themself-now");
	prctl(PR_SET_TIMERSLACK, 54321);
	setrlimit(RLIMIT_NOFILE, &limit);
	setpriority(PRIO_PROCESS, 0, 7);
	umask(027);
	sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &param);
	fd = open("script.stp", O_RDONLY);
	if (fd < 0 || dup2(fd, 9) < 0 || fstat(9, &st) || fstatfs(9, &fs))
		return 1;
	lseek(9, 1234, SEEK_SET);
	printf("told name themself-now\n");
	tell("process", getpid());
	tell("parent", getppid());
	tell("session", getsid(0));
	tell("oom", 321);
	tell("slack", 54321);
	tell("soft", 1000);
	tell("hard", 1234);
	tell("priority", 120 + 7);
	tell("umask", 027);
	tell("policy", SCHED_BATCH);
	tell("reset", 1);
	tell("position", 1234);
	tell("inode", (long long)st.st_ino);
	tell("size", st.st_size);
	tell("magic", (long long)fs.f_type);
	printf("told file script.stp\n");
	tell("arguments", (long long)of_stat(48));
	tell("code", (long long)of_stat(26));
	tell("user", getuid());
	fflush(stdout);
	syscall(SYS_sched_get_priority_max, 4711);
	return 0;
}
END
gcc -O1 -o themself themself.c

cat > script.stp << 'E'
probe kernel.trace("sys_exit") {
	if (pid() != target() || $ret != -22 || told++)
		next
	task = &@cast(task_current(), "task_struct")
	nofile = 7
	file = task->files->fdt->fd[9]
	printf("seen name %s\n", kernel_string(task->comm))
	printf("seen process %d\n", task->tgid)
	printf("seen parent %d\n", task->real_parent->tgid)
	printf("seen session %d\n", task->signal->pids[@enum("PIDTYPE_SID")]->numbers[0]->nr)
	printf("seen oom %d\n", task->signal->oom_score_adj)
	printf("seen slack %d\n", task->timer_slack_ns)
	printf("seen soft %d\n", task->signal->rlim[7]->rlim_cur)
	printf("seen hard %d\n", task->signal->rlim[nofile]->rlim_max)
	printf("seen priority %d\n", task->static_prio)
	printf("seen umask %d\n", task->fs->umask)
	printf("seen policy %d\n", task->policy)
	printf("seen reset %d\n", task->sched_reset_on_fork)
	printf("seen position %d\n", file->f_pos)
	printf("seen inode %d\n", file->f_inode->i_ino)
	printf("seen size %d\n", file->f_inode->i_size)
	printf("seen magic %d\n", file->f_inode->i_sb->s_magic)
	printf("seen file %s\n", kernel_string(file->f_path->dentry->d_name->name))
	printf("seen arguments %d\n", task->mm->arg_start)
	printf("seen code %d\n", task->mm->start_code)
	printf("seen user %d\n", task->cred->uid->val)
	exit()
}
global told
E
program=$("$STAP" --runtime=bpf -w -p4 script.stp) || say_wrong "a script of members"
cp "$program" script

# A result that is a long in 6.12 and an int in 6.18: machines without such probes say so.
cat > sizes.stp << 'E'
probe kernel.function("do_sys_openat2").return {
	if (pid() == target() && $return == -2)
		printf("sizes %d %d\n", $return, @entry($dfd))
}
E
program=$("$STAP" --runtime=bpf -w -p4 sizes.stp) || say_wrong "a script of a result"
cp "$program" sizes

cat > flood.stp << 'E'
global seen, others
probe kernel.trace("sys_enter") {
	if ($id != CALL)
		next
	task = &@cast(task_current(), "task_struct")
	if (task->real_parent->tgid == target() && kernel_string(task->comm) == "themself")
		seen++
	else
		others++
}
probe end { printf("flood %d %d\n", seen, others) }
E
call=$(printf '#include <sys/syscall.h>\nSYS_sched_get_priority_min\n' | gcc -E - | tail -n 1)
sed -i "s/CALL/$call/" flood.stp
program=$("$STAP" --runtime=bpf -w -g -DSTP_NO_OVERLOAD -p4 flood.stp) || say_wrong "a script for a flood"
cp "$program" flood

# Members that only some kernels have: a name that 6.18 has and others lack, in code, in @defined, and printed.
cat > lacking.stp << 'E'
probe kernel.trace("sys_enter") { printf("%d\n", @cast(task_current(), "task_struct")->in_user_fault); exit() }
E
cat > asking.stp << 'E'
probe kernel.trace("sys_enter") {
	if (@defined(@cast(task_current(), "task_struct")->in_user_fault))
		printf("new %d\n", @cast(task_current(), "task_struct")->in_user_fault)
	else
		println("old")
	printf("%d\n", @defined(@cast(task_current(), "task_struct")->no_such_member))
	exit()
}
E
# A member that is new in 7.2: nothing is known about it in the kernel of the translation.
cat > newer.stp << 'E'
probe kernel.trace("sys_enter") {
	println(@defined(@cast(0, "signal_struct")->autoreap) ? "new" : "old")
	exit()
}
E
cat > bound.stp << 'E'
probe kernel.trace("sys_enter") {
%( kernel_vr == "@" %? println("this kernel") %: println("any other") %)
	exit()
}
E
sed -i "s/@/$(uname -r)/" bound.stp
# A result and a parameter that differ between 6.12 and 6.18.
cat > result.stp << 'E'
probe kernel.function("vfs_mkdir").return { printf("%p\n", $return) }
E
cat > parameter.stp << 'E'
probe kernel.trace("tcp_retransmit_skb") { println($err) }
E
others=
for name in lacking asking newer bound result parameter; do
	# a kernel that lacks this, or has the older function, asks nothing
	case $name-$others in asking-*lacking*) ;; asking-*) continue ;; esac
	program=$("$STAP" --runtime=bpf -w -p4 $name.stp 2> err) || continue
	cp "$program" $name
	others="$others $name"
done

# same WHERE: all that the program has told is seen.
same() {
	sed -n 's/^told //p' out | sort > told
	sed -n 's/^seen //p' out | sort > seen
	[ -s told ] && diff told seen > differ || say_wrong "$1: $(cat differ)"
}

# exact WHERE: each call of the flood is seen, or in the books, which add up.
exact() {
	cat out err > both
	awk '/^flood/ { seen = $2; others = $3 }
		/^kernel.trace/ { if ($2 != $3 + $4 + $5) exit 1; skipped = $4 + $5; found = 1 }
		END { exit !found || others || seen > 80000 || seen + skipped < 80000 }' both ||
		say_wrong "$1: the books of a flood: $(grep '^flood\|^kernel.trace' both)"
}

cat > guest.sh << 'E'
./script -c ./themself
./flood -t -c './themself flood' 2>&1
./sizes -c 'cat /nonexistent' 2>&1
echo "# $(uname -r)"
for name; do
	./$name -c /bin/true 2>&1 | sed "s/^/$name: /"
done
E
chmod +x guest.sh

check 0 '/^told ' -- ./script -c ./themself
same here
check 0 '/^flood ' -- ./flood -t -c './themself flood'
exact here
for name in $others; do
	case $name in
	lacking) check 0 '/^0$' -- ./$name -c /bin/true ;;
	asking) check 0 '/^new 0$' '/^0$' -- ./$name -c /bin/true ;;
	newer) check 0 '/^(old|new)$' -- ./$name -c /bin/true ;;
	bound) check 0 '/^this kernel$' -- ./$name -c /bin/true ;;
	parameter) check 0 '!ERROR' -- ./$name -c /bin/true ;;
	esac
done
for tree in ${BPF_KERNELS:-}; do
	# shellcheck disable=SC2086
	STAP_KERNELS=$tree check 0 '/^told ' -- "$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- ./guest.sh $others
	same "$tree"
	exact "$tree"
	grep -qx 'sizes -2 -100' out || say_wrong "$tree: a result of another size: $(grep sizes out)"
	release=$(sed -n 's/^# //p' out)
	for name in $others; do
		case $name in
		lacking) wanted="kernel $release: 'struct task_struct' has no member 'in_user_fault'" ;;
		asking) wanted="asking: old" ;;
		newer) wanted="which the kernel of the translation has not: @defined has decided" ;;
		bound) wanted="kernel_vr == \"$(uname -r)\" is false here" ;;
		result) wanted="'vfs_mkdir' returns 'signed number of 4 bytes', not 'struct dentry *'" ;;
		parameter) wanted="'tcp_retransmit_skb' has no parameter 'err'" ;;
		esac
		case $release-$name in
		*-asking)
			grep -qx "$wanted" out || say_wrong "$tree: $(grep "^$name: " out)"
			continue
			;;
		7.*-newer) ;;
		6.1[2-4].*-result | 6.1[2-4].*-parameter) ;;
		*-result | *-parameter | *-newer)
			grep -q "^$name: ERROR" out && say_wrong "$tree: $(grep "^$name: " out)"
			continue
			;;
		esac
		grep "^$name: " out | grep -qF "$wanted; the script was translated for $(uname -r)" ||
			say_wrong "$tree: $(grep "^$name: " out)"
		grep -qE "^$name: (0|1|new|old|this|any)" out && say_wrong "$tree: $name ran"
	done
done
finish

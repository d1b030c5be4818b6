# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: functions of the library about the current process say what the process itself reads in /proc; one with
# another meaning in a kernel, by a macro of the script, is refused.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

cat > themself.c << 'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handle(int number)
{
}

__attribute__((noinline)) void here(long size, long handler)
{
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	FILE *f = fopen("/proc/self/statm", "r");
	sigset_t set;
	long size;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	if (!f || fscanf(f, "%ld", &size) != 1)
		return 1;
	here(size, (long)handle);
	return 0;
}
END
${CC:-gcc} -g -O1 -o themself themself.c || say_wrong "themself.c"

cat > memory.stp << 'END'
probe process("./themself").function("here") {
	println("args ", cmdline_str(), "|", cmdline_arg(1), "|", cmdline_args(1, 2, ","))
	println("env ", env_var("STAP_TEST_A"), "|", env_var("STAP_TEST_NONE"))
	println("size ", proc_mem_size() == $size, " ", proc_mem_size() == proc_mem_size_pid(pid()))
	println("parts ", proc_mem_rss() > 0 && proc_mem_data() > 0 && proc_mem_txt() > 0)
	println("blocked ", is_sig_blocked(task_current(), 12), is_sig_blocked(task_current(), 10))
	action = &@cast(@cast(task_current(), "task_struct", "kernel")->sighand, "sighand_struct", "kernel")->action[9]
	printf("action %x %d %x\n", get_sa_flags(action) & 0x10000000, get_sa_handler(action) == $handler,
	       get_sigaction_mask(action))
}
END
STAP_TEST_A='b c' check 0 '/^args ./themself one two three\|one\|one,two$' '/^env b c\|$' '/^size 1 1$' '/^parts 1$' \
	'/^blocked 10$' '/^action 10000000 1 1$' -- \
	"$STAP" --runtime=bpf memory.stp -c './themself one two three'

cat > macro.stp << 'END'
%{
#ifdef __KERNEL__
#define NUMBER current->pid
#else
#define NUMBER 0
#endif
%}
function number:long() %{ /* pure */ STAP_RETURN(NUMBER); %}
probe kernel.trace("sys_enter") { println(number()) exit() }
END
check 1 '/macro.stp:9:43: error: number\(\) needs a module, --runtime=kernel: --runtime=bpf cannot do this yet' -- \
	"$STAP" --runtime=bpf -g -p2 macro.stp
check 0 -- "$STAP" --runtime=user -g -p2 -e "$(sed 's/kernel.trace("sys_enter")/begin/' macro.stp)"
finish

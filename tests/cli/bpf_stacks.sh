# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: stacks and symbols of the kernel, registers of a sample, tasks by their addresses and numbers. At
# points that this kernel has; in functions, also in a guest of each kernel below BPF_KERNELS: the same file.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe kernel.trace("sched_process_exec") { exit() }'

# A tracepoint's stack begins in the function that has it, and ends where the program has entered the kernel.
check 0 '/^ 0x[0-9a-f]* : [a-z_]*exec[a-z_.0-9]*\+0x[0-9a-f]*/0x[0-9a-f]*$' \
	'/do_syscall_64|el0_svc' '/^kernel$' '!bpf|trace' -- \
	"$STAP" --runtime=bpf -c /bin/true -e 'probe kernel.trace("sched_process_exec") {
	if (pid() != target()) next
	print_backtrace()
	println(modname(stack(0)))
	if (sprint_backtrace() != sprint_syms(backtrace()) || stack(40) || symname(16) != "0x10")
		println("trace differs")
	if (strtol(tokenize(callers(1), " "), 16) != stack(0)) println("trace begins elsewhere") }'
# Handlers that the process runs have no stack.
check 0 '/^<no kernel backtrace here>$' '/^0$' -- "$STAP" --runtime=bpf -e 'probe begin {
	print_backtrace() println(strlen(backtrace())) exit() } probe kernel.trace("sched_process_exec") { exit() }'
# A symbol is where the kernel's own list has it.
read -r address _ name < <(grep -w 'T sched_clock' /proc/kallsyms)
check 0 "/^$name $name\\+0x1/0x[0-9a-f]* \\[kernel\\]\$" -- \
	"$STAP" --runtime=bpf -e "probe begin { println(symname(0x$address), \" \", symdata(0x$address + 1)) exit() }"

# Samples: in programs there is no stack of the kernel.
check 0 '/^both 1 1$' -- "$STAP" --runtime=bpf -c 'dd if=/dev/zero of=/dev/null bs=1M count=1500 status=none' -e '
	global inside, wrong probe timer.profile {
	if (user_mode()) wrong += strlen(backtrace()) > 0
	else if (execname() == "dd") inside += symname(addr()) == symname(stack(0)) && addr() == stack(0) }
	probe end { println("both ", inside > 0, " ", !wrong) }'

# A session of its own: one that began outside of this namespace of processes has no number here.
check 0 '/^sh 1 1 1 1 0 0 0 1 25 5$' '/^1 1 1 1$' -- "$STAP" --runtime=bpf -c 'setsid -w nice -n 5 /bin/true' -e '
	probe kernel.trace("sched_process_exec") {
	if (execname() != "true" && kernel_string($bprm->filename) != "/bin/true") next
	t = task_current()
	printf("sh %d %d %d %d %d %d %d %d %d %d\n", task_pid(t) == pid(), task_tid(t) == tid(),
		task_execname(t) == execname(), task_execname(task_parent(t)) == pexecname(), task_uid(t), task_egid(t),
		task_state(t), task_cpu(t) == cpu(), task_prio(t), task_nice(t))
	printf("%d %d %d %d\n", sid() > 0, pgrp() > 0, mem_page_size() >= 4096, task_stime() >= 0) }'
# Tasks by their numbers: each process of this namespace or a nested one has one. How large its table of files has
# become depends on what ran before it: a multiple of 64.
check 0 '/^1 1 0 0 1$' '/^7 1 1$' -- "$STAP" --runtime=bpf -DMAXACTION=9000000 \
	-c "bash -c 'ulimit -n 64; exec /bin/true 7<&0'" -e '
	probe kernel.trace("sched_process_exec") {
	if (execname() != "true") next
	t = task_current()
	for (i = 0; i <= 40000; i++) all += pid2task(i) != 0
	printf("%d %d %d %d %d\n", pid2task(tid()) == t, pid2execname(pid()) == "true", pid2task(0), pid2task(1 << 40),
		all > 10 && all < 20000)
	printf("%d %d %d\n", task_rlimit(t, "RLIMIT_NOFILE") == 64 ? 7 : 0,
		task_max_file_handles(t) >= 64 && task_max_file_handles(t) % 64 == 0,
		task_open_file_handles(t) >= 4 && task_start_time(pid()) > 0) }'

cat > script.stp << 'END'
global shown
probe kernel.function("wakeup_flusher_threads").call { if (execname() == "sync" && !shown[1]++) print_backtrace() }
probe kernel.function("ksys_sync").return {
	if (execname() == "sync" && !shown[2]++) { println("returns"); print_backtrace() }
}
probe end { println("ended ", shown[1], " ", shown[2]) }
END
program=$("$STAP" --runtime=bpf -w -p4 script.stp) || say_wrong "a script of functions"
cp "$program" script

# judge WHERE: the function, its caller, and the call that returns.
judge() {
	sed -E 's/^ 0x[0-9a-f]+ : ([^+]*)\+.*/\1/' out | head -2 | xargs > frames
	grep -qx 'wakeup_flusher_threads ksys_sync' frames || say_wrong "$1: $(cat out err)"
	grep -A 1 '^returns$' out | grep -q 'sys_sync+' || say_wrong "$1: a return: $(cat out)"
}

if "$STAP" --runtime=bpf -c true -e 'probe kernel.function("ksys_sync").call { n++ } global n' > out 2> err; then
	check 0 '/^ended 1 1$' -- ./script -c sync
	judge here
else
	grep -q 'neither kprobe.multi' err || say_wrong "a kernel without such probes"
fi
for tree in ${BPF_KERNELS:-}; do
	STAP_KERNELS=$tree check 0 '/^ended 1 1' -- "$TOP/build/bin/stap-vm" --smp 2 --timeout 200 -- ./script -c sync
	judge "$tree"
done
finish

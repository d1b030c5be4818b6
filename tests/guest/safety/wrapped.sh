# Tasks begin, execute programs, stop and end in functions that wrappers call, with threads asleep in them, while other
# tracers have the same functions and a CPU goes and comes back. The scripts come and go meanwhile; calls that sleep
# when they go return later.
# guards: runtime/probe/function runtime/arch/x86_64
set -eu
. "$TOP/tests/wait.inc"
trace=/sys/kernel/tracing cpu1=/sys/devices/system/cpu/cpu1/online
cd "$MODULES"
dir=$(mktemp -d)
[ -e $trace/trace ] || mount -t tracefs tracefs $trace
fail() { cat "$dir"/err*; echo "$1"; exit 1; }
functions=(kernel_clone get_signal bprm_execve do_exit release_task schedule)

nothing() { :; }
nothing_ends() { :; }
calls() { echo "${functions[@]}" > $trace/set_ftrace_filter; echo function > $trace/current_tracer; }
calls_ends() { echo nop > $trace/current_tracer; echo > $trace/set_ftrace_filter; }
graph() { echo "${functions[@]}" > $trace/set_ftrace_filter; echo function_graph > $trace/current_tracer; }
graph_ends() { calls_ends; }
tree() { echo "${functions[@]}" > $trace/set_graph_function; echo function_graph > $trace/current_tracer; }
tree_ends() { echo nop > $trace/current_tracer; echo > $trace/set_graph_function; }
kprobes() {
	for f in kernel_clone get_signal bprm_execve schedule; do
		echo "p:here_$f $f"; echo "r:back_$f $f"
	done > $trace/kprobe_events
	echo 1 > $trace/events/kprobes/enable
}
kprobes_ends() { echo 0 > $trace/events/kprobes/enable; echo > $trace/kprobe_events; }
# BPF's direct calls are refused where there is a wrapper; nothing else happens.
fentry() {
	! type -P bpftrace > /dev/null ||
		! timeout 60 bpftrace -e "fentry:$1 { @ = 1; } interval:s:1 { exit(); }" > "$dir/bpftrace" 2>&1 ||
		fail "bpftrace has $1: $(cat "$dir/bpftrace")"
}

begins() {
	staprun -v -o "$dir/out" "$1.ko" 2> "$dir/err" & run=$!
	wait_in_place "$dir/err" $run || fail "$1: no probes"
	[ "$(uname -m)" != x86_64 ] || grep -q "direct-->wrapper_.*\[$1\]" $trace/enabled_functions ||
		fail "$1: no wrappers: $(cat $trace/enabled_functions)"
}
ends() {
	kill -INT $run
	wait $run || fail "status $?"
	! grep -q "^$1 " /proc/modules || fail "$1 is left"
	[ "$(tail -n 1 "$dir/out")" = 'ended 1' ] || fail "$1: $(cat "$dir/out")"
}
is_stopped() { grep -q '^State:.*T' "/proc/$1/status"; }
works() { "$TOP/build/guest/task_ends" 4 > "$dir/ends" && grep -qx done "$dir/ends"; }
switch_cpu() {
	[ -w $cpu1 ] || return 0
	echo 0 > $cpu1
	works || fail 'without a CPU'
	echo 1 > $cpu1
}

while "$TOP/build/guest/task_ends" 4; do :; done > /dev/null 2>&1 & load=$!
mkfifo "$dir/held"
exec 3<> "$dir/held"
for tracer in nothing calls graph tree kprobes; do
	[ -e $trace/set_graph_function ] || [[ $tracer != @(graph|tree) ]] || continue
	for m in t_wrapped_tasks:kernel_clone t_wrapped_ends:release_task; do
		begins ${m%:*}
		$tracer
		sh -c 'read -r line' <&3 & sleeps=$!
		kill -STOP $sleeps
		wait_until is_stopped $sleeps
		works || fail "$tracer: $m"
		[ $tracer != nothing ] || { switch_cpu; fentry "${m#*:}"; }
		ends ${m%:*}
		staprun -c true t_mapper.ko > /dev/null 2>&1 || : # another module comes where this one was
		kill -CONT $sleeps
		echo >&3
		wait $sleeps || fail "$tracer: a task that was stopped: status $?"
		begins ${m%:*} # the tracer is there already, and ends before
		works || fail "$tracer first: $m"
		${tracer}_ends
		works || fail "$tracer ended: $m"
		ends ${m%:*}
	done
done
kill $load
wait $load || :

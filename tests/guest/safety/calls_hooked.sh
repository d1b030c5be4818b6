# Tasks sleep in a function that a probed one ends in, by a jump. Both return to the same address, which the function
# graph tracer, or somebody's kretprobe of the second function, takes from the stack into a list of its own. The script
# ends while they sleep; another module comes where its module was; they wake up.
# guards: runtime/probe/function runtime/arch/x86_64
set -eu
. "$TOP/tests/wait.inc"
m=t_calls_hooked called=schedule_hrtimeout_range_clock trace=/sys/kernel/tracing
cd "$MODULES"
dir=$(mktemp -d)
[ -e $trace/trace ] || mount -t tracefs tracefs $trace
fail() { cat "$dir"/err*; echo "$1"; exit 1; }
stacks() { for task in "${readers[@]}"; do cat "/proc/$task/stack"; done > "$dir/stacks"; }
all_wait() { stacks; [ "$(grep -c 'do_select+' "$dir/stacks")" -ge "${#readers[@]}" ]; }

kretprobe() { echo "r:hooked $called" > $trace/kprobe_events; echo 1 > $trace/events/kprobes/hooked/enable; }
kretprobe_ends() { echo 0 > $trace/events/kprobes/hooked/enable; echo > $trace/kprobe_events; }
graph() { echo $called > $trace/set_ftrace_filter; echo function_graph > $trace/current_tracer; }
graph_ends() { echo nop > $trace/current_tracer; echo > $trace/set_ftrace_filter; }

begins() {
	staprun -v -o "$dir/out" $m.ko 2> "$dir/err" & run=$!
	wait_in_place "$dir/err" $run || fail 'no probes'
}
ends() {
	kill -INT $run
	wait $run || fail "status $?"
	! grep -q "^$m " /proc/modules || fail 'the module is left'
}
wait_in_select() {
	readers=()
	for ((n = 0; n < 10; n++)); do
		{ read -r -t 1000000 -N 1 -u 3 c; printf %s "$c"; } > "$dir/read.$n" & readers+=($!)
	done
	wait_until all_wait || fail 'nobody waits'
	[ "$(uname -m)" != x86_64 ] || has "$dir/stacks" 'wrapper_[0-9]*+.*\[t_calls_hooked\]' ||
		fail "no wrappers: $(cat "$dir/stacks")"
}
wake() {
	staprun -c true t_mapper.ko > /dev/null 2>&1 || : # another module comes where the first one was
	printf %010d 0 >&3
	for task in "${readers[@]}"; do wait "$task" || fail "a reader: status $?"; done
	[ "$(cat "$dir"/read.*)" = "$(printf %010d 0)" ] || fail "they read $(cat "$dir"/read.*)"
	[ "$(tail -n 1 "$dir/out")" = 'ended 1' ] || fail "$(cat "$dir/out")"
}

mkfifo "$dir/held"
exec 3<> "$dir/held"
for hook in kretprobe graph; do
	[ $hook != graph ] || grep -qw function_graph $trace/available_tracers || continue
	begins; $hook; wait_in_select; ends; wake; ${hook}_ends
	$hook; begins; wait_in_select; ends; ${hook}_ends; wake
	begins; $hook; wait_in_select; ${hook}_ends; ends; wake
done
graph; kretprobe; begins; wait_in_select; ends; wake; kretprobe_ends; graph_ends

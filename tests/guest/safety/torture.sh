# Thousands of probes where the runtime's own helpers and the kernel's probing pass by, tracepoints of the scheduler and
# of memory, all system calls, programs, and timers, under flood; together with the function tracer, kprobe events, perf
# and bpftrace (if installed) on the same functions, while a processor goes and comes back. They are attached and
# detached twice, and the books agree.
# skip: is_slow 'it takes a minute'
# guards: runtime translator/probe
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp) trace=/sys/kernel/tracing
mountpoint -q $trace || mount -t tracefs tracefs $trace
bash -c 'f() { return 0; }; while :; do f; cat /proc/stat; find /etc -maxdepth 1; done' > /dev/null 2>&1 & flood=$!
trap 'kill $flood; echo nop > $trace/current_tracer' EXIT

beside() {
	echo vfs_read ktime_get rcu_note_context_switch > $trace/set_ftrace_filter
	echo function > $trace/current_tracer
	echo 'p:torture vfs_read' > $trace/kprobe_events
	echo 1 > $trace/events/kprobes/torture/enable
	wait_until grep -qE 'vfs_read|ktime_get|rcu_note' $trace/trace ||
		{ echo "the function tracer saw nothing"; exit 1; }
	! type -P perf > /dev/null || perf stat -a -e context-switches sleep 1 > /dev/null 2>&1
	! type -P bpftrace > /dev/null ||
		timeout 60 bpftrace -e 'kprobe:vfs_read { @ = count(); } interval:s:1 { exit(); }' > /dev/null ||
		true
	if [ -e /sys/devices/system/cpu/cpu1/online ]; then
		echo 0 > /sys/devices/system/cpu/cpu1/online
		sleep 0.3
		echo 1 > /sys/devices/system/cpu/cpu1/online
	fi
	echo 0 > $trace/events/kprobes/torture/enable
	echo > $trace/kprobe_events
	echo nop > $trace/current_tracer
}

for round in 1 2; do
	staprun -t -v -o "$out" "$MODULES/t_torture.ko" 2> "$out.err" & run=$!
	wait_in_place "$out.err" $run || { tail "$out.err"; exit 1; }
	beside
	sleep 3
	kill -TERM $run
	wait $run || { echo "round $round: status $?"; grep ERROR "$out.err"; tail "$out.err"; exit 1; }
	grep -qx 'ended: all' "$out" || { echo "round $round"; tail "$out"; exit 1; }
	read -r hits delivered dropped skipped \
		<<< "$(sed -n 's/^total *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) *\([0-9]*\).*/\1 \2 \3 \4/p' "$out.err")"
	echo "round $round: $hits hits, $delivered delivered, $dropped dropped, $skipped skipped"
	[ "$hits" -gt 1000 ] && [ "$hits" = $((delivered + dropped + skipped)) ] || { tail "$out.err"; exit 1; }
	! grep -q '^t_torture' /proc/modules
done

# stapio killed with -9: staprun says so, fails, and the module is gone. staprun killed: its guard removes the module
# when stapio has ended. All of them killed: the next staprun removes it, or -d. SLOW=1: 10 times.
set -eu
. "$TOP/tests/wait.inc"
unloaded() { ! grep -q '^t_endless ' /proc/modules; }
gone() { wait_until unloaded || { echo "still loaded"; return 1; }; }
out=$(mktemp)
mount -t tracefs tracefs /sys/kernel/tracing 2> /dev/null || :
probed() { grep -q '^vfs_read ' /sys/kernel/tracing/enabled_functions; }
unprobed() { ! probed; }

for _ in $(seq $TIMES); do
	: > "$out"
	staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
	wait_until has "$out" tick
	pkill -9 -x stapio
	status=0; wait $run || status=$?
	[ $status = 137 ] || { echo "status $status after stapio was killed"; exit 1; }
	grep -q 'stapio was killed' "$out.err" || { cat "$out.err"; exit 1; }
	gone

	: > "$out"
	staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
	wait_until has "$out" tick
	kill -9 $run
	sleep 0.5
	grep -q '^t_endless ' /proc/modules || { echo "stapio did not go on"; exit 1; }
	pkill -9 -x stapio
	gone
	! pgrep staprun || { echo "a process is left"; exit 1; }
	[ ! -e /proc/stap-t_endless ]

	# Its guard killed as well: then the module stays, idle, until the next one.
	for next in "-d t_endless" "$MODULES/t_params.ko"; do
		: > "$out"
		staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
		wait_until has "$out" tick
		probed || { echo "no probes"; exit 1; }
		pkill -9 staprun
		pkill -9 -x stapio
		wait_until unprobed || { echo "the probes are still there"; exit 1; }
		grep -q '^t_endless ' /proc/modules || { echo "the module is gone by itself?"; exit 1; }
		staprun $next
		gone
	done
	# One that runs, or is left to run, is not touched.
	staprun -L "$MODULES/t_endless.ko" 2> "$out.err"
	staprun "$MODULES/t_params.ko"
	grep -q '^t_endless ' /proc/modules || { echo "a run that was left is gone"; exit 1; }
	staprun -d t_endless 2> "$out.err"
	gone
	[ ! -e /proc/stap-t_endless ]
done

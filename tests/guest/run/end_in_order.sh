# ^C, SIGTERM and SIGHUP: end probes run, the output is whole, status 0, the module is gone.
set -eu
. "$TOP/tests/wait.inc"
for signal in INT TERM HUP; do
	out=$(mktemp)
	# a background job of a script ignores SIGINT; setsid -w with a fresh disposition does not
	env --default-signal=INT staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
	wait_until has "$out" tick
	if [ $signal = INT ]; then pkill -INT -x stapio; else kill -$signal $run; fi
	status=0; wait $run || status=$?
	[ $status = 0 ] || { echo "$signal: status $status"; cat "$out.err"; exit 1; }
	[ "$(tail -n 1 "$out")" = ended ] || { echo "$signal: last line: $(tail -n 1 "$out")"; exit 1; }
	[ "$(head -n 1 "$out")" = begun ] || { echo "$signal: first line: $(head -n 1 "$out")"; exit 1; }
	! grep -q '^t_endless ' /proc/modules || { echo "$signal: still loaded"; exit 1; }
done

# A CPU goes and comes back while a script runs, 3 times (SLOW=1: 30): nothing is lost, and what happens on it later is
# seen.
set -eu
. "$TOP/tests/wait.inc"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo 'not here: a second CPU that can be switched off'; exit 77; }
trap 'echo 1 > $online' EXIT
out=$(mktemp)
staprun -v -t -o "$out" "$MODULES/t_hotplug.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out.err"
news() { tail -n "+$((before + 1))" "$out" | grep -c "$1"; }
works_there() {
	taskset -c 1 cat /dev/zero | head -c 1 > /dev/null
	[ "$(news 'cpu 1 cat')" -gt 0 ] && [ "$(news 'cpu 1 clock')" -gt 0 ] &&
		[ "$(news 'cpu 1 fault')" -gt 0 ]
}
works_here() { [ "$(news timer)" -gt 2 ] && [ "$(news 'cpu 0')" -gt 5 ]; }
for i in $(seq $((3 * TIMES))); do
	before=$(wc -l < "$out")
	wait_until works_there || {
		echo "round $i: $(news 'cpu 1 cat') lines come from the second CPU, $(news 'cpu 1 clock') from its clock"
		exit 1
	}
	echo 0 > $online
	[ "$(cat $online)" = 0 ]
	sleep 1 # what it has said last is written
	before=$(wc -l < "$out")
	wait_until works_here || {
		echo "round $i: $(news timer) lines come from the timer, $(news 'cpu 0') from the other CPU"
		exit 1
	}
	[ "$(news 'cpu 1 clock')$(news 'cpu 1 fault')" = 00 ] || {
		echo "round $i: events of a CPU that is gone"
		exit 1
	}
	echo 1 > $online
done
kill -TERM $run
wait $run || { echo "status $?"; cat "$out.err"; exit 1; }
grep -q '^records: .* 0 out of order$' "$out.err" || { cat "$out.err"; exit 1; }
[ "$(tail -n 1 "$out")" = ended ]

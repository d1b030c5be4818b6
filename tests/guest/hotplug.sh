# A CPU goes and comes back while a script runs: nothing is lost, and what happens on it later is seen.
set -eu
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo 'the second CPU cannot be switched off here'; exit 0; }
trap 'echo 1 > $online' EXIT
out=$(mktemp)
staprun -t -o "$out" "$MODULES/t_hotplug.ko" 2> "$out.err" & run=$!
for _ in $(seq 200); do grep -q begun "$out" && break; sleep 0.1; done
news() { tail -n "+$((before + 1))" "$out" | grep -c "$1"; }
for i in 1 2 3; do
	before=$(wc -l < "$out")
	for _ in $(seq 100); do taskset -c 1 cat /dev/zero | head -c 1 > /dev/null; [ "$(news 'cpu 1 cat')" -gt 0 ] && [ "$(news 'cpu 1 clock')" -gt 0 ] && break; sleep 0.1; done
	[ "$(news 'cpu 1 cat')" -gt 0 ] || { echo "round $i: nothing comes from the second CPU"; exit 1; }
	[ "$(news 'cpu 1 clock')" -gt 0 ] || { echo "round $i: the second CPU's clock stands still"; exit 1; }
	echo 0 > $online
	[ "$(cat $online)" = 0 ]
	sleep 1 # what it has said last is written
	before=$(wc -l < "$out")
	for _ in $(seq 100); do [ "$(news timer)" -gt 2 ] && [ "$(news 'cpu 0')" -gt 5 ] && break; sleep 0.1; done
	[ "$(news 'cpu 1 clock')" = 0 ] || { echo "round $i: the clock of a CPU that is gone"; exit 1; }
	[ "$(news timer)" -gt 2 ] || { echo "round $i: the timer is gone with its CPU"; exit 1; }
	[ "$(news 'cpu 0')" -gt 5 ] || { echo "round $i: nothing comes from the other CPU"; exit 1; }
	echo 1 > $online
done
kill -TERM $run
wait $run || { echo "status $?"; cat "$out.err"; exit 1; }
grep -q '^records: .* 0 behind their time$' "$out.err" || { cat "$out.err"; exit 1; }
[ "$(tail -n 1 "$out")" = ended ]

# Probes of all kinds come and go under load, in two modules that probe the same places: neither is lost, nor are the probed programs.
set -eu
out=$(mktemp)
build/guest/load 100000000 2 & load=$!
bash -c 'f() { return 0; }; while :; do for i in 1 2 3 4 5; do f; done; cat /dev/null; done' & shell=$!
trap 'kill $load $shell' EXIT
wait_for() { for _ in $(seq 300); do grep -q "$1" "$2" 2> /dev/null && return 0; sleep 0.1; done; echo "no '$1' in $2"; cat "$2.err"; return 1; }
for i in $(seq 10); do
	[ "$i" -le 2 ] || [ $SECONDS -lt 25 ] || break
	rm -f "$out".[12]
	staprun -o "$out.1" "$MODULES/t_everything.ko" 2> "$out.1.err" & first=$!
	staprun -o "$out.2" "$MODULES/t_everything_again.ko" 2> "$out.2.err" & second=$!
	wait_for begun "$out.1"
	wait_for begun "$out.2"
	for file in t_everything t_everything_again; do # the last that a start makes
		for _ in $(seq 300); do [ -e /proc/systemtap/$file/stop ] && break; sleep 0.1; done
	done
	sleep 0.$((i * 7 % 10))
	if [ $((i % 2)) = 0 ]; then kill -TERM $first; else echo > /proc/systemtap/t_everything/stop; fi
	kill -TERM $second
	wait $first || { echo "round $i: status $?"; cat "$out.1.err"; exit 1; }
	wait $second || { echo "round $i, the second: status $?"; cat "$out.2.err"; exit 1; }
	grep -q '^ended' "$out.1" && grep -q '^ended' "$out.2" || { cat "$out".[12].err; exit 1; }
	kill -0 $load && kill -0 $shell || { echo "round $i: a program died"; exit 1; }
done
grep -q '^ended: all$' "$out.2" || { cat "$out.2"; exit 1; }
! grep -q '^t_everything' /proc/modules

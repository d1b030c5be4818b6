# Probes of all kinds come and go under load, in two modules that probe the same places: neither is lost, nor are the
# probed programs. 10 times, or as often as half a minute allows; 10 times that with SLOW=1.
# guards: runtime stapio staprun translator/module lib trace
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
build/guest/load 100000000 2 & load=$!
bash -c 'f() { return 0; }; while :; do for i in 1 2 3 4 5; do f; done; cat /dev/null; done' & shell=$!
trap 'kill $load $shell' EXIT
for i in $(seq $((10 * TIMES))); do
	[ "$i" -le 2 ] || [ $SECONDS -lt $((25 * TIMES)) ] || break
	rm -f "$out".[12]
	staprun -v -o "$out.1" "$MODULES/t_everything.ko" 2> "$out.1.err" & first=$!
	staprun -v -o "$out.2" "$MODULES/t_everything_again.ko" 2> "$out.2.err" & second=$!
	for one in 1 2; do wait_until in_place "$out.$one.err" || { cat "$out.$one.err"; exit 1; }; done
	sleep 0.$((i * 7 % 10))
	if [ $((i % 2)) = 0 ]; then kill -TERM $first; else echo > /proc/systemtap/t_everything/stop; fi
	kill -TERM $second
	wait $first || { echo "round $i: status $?"; cat "$out.1.err"; exit 1; }
	wait $second || { echo "round $i, the second: status $?"; cat "$out.2.err"; exit 1; }
	grep -q '^ended' "$out.1" && grep -q '^ended' "$out.2" || { cat "$out".[12].err; exit 1; }
	kill -0 $load && kill -0 $shell || { echo "round $i: a program died"; exit 1; }
done
# Left alone for long enough, each kind has its hits.
has_all() { [ "$(cat /proc/systemtap/t_everything_again/all)" = all ]; }
staprun -v -o "$out.2" "$MODULES/t_everything_again.ko" 2> "$out.2.err" & second=$!
wait_until in_place "$out.2.err" && wait_until has_all || { cat "$out.2.err"; exit 1; }
kill -TERM $second
wait $second
grep -q '^ended: all$' "$out.2" || { cat "$out.2"; exit 1; }
! grep -q '^t_everything' /proc/modules

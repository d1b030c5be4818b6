# The clock is set back and forth, by seconds and by years, and made faster and slower, while two processors print:
# timers continue, the output stays in its original order, and the run ends. 6 times; 60 with SLOW=1.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
. "$TOP/tests/clock.inc"
m=t_steady
cd "$(mktemp -d)"
fail() { head -n 30 err; echo "$1"; exit 1; }
"$MODULES/load" 100000000 2 & load=$!
trap 'kill $load; busybox adjtimex -q -t 10000 -f 0; restore_clock' EXIT
staprun -v -t -o out "$MODULES/$m.ko" 2> err & run=$!
wait_in_place err $run || fail 'it does not begin'
ticks() { cat /proc/systemtap/$m/ticks 2> /dev/null || :; }
# Each of the timers has come again. A reader that meets a lock asks another time.
go_on() {
	ticks > after
	awk 'NR == FNR { split($0, before); next } NF == 3 { for (i = 1; i <= 3; i++) n += $i > before[i] } END { exit n != 3 }' \
		before after
}
for i in $(seq $((6 * TIMES))); do
	wait_until eval 'ticks > before; [ -s before ]'
	case $((i % 6)) in
	0) date -s "@$((now + i))" ;;
	1) date -s "@$((now - 3600))" ;;
	2) date -s "@$((now + 86400 * 365 * 5))" ;;
	3) date -s "@$(($(up) + 1000))" ;; # the kernel takes no time before its own start
	4) busybox adjtimex -q -t 11000 -f 32000000; date -s "@$((now - 2))" ;;
	5) busybox adjtimex -q -t 9000 -f -32000000; date -s "@$((now + 2))" ;;
	esac > /dev/null
	wait_until go_on || fail "round $i: timers stand still: $(cat before after)"
done
restore_clock
kill -INT $run
wait $run || fail "status $?"
[ "$(tail -n 1 out)" = ended ] || fail "$(tail -n 1 out)"
grep -q ' 0 out of order$' err || fail 'out of order'
awk 'NF == 3 { late += $2 < last[$1]; last[$1] = $2; years[int($3 / 86400 / 365)] = 1 }
	END { for (y in years) n++; exit late || n < 3 }' out || fail 'not in order, or without the times that were set'
awk '$1 == "total" && $2 != $3 + $4 + $5 { exit 1 }' err || fail 'the books do not add up'

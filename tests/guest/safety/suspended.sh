# The machine sleeps and is woken by its clock, while scripts count, print and trace the functions that suspend it:
# their timers continue, the output is in order, the books add up. 3 times; 30 with SLOW=1.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
clock=/sys/class/rtc/rtc0/wakealarm state=freeze # where the kernel's clock goes on
if [ ! -w $clock ] && [ -w /sys/power/pm_test ]; then # a kernel for tests wakes by itself, five seconds later
	clock=/dev/null state=mem
	echo core > /sys/power/pm_test
fi
[ -w $clock ] && grep -q $state /sys/power/state || { echo 'not here: a kernel that sleeps and wakes'; exit 77; }
cd "$(mktemp -d)"
fail() { head -n 30 ./*.err; echo "$1"; exit 1; }
insmod "$MODULES/kernel/sleeps.ko"
"$MODULES/load" 100000000 2 & load=$!
trap 'kill $load; rmmod sleeps' EXIT
staprun -v -t -o steady "$MODULES/t_steady.ko" 2> steady.err & steady=$!
staprun -v -t -o asleep "$MODULES/t_asleep.ko" 2> asleep.err & asleep=$!
wait_in_place steady.err $steady && wait_in_place asleep.err $asleep || fail 'they do not begin'
ticks() { cat /proc/systemtap/t_steady/ticks 2> /dev/null || :; }
# Each of the timers has come again.
go_on() {
	ticks > after
	awk 'NR == FNR { split($0, before); next } NF == 3 { for (i = 1; i <= 3; i++) n += $i > before[i] } END { exit n != 3 }' \
		before after
}
for i in $(seq $((3 * TIMES))); do
	wait_until eval 'ticks > before; [ -s before ]'
	echo 0 > $clock
	echo +$((5 + i % 3 * 5)) > $clock # a busy machine may take seconds to fall asleep
	echo $state > /sys/power/state || fail "round $i: the machine does not sleep"
	wait_until go_on || fail "round $i: timers stand still: $(cat before after)"
done
kill -INT $steady $asleep
wait $steady || fail "t_steady: status $?"
wait $asleep || fail "t_asleep: status $?"
[ "$(tail -n 1 steady)" = ended ] || fail "$(tail -n 1 steady)"
# The alarm can be early: a machine about to sleep stays awake.
read -r _ slept _ woken _ stood _ went < <(tail -n 1 asleep)
[ $state = freeze ] || slept=$stood woken=$went
[ "$slept" -gt 0 ] && [ "$slept" = "$woken" ] && [ "$stood" = "$went" ] || fail "$(tail -n 1 asleep)"
for e in steady.err asleep.err; do
	grep -q ' 0 out of order$' $e || fail "$e: out of order"
	awk '$1 == "total" && $2 != $3 + $4 + $5 { exit 1 }' $e || fail "$e: the books do not add up"
done

# The owner of a loaded module makes random calls with hostile arguments on all of its files, from two processes at
# once: as root, and as a user who has the open files, as an attacker who has taken over stapio would. Nothing crashes
# or hangs, the kernel logs nothing, and the module can be removed. 5 seconds; an hour with SLOW=1, or TIME.
set -eu
. "$TOP/tests/wait.inc"
m=t_hostile
time=${TIME:-5} each=3
[ -z "${SLOW-}" ] || time=${TIME:-3600} each=10
is_over() { ! pgrep -x hostile > /dev/null; }
unloaded() { ! grep -q "^$m " /proc/modules; }
# A run that was told to go on without a reader is asked to end.
remove() {
	wait_until is_over || return 1
	staprun -d $m 2> /dev/null || rmmod $m 2> /dev/null || :
	wait_until unloaded
}
seed=0 calls=0 succeeded=0
while [ $time -gt 0 ]; do
	seed=$((seed + 1))
	[ $each -le $time ] || each=$time
	insmod "$MODULES/$m.ko"
	"$MODULES/hostile" $each $seed $((seed % 2 ? 0 : 6001)) $m /proc/stap-$m /proc/systemtap/$m \
		> /tmp/hostile.out ||
		{ echo "seed $seed: status $?"; cat /tmp/hostile.out; exit 1; }
	read -r n _ good _ < /tmp/hostile.out
	calls=$((calls + n)) succeeded=$((succeeded + good)) time=$((time - each))
	remove || { echo "seed $seed: the module stays: $(cat /proc/stap-$m/state)"; exit 1; }
done
echo "$seed rounds, $calls calls, $succeeded succeeded"
[ $succeeded -gt $((calls / 10)) ]

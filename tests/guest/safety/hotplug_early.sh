# A CPU goes and comes back while thousands of functions are probed, by breakpoints that stay breakpoints: the machine
# continues. Functions that a starting CPU calls before it can handle breakpoints get none
# (translator/arch/NAME/kprobes.c).
# guards: translator/arch translator/kernel translator/probe/function
set -eu
. "$TOP/tests/wait.inc"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo 'not here: a second CPU that can be switched off'; exit 77; }
sysctl -qe debug.kprobes-optimization=0
out=$(mktemp)
staprun -v -t -o "$out" "$MODULES/t_hotplug_early.ko" 2> "$out.err" & run=$!
wait_in_place "$out.err" $run || { tail "$out.err"; exit 1; }
for _ in 1 2 3; do
	echo 0 > $online
	echo 1 > $online
	[ "$(taskset -c 1 nproc)" = 1 ]
done
kill -TERM $run
wait $run || { echo "status $?"; tail "$out.err"; exit 1; }
[ "$(tail -n 1 "$out")" = ended ] || { tail "$out" "$out.err"; exit 1; }

# A module's tracepoints are attached each time it is loaded, and released before it is unloaded; also if it is loaded
# before the script.
# skip: no_module softdog
# skip: has_config WATCHDOG_CORE
set -eu
out=$(mktemp)
cat > /tmp/round <<END
. "$TOP/tests/wait.inc"
modprobe softdog
wait_until [ -e /dev/watchdog0 ]
printf V > /dev/watchdog0
rmmod softdog watchdog
END
staprun -o "$out" -c 'bash /tmp/round; bash /tmp/round' "$MODULES/t_late_module.ko" 2> "$out.err" || {
	cat "$out" "$out.err"
	exit 1
}
printf 'begun\nstart 0 1\nstop 0\nstart 0 1\nstop 0\n' | diff - <(uniq "$out") # a write starts it again
grep -q 'module watchdog is not loaded; its tracepoints are probed when it comes' "$out.err" || {
	cat "$out.err"
	exit 1
}
[ "$(grep -c 'not loaded' "$out.err")" = 1 ]

modprobe softdog
staprun -o "$out" -c 'bash /tmp/round; bash /tmp/round' "$MODULES/t_late_module.ko" 2> "$out.err" || {
	cat "$out" "$out.err"
	exit 1
}
printf 'begun\nstart 0 1\nstop 0\nstart 0 1\nstop 0\n' | diff - <(uniq "$out") # a write starts it again
[ ! -s "$out.err" ] || { cat "$out.err"; exit 1; }

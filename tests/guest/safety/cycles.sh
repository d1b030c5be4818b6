# Loaded, run and removed under load 30 times, or as often as a quarter of a minute of a busy machine allows (SLOW=1: 10
# times that); the same module twice is refused. CYCLES=N: N times, and no cache of the kernel has grown by an object
# for most of them.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
loads=2
[ -z "${CYCLES-}" ] || loads=1
build/guest/load 100000000 $loads & load=$!
trap 'kill $load' EXIT
# Caches that are shrunk give back what KASAN holds in quarantine, too, which counts as allocated.
objects() {
	echo 3 > /proc/sys/vm/drop_caches
	sleep 2 # what waits for a grace period
	for cache in /sys/kernel/slab/*/shrink; do echo 1 > "$cache"; done
	# The checking kernel's own store has as many as it likes.
	awk 'NR > 2 && $1 != "debug_objects_cache" { print $1, $2 }' /proc/slabinfo
}
for i in $(seq "${CYCLES:-$((30 * TIMES))}"); do
	[ "$i" -le 5 ] || [ -n "${CYCLES-}" ] || [ $SECONDS -lt $((13 * TIMES)) ] || break
	[ "$i" != 10 ] || objects > /tmp/before
	[ $((i % 50)) != 0 ] || echo "<1>cycle $i" > /dev/kmsg
	rm -f /tmp/out
	env --default-signal=INT staprun -o /tmp/out "$MODULES/t_endless.ko" 2> /tmp/err & run=$!
	wait_until [ -s /tmp/out ]
	if [ "$i" = 1 ]; then
		status=0; staprun "$MODULES/t_endless.ko" > /dev/null 2> /tmp/err2 || status=$?
		[ $status = 4 ] || { echo "a second time: status $status"; cat /tmp/err2; exit 1; }
		grep -q 'loaded already' /tmp/err2 || { cat /tmp/err2; exit 1; }
	fi
	kill -TERM $run
	wait $run || { echo "cycle $i: status $?"; cat /tmp/err; exit 1; }
done
[ -n "${CYCLES-}" ] || exit 0
kill $load
wait $load || :
trap - EXIT
objects > /tmp/after
awk -v most=$((CYCLES * 8 / 10)) 'NR == FNR { before[$1] = $2; next }
	{ n++; if ($2 - before[$1] > most) { print $1 ": " before[$1] " objects, then " $2; grown = 1 } }
	END { if (!n) print "no caches are listed"; exit grown || !n }' /tmp/before /tmp/after

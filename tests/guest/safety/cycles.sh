# Loaded, run and removed under load 30 times, or as often as a quarter of a minute of a busy machine allows (SLOW=1: 10
# times that); the same module twice is refused.
set -eu
. "$TOP/tests/wait.inc"
build/guest/load 100000000 2 & load=$!
trap 'kill $load' EXIT
for i in $(seq $((30 * TIMES))); do
	[ "$i" -le 5 ] || [ $SECONDS -lt $((13 * TIMES)) ] || break
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

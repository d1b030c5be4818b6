# A start that fails leaves nothing, 50 times; 500 with SLOW=1.
# guards: runtime stapio staprun lib trace
set -eu
m=t_endless
. "$TOP/tests/guest/ends.inc"

failing() {
	status=0
	"$@" staprun -x 999999 "$MODULES/$m.ko" > out 2> err || status=$?
	[ $status = 1 ] && grep -q 'ERROR: -x: there is no such process' err || fail "-x 999999: status $status"
	! grep -q "^$m " /proc/modules || fail "-x 999999: left loaded"
}
for _ in $(seq $((50 * TIMES))); do failing; done
gone '-x 999999'

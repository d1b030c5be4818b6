# A start that fails leaves nothing, 50 times; 500 with SLOW=1.
set -eu
. "$TOP/tests/wait.inc"
dir=$(mktemp -d)
cd "$dir"
m=t_endless
fail() { echo "$1"; head -n 20 err; exit 1; }
none_left() { ! grep -q "^$m " /proc/modules && ! pgrep '^stap' > /dev/null && [ ! -e /sys/kernel/debug/stap/$m ]; }
gone() { wait_until none_left || fail "$1: left: $(grep -o "^$m" /proc/modules) $(pgrep -l '^stap')"; }

times=50
[ -z "${SLOW-}" ] || times=500
failing() {
	status=0
	"$@" staprun -x 999999 "$MODULES/$m.ko" > out 2> err || status=$?
	[ $status = 1 ] && grep -q 'ERROR: -x: there is no such process' err || fail "-x 999999: status $status"
	! grep -q "^$m " /proc/modules || fail "-x 999999: left loaded"
}
for _ in $(seq $times); do failing; done
gone '-x 999999'

# A start that fails leaves nothing, also where a process that stapio has made still has
# the module's files when stapio has ended. 50 times; 500 with SLOW=1.
set -eu
dir=$(mktemp -d)
cd "$dir"
m=t_endless
fail() { echo "$1"; head -n 20 err; exit 1; }
gone() { for _ in $(seq 200); do ! grep -q "^$m " /proc/modules && ! pgrep '^stap' > /dev/null && [ ! -e /sys/kernel/debug/stap/$m ] && return; sleep 0.1; done; fail "$1: left: $(grep -o "^$m" /proc/modules) $(pgrep -l '^stap')"; }

times=50
[ -z "${SLOW-}" ] || times=500
failing() {
	status=0
	"$@" staprun -x 999999 "$MODULES/$m.ko" > out 2> err || status=$?
	[ $status = 1 ] && grep -q 'ERROR: -x: there is no such process' err || fail "-x 999999: status $status"
	! grep -q "^$m " /proc/modules || fail "-x 999999: left loaded"
}
for _ in $(seq $times); do failing; done
if command -v strace > /dev/null; then
	failing strace -f -q -o trace -e trace=close_range -e inject=close_range:delay_enter=2000000
fi
gone '-x 999999'

# Each allocation of a module with one probe of each kind fails in turn, while it is loaded, started and stopped: it
# reports that there is no memory, and nothing of it remains. After 10 seconds (SLOW=1: 100), only some of them.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
staprun -o "$out" "$MODULES/t_fail_alloc.ko" 2> "$out.injector" & injector=$!
trap 'kill $injector; wait $injector || true' EXIT
files=/proc/systemtap/t_fail_alloc
wait_until [ -e $files/count ]
# One that is skipped for a lock says so.
again() { wait_until "$@" 2> /dev/null; }
want() { echo "$1" > $files/wanted; }
n=0
while :; do
	n=$((n + (SECONDS < 10 * TIMES ? 1 : 1 + RANDOM % 9))) # a busy machine takes samples
	again want "$n"
	status=0
	staprun -c true "$MODULES/t_everything.ko" > "$out.out" 2> "$out.err" || status=$?
	[ -e $files/count ] || { cat "$out.injector"; exit 1; }
	count=$(again cat $files/count)
	fail() { echo "$n of $count: $1"; cat "$out" "$out.out" "$out.err"; exit 1; }
	! grep -q '^t_everything ' /proc/modules || fail 'still loaded'
	[ ! -e /proc/stap-t_everything ] || fail 'files stay in /proc'
	[ ! -e /proc/systemtap/t_everything ] || fail 'files stay in /proc'
	[ "$count" -ge "$n" ] || break
	case $status in
	# While stopping; or what the kernel had to offer instead was as good.
	0) [ "$(grep -c ended "$out.out")" = 1 ] || fail 'status 0' ;;
	1 | 4) grep -qE 'ERROR: .*([Mm]emory|error 12)' "$out.err" || fail "status $status" ;;
	*) fail "status $status" ;;
	esac
done
[ "$status" = 0 ] || fail "status $status without a failure"
[ "$n" -gt 40 ] || fail 'too few'

# A script ends, and its module is removed, while hits wait for memory that is withheld: on request, with its reader
# killed, and with the programs killed. The programs continue.
# skip: no_config USERFAULTFD
set -eu
. "$TOP/tests/wait.inc"
m=t_deferred_returns
out=$(mktemp)
fail() { cat "$out" "$out.err"; echo "$1"; exit 1; }
# puts_off: the script's code waits as a work of one of the programs
puts_off() {
	local task
	for task in $(pidof absent); do
		! awk -v m="[$m]" '/task_work_run/ && index(before, m) { found = 1 } { before = $0 }
			END { exit !found }' /proc/$task/stack 2> /dev/null || return 0
	done
	return 1
}
unloaded() { ! grep -q "^$m " /proc/modules; }
begin() {
	: > "$out.err"
	staprun -v -o "$out" "$MODULES/$m.ko" 2> "$out.err" & run=$!
	wait_until in_place "$out.err" || fail "it does not begin"
	"$MODULES/absent" keeps-written 3 & programs=$!
	wait_until puts_off || fail "no hit is put off"
}
# ended: staprun is waited for, and the programs are ended
ended() {
	wait_until unloaded || fail "$1: the module stays: $(grep $m /proc/modules)"
	[ "$(pidof absent | wc -w)" = 3 ] || fail "$1: programs have ended: $(pidof absent)"
	kill -9 $(pidof absent)
	wait $programs 2> /dev/null || :
}
for _ in $(seq $TIMES); do
	begin
	kill -INT $run
	wait $run || fail "told to end: status $?"
	[ "$(tail -n 1 "$out")" = "ended: 0 and 0 read" ] || fail "told to end: $(tail -n 1 "$out")"
	ended 'told to end'

	begin
	pkill -9 -x stapio
	! wait $run || fail "reader killed: status 0"
	ended 'reader killed'

	begin
	kill -9 $(pidof absent)
	wait $programs 2> /dev/null || :
	kill -INT $run
	wait $run || fail "programs killed: status $?"
	wait_until unloaded || fail "programs killed: the module stays"
done
rm "$out"*

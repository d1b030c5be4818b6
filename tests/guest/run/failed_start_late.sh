# A start that fails leaves nothing, even if a child of stapio still has the module's files open when stapio has ended.
# skip: no_program strace
set -eu
m=t_commands
. "$TOP/tests/guest/ends.inc"

status=0
strace -f -q -o trace -e trace=close_range -e inject=close_range:delay_enter=2000000 staprun -x 999999 \
	"$MODULES/$m.ko" > out 2> err || status=$?
grep -q 'close_range.*DELAYED' trace || fail 'nothing was delayed'
[ $status = 1 ] && grep -q 'ERROR: -x: there is no such process' err || fail "-x 999999: status $status"
! grep -q "^$m " /proc/modules || fail "-x 999999: left loaded"
wait_until none_left || fail "left: $(pgrep -l '^stap')"

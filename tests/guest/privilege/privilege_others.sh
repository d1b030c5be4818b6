# Other users' modules and processes, and the kernel's: they cannot be ended, removed, read or named away.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place"
install -m 644 "$MODULES"/t_{endless,for_everybody}.ko "$place"

start 6001 5001 staprun -o ann/out t_endless 2> ann/err & run=$!
wait_for grep -qs tick ann/out
kept() {
	loaded t_endless && kill -0 $run && ticks=$(wc -l < ann/out) && sleep 0.5 &&
		[ "$(wc -l < ann/out)" -ge "$ticks" ] || fail "$1: ann's run is gone"
}
not() {
	local text=$1 status=0
	shift
	"$@" > out 2> err || status=$?
	[ $status != 0 ] && grep -qE -- "$text" err || fail "'$*': status $status, or not: $text"
}
not "is another user's: left alone" other staprun -d t_endless
not "is another user's: left alone" other staprun -A t_endless
not 'loaded already' other staprun t_endless
other staprun -d '*' > out 2> err || fail "-d *: status $?"
kept "other user"
# What is not stap's.
victim=$(awk '$3 == 0 && $1 !~ /^t_/ { print $1; exit }' /proc/modules)
[ -z "$victim" ] || not 'is not one of stap' dev staprun -d "$victim"
[ -z "$victim" ] || loaded "$victim" || fail "$victim was removed"
not 'is not one of stap' usr staprun -d kernel
for name in ../t_endless t_endless/../t_endless '../../../../etc' 't_endless x' 't_endless
' "$(printf 'a%.0s' $(seq 300))"; do
	not 'not a module|no module|is another' other staprun -d "$name"
done
kept "names"
# Its files.
for file in ctl ring.0 books probes formats; do
	not 'Permission denied' other cat "/proc/stap-t_endless/$file"
	not 'Permission denied' usr cat "/proc/stap-t_endless/$file"
done
# Its processes: staprun is nobody's to trace, stapio the user's alone.
stapio=$(pgrep -x stapio)
not 'not permitted' other kill -9 $run
not 'not permitted' other kill -9 "$stapio"
[ "$(stat -c %u "/proc/$stapio/fd" )" = 6001 ] || fail "stapio runs as user $(stat -c %u "/proc/$stapio/fd")"
grep -E '^Cap(Inh|Prm|Eff|Amb)' "/proc/$stapio/status" | grep -v '0000000000000000$' && fail "stapio has capabilities"
! usr cat "/proc/$run/environ" > out 2> err || fail "staprun can be looked into"
[ "$(grep CapEff "/proc/$run/status" | tr -d -c '0-9a-f' | tail -c 16)" = 0000000000010020 ] ||
	fail "staprun keeps $(grep CapEff "/proc/$run/status")"
not 'is read by process' usr staprun -A t_endless
# The owner, and those who may all.
usr staprun -d t_endless 2> err || fail "-d of one's own: status $?"
wait $run || fail "after -d: status $?: $(cat ann/err)"
[ "$(tail -n 1 ann/out)" = ended ] || fail "after -d: output"
usr staprun -L t_endless 2> err || fail "-L: status $?"
not "is another user's" other staprun -d t_endless
not "is another user's" other staprun -A t_endless
other staprun -d '*' && loaded t_endless || fail "-d * of another's"
usr staprun -A --timeout=1 t_endless > out 2> err || fail "-A of one's own: status $?"
! loaded t_endless || fail "-A: still loaded"
usr staprun -L t_endless 2> err && as 6002 5001,5003 staprun -d t_endless 2> err || fail "-d by stapdev: status $?"
usr staprun -L t_endless 2> err && staprun -d '*' 2> err && ! loaded t_endless || fail "-d * by root: status $?"
# Root reads it: the owner cannot end what root runs.
usr staprun -L t_endless 2> err
staprun -A -o root.out t_endless 2> root.err & run=$!
wait_for grep -qs tick root.out
not 'in use by another process' usr staprun -d t_endless
kill -0 $run || fail "root's reader was ended"
kill -TERM $run
wait $run
# staprun killed by its own user: what is left is idle, and the user's to remove.
start 6001 5001 staprun -o ann/out2 t_endless 2> err & run=$!
wait_for grep -qs tick ann/out2
usr pkill -9 staprun
usr pkill -9 -x stapio
wait $run 2> /dev/null || :
sleep 0.3
loaded t_endless || fail "gone by itself?"
usr staprun -d t_endless 2> err || fail "-d of what was left: status $?"
! loaded t_endless || fail "what was left is still loaded"
# Commands are the user's.
usr staprun -c 'id -u; id -un; grep CapEff /proc/self/status' t_for_everybody > out 2> err || fail "-c: status $?"
grep -q '^6001$' out && grep -q 'CapEff:.0000000000000000' out || { cat out; fail "-c: not the user's"; }

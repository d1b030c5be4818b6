# skip: no_translator
# Unplanned ends of a run: a limit of file sizes, a reader that does not read and ^C twice, a command that cannot be
# started or is killed, stap killed while the script runs. Each time: the module, its files and its processes are gone,
# the written output is complete, and a message tells what happened.
# guards: runtime stapio staprun lib trace
set -eu
m=t_endless
. "$TOP/tests/guest/ends.inc"
dir=$PWD

# ulimit -f: the file ends at the limit, with a whole record.
status=0
(ulimit -f 64; exec staprun -o limited "$MODULES/$m.ko" 2> err) & run=$!
while [ -e /proc/$run ]; do dd if=/dev/zero of=/dev/null bs=1 count=300 2> /dev/null; done
wait $run || status=$?
[ $status = 1 ] || fail "ulimit -f: status $status"
grep -q 'File too large' err || fail 'ulimit -f: message'
[ "$(stat -c %s limited)" -le 65536 ] && [ "$(stat -c %s limited)" -gt 60000 ] ||
	fail "ulimit -f: $(stat -c %s limited) bytes"
[ "$(tail -c 1 limited | od -An -c | tr -d ' ')" = '\n' ] || fail "ulimit -f: ends in '$(tail -n 1 limited)'"
gone 'ulimit -f'

# A pipe that is full, and nobody reads: the first ^C would end in order, the second does not wait for that.
mkfifo pipe
sleep 1000 < pipe & sleeper=$!
env --default-signal=INT staprun "$MODULES/$m.ko" > pipe 2> err & run=$!
wait_for pidof -q stapio
for _ in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=/dev/null bs=1 count=1000 2> /dev/null; done
pkill -INT -x stapio
sleep 1
pkill -INT -x stapio || :
status=0
wait $run || status=$?
kill $sleeper
gone '^C twice'
echo "^C twice: status $status, $(head -n 1 err)"

# What -c runs: not there; killed. The script ends in order, and the status says that the command did not.
for command in '/nothing/there' 'kill -9 $$'; do
	status=0
	staprun -o out -c "$command" "$MODULES/$m.ko" 2> err || status=$?
	[ $status = 1 ] || fail "-c $command: status $status"
	[ "$(head -n 1 out)" = begun ] && [ "$(tail -n 1 out)" = ended ] || fail "-c $command: $(tail -n 1 out)"
	grep -qE 'WARNING: the command (ended with exit status 127|was killed by signal 9)' err ||
		fail "-c $command: message"
	gone "-c $command"
done

# stap killed with -9: the run is ended in order. The module comes from the cache: it was made on the host
# with the same limits (translate_guest).
export TMPDIR=$dir/tmp
mkdir tmp
limits='-DMAXTRYLOCK=10000 -DTRYLOCKDELAY=50 -DSTP_NO_OVERLOAD'
script=$TOP/tests/guest/modules/run/endless.stp
for point in 1 2 3; do
	rm -f out
	"$TOP/$B/bin/stap" -g $limits -m $m -o out "$script" 2> err & run=$!
	wait_for grep -qs tick out
	sleep 0.$point
	kill -9 $run
	wait $run 2> /dev/null || :
	gone "stap killed, $point"
	[ "$(tail -n 1 out)" = ended ] || fail "stap killed, $point: ends in $(tail -n 1 out)"
	[ -z "$(ls -A tmp)" ] || fail "stap killed, $point: left: $(ls -A tmp)"
done
# Its guard, too: by the same name's first letters. staprun has a guard of its own.
rm -f out
"$TOP/$B/bin/stap" -g $limits -m $m -o out "$script" 2> err & run=$!
wait_for grep -qs tick out
kill -9 $run "$(pgrep -P $run stap-guard)"
wait $run 2> /dev/null || :
pkill -9 -x staprun
pkill -TERM -x stapio
gone 'stap, its guard and staprun killed'
[ "$(tail -n 1 out)" = ended ] || fail "all killed: ends in $(tail -n 1 out)"

# A reader that does not read: the script ends at its time, with its process, with its command and on request; its
# output is there for a reader that finally reads. A second request does not wait for that.
# guards: runtime stapio staprun lib trace
set -eu
m=t_endless
. "$TOP/tests/guest/ends.inc"

mkfifo pipe
mount -t tracefs tracefs /sys/kernel/tracing 2> /dev/null || :
# probed: the script's probes are in place
probed() { grep -q '^vfs_read ' /sys/kernel/tracing/enabled_functions; }
unprobed() { ! probed; }
# blocked COMMAND…: runs it with a pipe that is full; $run is its process
blocked() {
	sleep 1000 < pipe & sleeper=$!
	head -c 65500 /dev/zero > pipe
	env --default-signal=INT "$@" "$MODULES/$m.ko" > pipe 2> err & run=$!
	wait_for probed
	dd if=/dev/zero of=/dev/null bs=1 count=2000 2> /dev/null
}
# Asked twice, staprun does not wait for the reader, not even where its messages go the same way.
for signal in INT TERM; do
	both=
	[ $signal = TERM ] || both='exec 2>&1; '
	blocked sh -c "${both}exec staprun \"\$@\"" sh
	kill -$signal $run
	wait_for unprobed
	sleep 1
	[ -e /proc/$run ] || fail "SIG$signal once: what is in the pipe was given up"
	kill -$signal $run
	status=0
	wait $run || status=$?
	[ $status != 0 ] || fail "SIG$signal twice: status $status"
	kill $sleeper
	gone "SIG$signal twice"
done
# timeout(1) asks staprun and then its group, stapio among them: that is once.
status=0
timeout 1000 staprun -o out "$MODULES/$m.ko" 2> err & run=$!
wait_for grep -qs tick out
kill $run
wait $run || status=$?
[ "$(tail -n 1 out)" = ended ] || fail "timeout: status $status, ends in $(tail -n 1 out)"
gone timeout

# At its time, or with its process, the script ends, whether the pipe is read or not; all that it has printed is there
# when it is.
for end in --timeout=3 -x; do
	sleep 1000 & victim=$!
	[ $end != -x ] || end="-x $victim"
	blocked staprun $end
	kill $victim
	wait_for unprobed
	[ -e /proc/$run ] || fail "$end: staprun did not wait for the reader"
	rm -f out # of the run before
	tr -d '\0' < pipe > out & reader=$!
	wait_for test -s out
	kill $sleeper
	wait $run || fail "$end: status $?"
	wait $reader
	[ "$(head -n 1 out)" = begun ] && [ "$(tail -n 1 out)" = ended ] ||
		fail "$end: from $(head -n 1 out) to $(tail -n 1 out)"
	gone "$end"
done
# The end of the command.
blocked staprun -c "sleep 3"
wait_for unprobed
rm -f out
tr -d '\0' < pipe > out & reader=$!
wait_for test -s out
kill $sleeper
wait $run || fail "-c: status $?"
wait $reader
gone '-c'

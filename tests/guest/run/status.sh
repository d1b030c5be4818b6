# --status and --stop of modules: attached, without a reader, in the background, of other users, with readers that do
# not read, and while they are being removed.
# guards: runtime stapio staprun stap/watch lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place"
install -m 644 "$MODULES"/t_{endless,for_everybody}.ko "$place"
install -m 755 "$TOP/$B/bin/stap" "$sbin"
is() { # is REGEX COMMAND…: a line of what it writes matches
	local text=$1
	shift
	"$@" > out 2> err || fail "'$*': status $?: $(cat out)"
	grep -qE -- "$text" out err || { cat out; fail "'$*': no line matches $text"; }
}
not() { # not REGEX COMMAND…: it fails, and says so
	local text=$1 status=0
	shift
	"$@" > out 2> err || status=$?
	[ $status = 1 ] && grep -qE -- "$text" err || { cat out; fail "'$*': status $status, or not: $text"; }
}
m=t_endless

is 'no script runs on this machine' stap --status
not "no run $m on this machine" stap --stop $m

# One that is read: since when, by whom, how often, which script; its books by probe.
staprun -v --script='my "own" script.stp' -o one "$MODULES/$m.ko" 2> run.err & run=$!
wait_for grep -qs tick one
is "^$m +root +[0-9:]{8} +running +[1-9][0-9]* +[1-9][0-9]* +0 +[0-9]+ +$(pgrep -x stapio)  my 'own' script.stp$" \
	stap --status
is '^ +1 +0 +1 +0 +0 +[1-9][0-9]*  begin$' stap --status $m
for line in '[1-9][0-9]* +[1-9][0-9]* +[1-9].* [1-9][0-9]*  timer.ms\(10\)' '0 +0 +0 +0 +0 +0  end' \
	'.*  kernel.function\("vfs_read.*'; do
	grep -qE "^ +$line$" out || { cat out; fail "books: $line"; }
done
stap --status --json $m > json || fail "--json: status $?"
python3 -c '
import json
run, = map(json.loads, open("json"))
assert run["hits"] == sum(p["hits"] for p in run["probes"]) == run["delivered"] + run["dropped"] + run["skipped"], run
assert run["runtime"] == "kernel" and run["uid"] == 0 and len(run["probes"]) >= 4, run' || fail "--json: $(cat json)"
# Its end is that of ^C, and it is over when --stop is.
stap --stop $m 2> err || fail "--stop: status $?"
! loaded $m || fail "--stop: still loaded"
wait $run || fail "the run that was stopped: status $?"
[ "$(tail -n 1 one)" = ended ] || fail "--stop: $(tail -n 1 one)"

# One without a reader: what nobody has read is what --stop writes, down to the end probe.
staprun -L "$MODULES/$m.ko" 2> err || fail "-L: status $?"
is "^$m +root +[0-9:]{8} +detached +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +-  .*$m.ko$" stap --status
sleep 0.3
stap --stop $m > left 2> err || fail "--stop of -L: status $?"
[ "$(head -n 1 left)" = begun ] && grep -q '^tick' left && [ "$(tail -n 1 left)" = ended ] ||
	fail "--stop of -L: $(head -n 1 left) … $(tail -n 1 left)"
! loaded $m || fail "--stop of -L: still loaded"
staprun -L "$MODULES/$m.ko" 2> err && stap --stop $m -o file 2> err || fail "--stop -o: status $?"
[ "$(tail -n 1 file)" = ended ] || fail "--stop -o: $(tail -n 1 file)"

# In the background, and by the number of its process.
staprun -F -o two "$MODULES/$m.ko" > pid 2> err || fail "-F -o: status $?"
wait_for grep -qs tick two
stap --stop "$(pgrep -x stapio)" 2> err || fail "--stop PID: status $?"
! loaded $m && [ "$(tail -n 1 two)" = ended ] || fail "--stop PID: $(tail -n 1 two)"

# A member of stapusr sees and ends no others' runs; root both, stapdev as well.
start 6001 5001 staprun -o ann/out $m 2> ann/err & run=$!
wait_for grep -qs tick ann/out
is "^$m +ann +.* running " usr stap --status
is '1 more module is loaded that this user may not look at' other stap --status
! grep -q $m out || fail "another user's list: $(cat out)"
not "$m is a module that this user may not look at" other stap --status $m
not "$m is a module that this user may not look at" other stap --stop $m
is '1 more module is loaded' as 6002 6002 stap --status
is 'only root and members of the group stapusr may run staprun' as 6002 6002 stap --status
is "^$m +ann " stap --status
is "^$m +ann " as 6002 5001,5003 stap --status
# A file that is only called like the module's, in mounts of somebody's own, makes nobody its reader.
mkdir fake && cat > fake.sh <<'SH'
mount -t tmpfs none fake && mkdir -p fake/proc/stap-t_endless && > fake/proc/stap-t_endless/ctl
exec 5< fake/proc/stap-t_endless/ctl
umount -l fake
exec sleep 1000
SH
unshare -m sh fake.sh & fake=$!
wait_for eval '[ "$(cat /proc/$fake/comm)" = sleep ]'
is "^$m +ann .* $(pgrep -x stapio)  " stap --status
kill $fake
usr stap --stop $m 2> err || fail "--stop of one's own: status $?"
wait $run || fail "ann's run: status $?"
[ "$(tail -n 1 ann/out)" = ended ] && ! loaded $m || fail "--stop of one's own"

# While modules come and go, each look is whole: a run or none.
until [ -e enough ]; do staprun --timeout=0 -o /dev/null "$MODULES/$m.ko" 2> comes.err || break; done & comes=$!
for looks in $(seq 8); do
	staprun --status '*' > frames 2> err || fail "--status beside the end: status $?"
	python3 -c '
text = open("frames", "rb").read()
while text:
    head, text = text.split(b"\n", 1)
    size = int(head.removeprefix(b"run "))
    assert len(text) >= size and text.startswith(b"name\tt_endless\nowner\t0\n"), head
    text = text[size:]' || fail "--status beside the end: $(cat frames)"
done
touch enough
wait $comes && [ ! -s comes.err ] || fail "runs that come and go: $(cat comes.err)"
staprun -L "$MODULES/$m.ko" 2> err
for i in 1 2 3 4; do stap --stop $m > /dev/null 2> stop.$i & done
wait
! loaded $m || fail "four ends at once: still loaded"

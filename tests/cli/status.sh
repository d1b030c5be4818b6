# SPDX-License-Identifier: GPL-2.0-or-later
# --status and --stop: programs of --runtime=user on this machine, those of other users, and sockets that only look like
# theirs. Modules: tests/guest/run/status.sh.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
name=status_$$ # other tests have runs of their own

check 2 '/--status and --stop cannot both be given' -- $STAP --status --stop x
check 2 "/--stop takes the name of one run; a wildcard, as in 'stap_\*', matches several" \
	-- $STAP --stop x y
check 2 '/--status takes the name of one run' -- $STAP --status -e 'probe begin {}'
check 2 "/--stop needs a name, not ''" -- $STAP --stop ''
check 2 '/--stop needs an argument: NAME' -- $STAP --stop
check 1 "/^stap: no run $name on this machine; stap --status lists them" -- $STAP --status $name
check 1 "/^stap: no run $name on this machine" -- $STAP --stop $name

script='global n probe begin { println("begun") } probe timer.ms(10) { n++ } probe timer.s(5000) { println("late") }
	probe end { println(n > 0 ? "whole" : "nothing") }'
printf '%s\n' "$script" > ticks.stp
$user -m $name ticks.stp > ticks.out 2> ticks.err & run=$!
$user -m ${name}_e -e "$script" > text.out 2>&1 & text=$!
wait_until has ticks.out begun && wait_until has text.out begun
answers() { $STAP --status "$1" 2>&1 | grep -qE "$2"; }
wait_until answers $name '^ +[1-9][0-9]* +[1-9][0-9]* .* timer.ms\(10\)$'

# The list, and one run in full: every probe, whether it was hit or not.
me=$(id -un)
check 0 '/^NAME +USER +SINCE +STATE +HITS +HITS\/S +DROPPED +SKIPPED +PID +SCRIPT$' \
	"/^$name +$me +[0-9:]{8} +running +[1-9][0-9]* +[1-9][0-9]* +0 +0 +[0-9]+  ticks.stp$" \
	"/^${name}_e .* -e global n probe begin \{ println\('begun'\) \}" -- $STAP --status
check 0 "/^name +$name$" '/^script +ticks.stp$' "/^user +$me$" '/^state +running$' '/without the kernel' \
	'/^ +1 +0 +1 +0 +0 +[1-9][0-9]*  begin$' '/^ +0 +0 +0 +0 +0 +0  timer.s\(5000\)$' '/  total$' \
	'!_e$' -- $STAP --status $name
check 0 "/^name +$name$" "/^name +${name}_e$" -- $STAP --status="$name*"
! grep -q "$(printf '\033')" out || say_wrong '--status: colours in a file'
check 0 "/^$(printf '\033')\[1mNAME" -- $STAP --status --color

# JSON: an object a line, which adds up.
$STAP --status --json $name > json || say_wrong "--json: exit status $?"
python3 - "$name" <<'PY' || say_wrong "--json: $(cat json)"
import json, sys, time
run, = [json.loads(line) for line in open("json")]
total = sum(p["hits"] for p in run["probes"])
assert run["name"] == sys.argv[1] and run["runtime"] == "user" and run["script"] == "ticks.stp", run
assert run["hits"] == total == run["delivered"] + run["dropped"] + run["skipped"] and total > 1
assert [p["point"] for p in run["probes"]] == ["begin", "timer.ms(10)", "timer.s(5000)", "end"]
assert run["hits_per_second"] > 0 and run["lost_per_second"] == 0 and run["state"] == "running"
assert 0 <= time.time() - run["since"] < 3600
PY
program=$(python3 -c 'import json; print(json.loads(open("json").readline())["pid"])')
check 0 "/^name +$name$" -- $STAP --status "$program"

# Whoever calls and does not ask, asks too much, or hangs up holds nobody up.
python3 - "$name/$program" <<'PY' || say_wrong 'strange callers: an error'
import socket, sys
calls = []
for i in range(30):
    s = socket.socket(socket.AF_UNIX)
    s.setblocking(False)
    try:
        s.connect("\0stap-run/" + sys.argv[1])
        s.send([b"", b"s", b"x" * 100, b"nothing\n", b"\0\n\n\n", b"status\nstatus\n"][i % 6])
    except (BlockingIOError, ConnectionError):
        pass
    calls.append(s)
PY
wait_until answers $name 'state +running'

# One that never answers is said to be silent; what it calls itself does nothing to a terminal.
python3 - "$name" <<'PY' & fake=$!
import os, socket, sys
def run(name):
    s = socket.socket(socket.AF_UNIX)
    s.bind("\0stap-run/" + name + f"/{os.getpid()}")
    s.listen(5)
    return s
silent, odd = run(sys.argv[1] + "_silent"), run(sys.argv[1] + "_odd\x1b[31m\u009b")
open("ready", "w").close()
while True:
    c, _ = odd.accept()
    try:
        c.recv(100)
        c.sendall(b"name\tother\npid\t1\nowner\t12345\nstate\t77\nscript\t\x1b]0;x\x07\nprobe\t99999999999\t0\t1\n"
                  b"probe\t3\npoint\nprobe\t0\tany\t18446744073709551616\t-1\t\nstarted\t99999999999999999\n\n\tx\n\xff\xfe" +
                  b"y" * 5000)
    except OSError: # other tests list runs as well
        pass
    c.close()
PY
wait_until test -e ready
# Also when its queue is full by now.
for i in 1 2 3 4 5 6 7; do $STAP --status ${name}_silent > /dev/null; done
check 0 "/^${name}_silent +$me +- +silent +- +- +- +- +$fake " -- $STAP --status
check 0 "/^name +${name}_odd\?\[31m\?+$" "/^user +$me$" '/^script +\?\]0;x\?$' "/^process +$fake," \
	'!12345' -- $STAP --status "${name}_odd*"
! LC_ALL=C grep -q "$(printf '[\033\007]')" out || say_wrong 'a run writes to the terminal'
kill $fake

# Somebody has the name that a program would take: it takes another. What has no socket says so.
taken=$($user -p4 -m ${name}_t -e 'probe begin { println("taken") } probe timer.s(5000) { println("late") }')
cat > taken.py <<'END'
import os, socket, sys
ready, go = os.pipe()
pid = os.fork()
if not pid:
	os.read(ready, 1)
	os.execv(sys.argv[1], [sys.argv[2], "-T", "300"]) # the end where it cannot be stopped
s = socket.socket(socket.AF_UNIX)
s.bind(f"\0stap-run/{sys.argv[2]}/{pid}")
os.write(go, b".")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
python3 taken.py "$taken" ${name}_t > taken.out 2> taken.err & run_taken=$!
wait_until has taken.out taken
check 0 "/^name +${name}_t$" '/^state +running$' -- $STAP --status ${name}_t
check 0 -- $STAP --stop ${name}_t
wait $run_taken && [ ! -s taken.err ] || say_wrong "its name was taken: $(cat taken.err)"
long=$(printf '%0110d' 0)
(exec -a "$long" "$taken" -T 1) > taken.out 2> taken.err || say_wrong "a name that is too long: status $?"
has taken.err '^WARNING: stap --status, --stop and --exporter cannot reach this run: no socket: File name too long$' ||
	say_wrong "a name that is too long: $(cat taken.err)"

# Another user sees neither what they do nor can end them. What such a user has does not stand in the way.
if [ "$(id -u)" = 0 ]; then
	as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent TMPDIR=/tmp'
	# stap and its directory may be out of that user's reach.
	shared=$(mktemp -d /tmp/stap-status.XXXXXX) && cp "$STAP" "$shared" && chmod 755 "$shared"
	check 1 "/^stap: $name \(process $program\) is a run of user $me; only that user and root may" \
		-- $as_nobody "$shared/stap" --stop $name
	check 1 "/^stap: $name \(process $program\) is a run of user $me" '!ticks' \
		-- $as_nobody "$shared/stap" --status $name
	check 0 "!$name" -- $as_nobody "$shared/stap" --status
	rm -rf "$shared"
	$as_nobody python3 - "$name" "$program" <<'PY' || say_wrong 'another user is answered'
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect("\0stap-run/" + "/".join(sys.argv[1:]))
try:
    s.send(b"stop\n")
    assert not s.recv(100)
except ConnectionError:
    pass
PY
	kill -0 "$program" || say_wrong 'another user has ended a run'
fi

# The end is that of ^C: end probes have run and all is written when --stop returns, by name, number and wildcard.
check 0 '!.' -- $STAP --stop $name
[ "$(cat ticks.out)" = "$(printf 'begun\nwhole')" ] || say_wrong "--stop: printed $(cat ticks.out)"
wait $run || say_wrong "the run that was stopped: exit status $?"
! kill -0 "$program" 2> /dev/null || say_wrong '--stop returns before the end'
check 1 "/no run $name on" -- $STAP --stop $name
check 0 "/^stap: ended ${name}_e$" -- $STAP -v --stop "${name}_*"
[ "$(cat text.out)" = "$(printf 'begun\nwhole')" ] || say_wrong "--stop: printed $(cat text.out)"
wait $text || say_wrong "the run of -e: exit status $?"

# A command of -c is told, as at ^C.
$user -m ${name}_c -c 'sleep 1000; echo late' -e 'probe begin { println("with") } probe end { println("done") }' \
	> c.out &
run=$!
wait_until answers ${name}_c 'state +running'
check 0 -- $STAP --stop ${name}_c
wait $run || say_wrong "-c: exit status $?"
[ "$(cat c.out)" = "$(printf 'with\ndone')" ] || say_wrong "-c: printed $(cat c.out)"
finish

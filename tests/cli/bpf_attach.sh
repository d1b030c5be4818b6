# SPDX-License-Identifier: GPL-2.0-or-later
# staprun -L leaves a program of --runtime=bpf without a reader, -A attaches to it, as with modules: detaching, killed
# readers, one reader at a time, -d, -c, --timeout, data, books; and users who may not attach.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: no_program setpriv /usr/bin/python3
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

cat > left.stp << 'END'
global n, last = 0
probe begin { println("begun") }
probe timer.ms(20) { printf("tick %d\n", ++n); if (n == last) exit() }
probe end { println("ended ", n) }
END
name=left$$
"$STAP" --runtime=bpf -w -p4 -m $name left.stp > out 2>&1 || say_wrong "stap: $(cat out)"
run=${STAP%/*}/staprun
leave() { check 0 "/^$name goes on without a reader.\$" "/^staprun -A $name" -- "$run" -L "$@" ./$name.bpf; }
status() { "$run" --status $name 2> /dev/null | sed -n "s/^$1	//p"; }
is_kept() { [ "$(status kept)" = 1 ]; }
is_gone() { [ -z "$(status pid)" ]; }
count() { grep -c "^tick" "$1"; }
# consecutive FILE...: the ticks of the files are all numbers from 1 on.
consecutive() { cat "$@" | sed -n 's/^tick //p' | awk '$1 != NR { bad = 1 } END { exit bad || !NR }'; }
# attach FILE: a reader in the background; `pid` is its process.
attach() {
	"$run" -A -t $name > "$1" 2> "$1.err" & pid=$!
}
has_ticks() { grep -q ^tick "$1"; }

# Detached by SIGQUIT: the next reader gets the rest, and the books have everything.
leave
check 4 "/program $name goes on without a reader already" "/staprun -A $name attaches" -- "$run" -L ./$name.bpf
is_kept || say_wrong "not kept: $("$run" --status $name)"
attach one
wait_until has_ticks one || say_wrong "no output: $(cat one one.err)"
check 1 "/program $name is read by process $pid already" -- "$run" -A $name
is_kept && say_wrong "kept while it is read"
kill -QUIT $pid
wait $pid || say_wrong "detached: status $?"
grep -q "^$name goes on without a reader" one.err || say_wrong "detached: $(cat one.err)"
sleep 0.2
attach two
wait_until has_ticks two && kill -INT $pid
wait $pid || say_wrong "interrupted: status $?"
grep -q '^begun' one && grep -q '^ended' two && consecutive one two ||
	say_wrong "output: $(tail -n 2 one; head -n 2 two)"
n=$(($(count one) + $(count two)))
grep -qE "^timer.ms\(20\) +$n +$n +0 +0 " two.err || say_wrong "books of $n: $(cat two.err)"
wait_until is_gone || say_wrong "it is still there"

# A reader that is killed leaves it as it was; the process that holds it leaves nothing.
before=$(loaded 0)
leave
attach one
wait_until has_ticks one
kill -9 $pid
{ wait $pid; } 2> /dev/null || :
wait_until is_kept || say_wrong "not kept after its reader was killed"
attach two
wait_until has_ticks two || say_wrong "not attached again: $(cat two.err)"
kill -9 "$(status pid)"
wait $pid && say_wrong "killed: status 0"
grep -q "program $name (process .*) has been killed" two.err || say_wrong "killed: $(cat two.err)"
no_more() { [ "$(loaded 0)" -le "$before" ]; }
wait_until no_more || say_wrong "programs are left"
check 1 "/no module $name is loaded" -- "$run" -A $name

# Ends: -d with unread output; the script, before its reader comes; --timeout; the command of -c; a reader that left.
leave
sleep 0.3
check 0 "/^WARNING: $name: the output of [0-9]+ hits was not read" -- "$run" -d $name
leave -G last=5
sleep 0.3
check 0 '/^begun$' '/^tick 5$' '/^ended 5$' '!^tick 6' -- "$run" -A $name
leave
check 0 '!^begun' -- "$run" -A --timeout=0 -o file $name
grep -q '^begun' file && grep -q '^ended' file || say_wrong "-o: $(cat file)"
leave
check 1 '/^tick' '/^WARNING: the command ended with exit status 3' '/^ended' -- \
	"$run" -A -c 'sh -c "sleep 0.1; exit 3"' $name
leave
check 0 '/"text": *"begun' '/"final": *true' -- "$run" -A --json --timeout=0 $name
leave
"$run" -A $name | head -n 1 > out
[ "${PIPESTATUS[0]}" = 141 ] || say_wrong "a reader that left: ${PIPESTATUS[0]}"
wait_until is_gone || say_wrong "a reader that left: it is still there"
leave
check 0 '/^begun$' '/^ended' -- "$STAP" --stop $name
# As data: records that were not stored are told, whoever ends. A file that cannot be begun ends the run.
rows() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("select count(*) from timer_ms_20").fetchone()[0])' "$1"; }
leave -G last=40
check 0 '!not stored' -- "$run" -A --to sqlite:whole.db $name
[ "$(rows whole.db)" = 40 ] || say_wrong "--to: $(rows whole.db) rows"
leave
"$run" -A --to sqlite:detached.db $name 2> err & pid=$!
wait_until [ -s detached.db ] && sleep 0.5
kill -QUIT $pid
wait $pid && ! grep 'not stored' err || say_wrong "--to, detached: $(cat err)"
sleep 0.1
"$run" -A --timeout=60 --to sqlite:killed.db $name 2> err & pid=$!
wait_until [ -s killed.db ] && sleep 1.5
kill -KILL "$(pgrep -P $pid -x stap-merge)"
wait $pid && say_wrong "--to, killed: status 0"
read -r missing stored < <(sed -n "s/^ERROR: sqlite:killed.db: stap-merge was killed by signal 9; \([0-9]*\) \
records were not stored, \([0-9]*\) were\$/\1 \2/p" err)
[ "${missing:--}" != - ] && [ "$(rows killed.db)" = "$stored" ] ||
	say_wrong "--to, killed: $(rows killed.db) rows: $(cat err)"
wait_until is_gone || say_wrong "--to, killed: it goes on"
leave
sleep 0.3
check 1 '/it exists already' '/^ERROR: sqlite:whole.db: [0-9]+ records were not stored, 0 were$' -- \
	"$run" -A --to sqlite:whole.db $name
wait_until is_gone || say_wrong "--to, a file that is there: it goes on"

# By stap, which names what reaches it; with -o, a process in the background reads.
check 0 "/^flown$$ goes on without a reader.\$" "/^staprun -A flown$$" -- "$STAP" -F --runtime=bpf -m flown$$ left.stp
check 0 '/^begun$' '/^ended' -- "$run" -A --timeout=0 flown$$
check 0 '/^[0-9]+$' -- "$STAP" -F --runtime=bpf -o flown -m flown$$ left.stp
wait_until has_ticks flown || say_wrong "-F -o: $(cat flown)"
check 0 -- "$STAP" --stop flown$$
grep -q '^ended' flown || say_wrong "-F -o: $(tail -n 1 flown)"

sleep 1000 & target=$!
leave -x $target
kill $target
sleep 0.2
is_kept || say_wrong "-x: it has ended with its process"
check 1 '/-x: there is no such process' -- "$run" -A -x 999999 $name
wait_until is_kept
"$run" -d $name 2> /dev/null

# The newest output is kept, or with drop the oldest; the books say so.
cat > much.stp << 'END'
global n
probe timer.ms(1) { for (i = 0; i < 200; i++) printf("%d %0200d\n", ++n, 7) }
END
"$STAP" --runtime=bpf -w -p4 -m much$$ -s 1 much.stp > out 2>&1 || say_wrong "stap: $(cat out)"
much() {
	"$run" -L "$@" ./much$$.bpf 2> /dev/null
	sleep 1.5
	"$run" -A -t --timeout=0 much$$ > out 2> err
	awk '$1 ~ /^timer/ { exit !($4 > 0 && $2 == $3 + $4) }' err || say_wrong "$*: $(cat err)"
}
much
! grep -q '^1 ' out || say_wrong "the oldest output is kept"
much --on-full=drop
grep -q '^1 ' out || say_wrong "the oldest output is not kept"

# A program that reads its output itself; false sockets of its name; other users.
"$run" -o self ./$name.bpf & pid=$!
wait_until has_ticks self
check 1 "/reads its output itself: -A is for those that staprun -L" -- "$run" -A $name
check 0 -- "$run" -d $name
wait $pid
leave
cat > false.py << 'END'
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind("\0stap-run/%s/1" % sys.argv[1])
s.listen(5)
print("bound", flush=True)
while True:
    c = s.accept()[0]
    try:
        c.send(b"ok\n")
        c.recv(100)
        c.send(b"reading\nend 7 7 7\n")
    except OSError:
        pass
END
setpriv --reuid 6002 --regid 6002 --clear-groups /usr/bin/python3 - $name < false.py > bound & false=$!
wait_until grep -q bound bound || say_wrong "no false socket"
cat > others.py << 'END'
import array, os, socket, sys
for line in open("/proc/net/unix"):
    if "@stap-run/%s/" % sys.argv[1] in line and not line.rstrip().endswith("/1"):
        s = socket.socket(socket.AF_UNIX)
        s.connect("\0" + line.split()[-1][1:])
        s.settimeout(5)
        try:
            s.send(b"attach\n")
            print("answer:", s.recv(99))
        except OSError:
            print("answer: b''")
END
INPUT=others.py check 0 "/^answer: b''" '!ok' -- \
	setpriv --reuid 6002 --regid 6002 --clear-groups /usr/bin/python3 - $name
check 0 '/^begun' '/^ended' -- "$run" -A --timeout=0 $name
kill $false
{ wait $false; } 2> /dev/null || :
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# stap killed with -9 at points spread over its work: nothing of it remains in the temporary directory, in the cache, or
# as a process; the cache's contents are complete; a running script is ended cleanly. A point or two for each kind of
# work; 12, and a set-uid run, with SLOW=1.
# guards: lib stap/main.c translator/base stap/run translator/build runtime/user
. "$TOP/tests/cli/expect.inc"
points=2
[ -z "${SLOW-}" ] || points=12
export SYSTEMTAP_DIR=$WORK/systemtap

# left NAME: a file of the cache that no run looks for, or a process that works in one of these directories
left() {
	find "$SYSTEMTAP_DIR" -name '*.??????' ! -name '*.recipe' ! -name '.prefix.gch' ! -name 'prefix.h.gch' |
		head -n 3
	find "$SYSTEMTAP_DIR" -name '.[0-9]*' | head -n 3
	ls -A "$TMPDIR"
	pgrep -f "$TMPDIR/stap"
}
nothing_left() { [ -z "$(left)" ]; }
gone() { wait_until nothing_left || say_wrong "$1: left: $(left)"; }

# killed WHAT BEFORE COMMAND…: BEFORE is run before each time
killed() {
	local what=$1 before=$2 from taken i pid
	shift 2
	$before
	from=$(date +%s%N)
	"$@" > out 2> err || say_wrong "$what: does not run"
	taken=$((($(date +%s%N) - from) / 1000))
	for i in $(seq $points); do
		$before
		"$@" > out 2> err & pid=$!
		sleep "$(printf '%d.%06d' $((taken * i / (points + 1) / 1000000)) $((taken * i / (points + 1) % 1000000)))"
		kill -9 $pid 2> /dev/null
		wait $pid 2> /dev/null
		gone "$what, point $i of $points"
	done
	"$@" > out 2> err || say_wrong "$what: does not run after it was killed"
}
cold() { rm -rf "$SYSTEMTAP_DIR"; }
# The kernel's objects are there, the script is new.
number=0
another() { number=$((number + 1)); echo "probe begin { println($number) exit() }" > another.stp; }

killed 'a program, nothing cached' cold $STAP --runtime=user -e 'probe begin { println("there") exit() }'
grep -qx there out || say_wrong 'a program: does not say what it is to say'
if [ -n "$KERNEL" ]; then
	[ -n "${SLOW-}" ] || points=1
	killed 'a module, nothing cached' cold $STAP -r "$KERNEL" -p4 -e 'probe begin { exit() }'
	[ -z "${SLOW-}" ] || killed 'a new module' another $STAP -r "$KERNEL" -p4 another.stp
fi

# is_running PID: stap's run has begun: the program is there, and catches SIGTERM or waits for it.
is_running() {
	local child set
	for child in $(pgrep -P "$1"); do
		case $(readlink "/proc/$child/exe") in */stap_*) ;; *) continue ;; esac
		for set in $(sed -nE 's/^Sig(Cgt|Blk):\t//p' "/proc/$child/status"); do
			[ $((0x$set & 1 << 14)) = 0 ] || return 0
		done
	done
	return 1
}

# While it runs: the run ends in order, and the directory goes.
$STAP --runtime=user -e 'probe begin { println("begun") } probe timer.s(100) { } probe end { println("ended") }' > out \
	2> err & pid=$!
wait_until is_running $pid
kill -9 $pid
wait $pid 2> /dev/null
wait_until has out ended || say_wrong 'a run is not ended in order'
gone 'a run'

# A set-uid staprun outlives the signal that the kernel would send for its parent's death; it is the guard that ends it.
# (stap-vm stands for it: no module can be loaded here.)
if [ -n "${SLOW-}" ] && [ -n "$KERNEL" ] && [ "$(id -u)" = 0 ] &&
	setpriv --reuid 6001 --clear-groups test -r "$TOP/runtime/api.h"; then
	place=$(mktemp -d /tmp/killed.XXXXXX)
	mkdir -p "$place/bin" "$place/share" "$place/cache"
	chmod -R 755 "$place"
	chown 6001 "$place/cache"
	cp "$STAP" "$place/bin"
	ln -s "$TOP" "$place/share/stap"
	printf '#include <unistd.h>\nint main(void) { write(1, "waits\\n", 6); sleep(1000); }\n' > waits.c
	gcc -w -o "$place/bin/stap-vm" waits.c
	chmod 4755 "$place/bin/stap-vm"
	setpriv --reuid 6001 --regid 6001 --clear-groups env TMPDIR=/tmp HOME=/nothing SYSTEMTAP_DIR="$place/cache" \
		"$place/bin/stap" --vm="$KERNEL" -e 'probe begin { exit() }' > out 2> err & pid=$!
	wait_until has out waits
	run=$(pgrep -P $pid stap-vm) || say_wrong 'a set-uid run does not begin'
	kill -9 $pid
	wait $pid 2> /dev/null
	wait_until [ ! -e "/proc/$run" ] || { say_wrong 'a set-uid run goes on'; kill -9 "$run"; }
	rm -rf "$place"
fi

# Killed by its name, with its children: the one that removes the directory has another.
mkfifo slow
$STAP --runtime=user -p3 slow > out 2> err & pid=$!
wait_until has_files "$TMPDIR"
[ "$(ps -o comm= --ppid $pid)" = stap-guard ] || say_wrong "its guard: $(ps -o comm= --ppid $pid)"
kill -9 $pid
wait $pid 2> /dev/null
gone 'while it reads'

# The guard killed: stap says nothing, and does its work.
$STAP --runtime=user -e 'probe begin { println("begun") } probe timer.s(1) { exit() }' > out 2> err & pid=$!
wait_until is_running $pid
kill -9 "$(pgrep -P $pid stap-guard)"
wait $pid || say_wrong "status $? when the guard was killed"

echo 'probe begin { println("begun") } probe timer.s(3) { println("not ended"); exit() } probe end { println("ended") }' \
	> waits.stp
$STAP --runtime=user -p4 waits.stp > out 2> err

# nohup: what hangs up does not end it.
rm -f ended
(trap '' HUP; exec $STAP --runtime=user waits.stp > ended) & pid=$!
wait_until is_running $pid
kill -HUP $pid $(pgrep -P $pid | grep -v "$(pgrep -P $pid stap-guard)")
wait $pid || say_wrong "nohup: status $?"
grep -q 'not ended' ended || say_wrong 'nohup: SIGHUP has ended the run'
rm -rf "$TMPDIR"/stap??????

# A job in the background of a shell's: the shell has ^C set aside for it, and kill -INT ends it all the same.
rm -f ended
(trap '' INT QUIT; exec $STAP --runtime=user waits.stp > ended) & pid=$!
wait_until has ended begun
kill -INT $pid
wait $pid || say_wrong "in the background: status $?"
! grep -q 'not ended' ended && grep -qx ended ended || say_wrong "in the background: $(cat ended)"
(trap '' INT QUIT; exec $STAP --runtime=user -p3 slow > out 2> err) & pid=$!
wait_until has_files "$TMPDIR"
kill -INT $pid
! wait $pid 2> /dev/null || say_wrong 'in the background: read to its end'
gone 'in the background, while it reads'
finish

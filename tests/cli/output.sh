# SPDX-License-Identifier: GPL-2.0-or-later
# Output of the passes, warnings, colours, and files left behind.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
hello='probe begin { println("hello") exit() }'
unused='global u probe begin { println("hello") }'
unset NO_COLOR

check 0 '/^probe begin' -- $user -p1 -e "$hello"
check 0 '/^# probes' '/begin' -- $user -p2 -e "$hello"
check 0 '/^#include' '/stp_' -- $user -p3 -e "$hello"
# A value that is added to an aggregate changes what the script asks for, and no more; what is printed at the end asks
# as well.
kept() { check 0 "/$1( }|,|$)" -- $user -p3 -e "global s, t probe begin { s <<< 1 t[1] <<< 2 } probe end { $2 }"; }
kept '"s", \.keeps = 0' 'println(@count(s), @count(t[1]))'
kept '^.\.keeps = 0' 'println(@count(s), @count(t[1]))'
kept '"s", \.keeps = STP_KEEP_SUM' 'println(@avg(s), @count(t[1]))'
kept '^.\.keeps = STP_KEEP_MIN' 'println(@count(s), @min(t[1]))'
kept '^.\.keeps = STP_KEEP_MAX' 'foreach (k in t @max- limit 1) println(k, @sum(s))'
kept '"s", \.keeps = STP_KEEP_SUM \| STP_KEEP_SQUARES' 'println(@variance(s), @hist_log(t[1])[0])'
kept '"s", \.keeps = STP_KEEP_SUM \| STP_KEEP_MIN \| STP_KEEP_MAX' 'println(@count(t[1]))'
check 0 '/^Pass 1: parsed user script: 1 probes in' '/^Pass 3: translated to C' -- $user -v -p3 -e "$hello"
check 0 "/Keeping temporary directory \"$TMPDIR/stap" -- $user -k -p3 -e "$hello"
rm -rf "$TMPDIR"/stap*

# Warnings
check 0 "/^<input>:1:8: warning: global variable 'u' is never used" -- $user -p3 -e "$unused"
check 0 '!warning' -- $user -w -p3 -e "$unused"
check 1 "/^<input>:1:8: error: global variable 'u' is never used" -- $user -W -p3 -e "$unused"

# Colours: never where no terminal is, unless asked for.
escape=$(printf '\033')
check 1 "!$escape" '/error:' -- $user -p1 -e 'probe'
check 1 "/^$escape\[00;34m<input>:1:6$escape\[0m: $escape\[01;31merror:$escape\[0m expected" \
	"/^ *$escape\[01m\^$escape\[0m$" -- $user --color=always -p1 -e 'probe'
check 1 "/$escape\[01;31merror:" -- $user --color -p1 -e 'probe'
check 1 "/^  probe begin { $escape\[01m=$escape\[0m }$" -- $user --colour -p1 -e 'probe begin { = }'
NO_COLOR=1 check 1 "/$escape\[01;31merror:" -- $user --color=always -p1 -e 'probe'
SYSTEMTAP_COLORS=error=35:caret=07 check 1 "/$escape\[35merror:" "/$escape\[07m\^" "/$escape\[00;34m<input>" \
	-- $user --color -p1 -e 'probe'
SYSTEMTAP_COLORS= check 1 "!$escape" -- $user --color -p1 -e 'probe'
SYSTEMTAP_COLORS=nothing=1 check 1 "!$escape" -- $user --color -p1 -e 'probe'
SYSTEMTAP_COLORS=error=red check 1 "!$escape" -- $user --color -p1 -e 'probe'
check 1 "!$escape" -- $user --color=never -p1 -e 'probe'

# The caret stands under the place, in long lines too.
long=$(printf 'probe begin { x = "%0500d" + }' 0)
check 1 '/^ +\^$' '/^<input>:1:524: error: expected an expression' -- $user -p1 -e "$long"
[ "$(awk '{ if (length > 260) print }' err)" = "" ] || say_wrong "an excerpt is not cut"

# Lists
check 0 '/^timer' -- $user -l 'timer.s(1)'
check 1 '/no probe point matches' -- $user -l 'nothing_like_that*'
check 1 '/unknown probe point' -- $user -L 'nothing_like_that'
if [ -n "$KERNEL" ]; then
	check 0 '/^kernel.function\("vfs_read"\)' '!vfs_write' -- $STAP -r "$KERNEL" -l 'kernel.function("vfs_read*")'
	check 0 '/^kernel.function\("vfs_read"\).*\$file:.*\$count:' \
		-- $STAP -r "$KERNEL" -L 'kernel.function("vfs_read")'
	check 1 '/no function matches' -- $STAP -r "$KERNEL" -l 'kernel.function("nothing_like_that_*")'
	check 0 '/^kernel.trace\("sched_switch"\)$' -- $STAP -r "$KERNEL" -l 'kernel.trace("sched_switch")'
	check 0 '/^kernel.trace\("sched:sched_switch"\)$' '!"(irq|net|block):' \
		-- $STAP -r "$KERNEL" -l 'kernel.trace("sched:*")'
	# Named by a macro of the header's own.
	check 0 '/^kernel.trace\("writeback:writeback_exec"\)$' -- $STAP -r "$KERNEL" -l 'kernel.trace("write*:*_exec")'
fi
check 3 '/nothing-like-this' -- $STAP -r 9.9.9-nothing-like-this -p2 -e "$hello"

# Output that nobody takes.
check 1 '/writing to standard output: No space left' -- sh -c "$user -p3 -e '$hello' > /dev/full"
bin=$(dirname "$STAP")
for command in "$STAP -h" "$STAP -V" "$STAP -l 'timer.s(1)'" "$STAP -L 'timer.s(1)'" "$STAP --doc print" \
	"$STAP --examples" "$STAP --dump-functions" "$user -p2 -e '$hello'" "$user -e '$hello'" \
	"$user -e 'probe begin { for (i = 0; i < 20000; i++) println(i) exit() }'" \
	"$bin/staprun -h" "$bin/staprun -V" "$bin/stapio -h" "$bin/stapio -V" \
	"$bin/stap-merge -h" "$bin/stap-merge -V" "$bin/lket-b2a -h" "$bin/lket-b2a -V" \
	"$bin/dtrace --help" "$bin/tapset-man --names '$TOP'"; do
	check 1 '/writing .*: No space left' -- sh -c "$command > /dev/full"
	check 1 '/writing .*: Bad file descriptor' -- sh -c "$command >&-"
done
check 1 '/^ERROR: writing /dev/full: No space left' -- $user -o /dev/full -e "$hello"
# A reader that goes away, where nothing more is printed.
status=$($user -e 'probe begin { println("hello") } probe timer.s(50) { exit() }' 2> err |
	head -n 1 > out; echo "${PIPESTATUS[0]}")
[ "$status" = 141 ] && [ ! -s err ] || say_wrong "a reader that goes away: status $status"
status=$($user -e 'probe timer.ms(1) { println("hello") } probe end { println("ended") }' 2> err |
	head -n 1 > out; echo "${PIPESTATUS[0]}")
[ "$status" = 141 ] && [ ! -s err ] || say_wrong "a reader that goes away early: status $status"
# Its reader may come later.
mkfifo pipe
{ sleep 0.3; head -n 1 pipe > out; } &
check 1 '/writing pipe: Broken pipe' -- $user -o pipe -e 'probe timer.ms(1) { println("hello") }'
# Messages that nobody gets; where there are none, nothing is lost, and no file takes the place of a stream.
check 1 '/^hello$' -- sh -c "$user -e 'probe begin { println(\"hello\") warn(\"lost\") exit() }' 2>&-"
check 0 '/^hello$' -- sh -c "$user -e '$hello' 2>&- <&-"
check 0 -- sh -c "$user -o file -e '$hello' >&- 2>&- <&-"
[ "$(cat file)" = hello ] || say_wrong "-o with closed streams: $(cat file)"

# Files that others have made for us.
if [ "$(id -u)" = 0 ]; then
	mkdir shared theirs && chmod 1777 shared && chown 12345 theirs
	echo mine > victim
	ln -s ../victim shared/link && chown -h 12345 shared/link
	ln victim theirs/hard
	echo theirs > shared/theirs && chown 12345 shared/theirs
	printf 'provider p { probe a(); };\n' > p.d
	for name in shared/link:"the link 'link' is user 12345's" theirs/hard:'it has 2 names .hard links.' \
		shared/theirs:"it is user 12345's, in a directory where everybody can make files"; do
		for command in "$user -o ${name%%:*} -e '$hello'" "$bin/dtrace -h -s p.d -o ${name%%:*}" \
			"$bin/dtrace -G -s p.d -o ${name%%:*}"; do
			check 1 "/${name%%:*}: ${name#*:}" -- sh -c "$command"
		done
	done
	check 3 "/the cache .*/theirs/mine/cache is below .*/theirs, where another user could replace it" \
		-- env SYSTEMTAP_DIR=theirs/mine $user -e "$hello"
	[ "$(cat victim shared/theirs)" = "$(printf 'mine\ntheirs')" ] ||
		say_wrong "others' files are written: $(cat victim shared/theirs)"
	rm -r shared theirs
fi

# One file, two writers.
$user -o file -e 'probe begin { println("first") } probe timer.s(60) { exit() }' & first=$!
wait_until has file first
check 1 '/^ERROR: file: it is being written by another run \(process [0-9]+\)' -- $user -o file -e "$hello"
[ "$(cat file)" = first ] || say_wrong "a second writer: $(cat file)"
kill $first; wait $first 2> /dev/null
check 0 -- $user -o file -e "$hello"
# What begin prints is there at once, also when nothing else happens: the program is built, so that it starts within
# microseconds.
for again in {1..20}; do
	rm -f file
	$user -o file -e 'probe begin { println("first") } probe timer.s(60) { exit() }' & first=$!
	wait_until has file first || { say_wrong "what begin prints waits for the next event ($again)"; again=; }
	kill $first; wait $first 2> /dev/null
	[ -n "$again" ] || break
done

$user -p3 -e "$hello" 2> err | true
[ -z "$(ls -A "$TMPDIR")" ] || say_wrong "a closed pipe leaves a temporary directory"
check 3 '/No such file' -- env TMPDIR=/nothing/there $user -p3 -e "$hello"

# Interrupted while it reads: the temporary directory goes.
for signal in INT TERM HUP; do
	mkfifo slow
	set -m
	$user -p3 slow > out 2> err &
	pid=$!
	set +m
	wait_until has_files "$TMPDIR"
	[ -n "$(ls -A "$TMPDIR")" ] || say_wrong "no temporary directory was made"
	kill -s $signal $pid
	wait $pid 2>/dev/null
	[ -z "$(ls -A "$TMPDIR")" ] || say_wrong "SIG$signal leaves a temporary directory"
	rm -f slow
done
finish

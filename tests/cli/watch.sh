# SPDX-License-Identifier: GPL-2.0-or-later
# tests/watch.c: a command that makes progress may take its time; one that does not, or never ends, is killed with all
# its children.
# guards: tests/watch.c
. "$TOP/tests/cli/expect.inc"
check 7 '!watch:' -- "$WATCH" --cpu 1 --idle 1 sh -c 'exit 7'
check 137 '!watch:' -- "$WATCH" sh -c 'kill -9 $$'
check 127 '/nothing-like-this: No such file' -- "$WATCH" nothing-like-this
check 125 '/^usage:' -- "$WATCH" --nothing 1 true
check 124 '/nothing of it ran for [12] s' -- "$WATCH" --idle 1 sleep 1000
check 124 '/it has used [1-9] s of processor time' -- "$WATCH" --cpu 1 sh -c 'while :; do :; done'
# Waiting by turns is waiting.
check 124 '/nothing of it ran for [23] s' -- "$WATCH" --cpu 100 --idle 2 sh -c 'while :; do sleep 0.1; done'

# What it started, in sessions of its own, and what does not want to end.
check 124 -- "$WATCH" --idle 1 bash -c 'setsid sleep 1234567 & exec setsid -w sleep 1234567'
! pgrep -f 'sleep 1234567' > out || say_wrong "left: $(cat out)"

# Progress is whatever comes and goes in a directory: 6 times half a second are no standstill of 2.
mkdir progress
check 0 '!watch:' \
	-- "$WATCH" --idle 2 --progress progress bash -c 'for i in 1 2 3 4 5 6; do sleep 0.5; : > progress/$i; done'
# Processor time as somebody else counts it.
mkdir clock
check 124 '/it has used [23] s' \
	-- "$WATCH" --cpu 2 --clock clock bash -c 'for i in 1 2 3; do sleep 0.5; : > clock/$i; done; sleep 1000'
mkdir told
check 0 '!watch:' -- "$WATCH" --publish told sh -c 'exit 0'
"$WATCH" --publish told sh -c 'i=0; while [ ! -e told/1 ]; do i=$((i + 1)); done'
[ -e told/1 ] || say_wrong "published: $(ls told)"

# Waiting gives up when nothing else goes on; a thing that comes late is not missed.
(sleep 2; : > late) &
wait_until [ -e late ] || say_wrong 'what comes late is missed'
finish

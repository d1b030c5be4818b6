# SPDX-License-Identifier: GPL-2.0-or-later
# ^C at the terminal while stap is about to fork: it reaches only stap, which passes it on to the run.
# skip: no_program strace || no_terminal
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DIR=$WORK/systemtap
echo 'probe begin { println("begun") } probe timer.s(3) { println("not ended"); exit() } probe end { println("ended") }' \
	> waits.stp
$STAP --runtime=user -p4 waits.stp > out 2> err

# Typed when the first child is there; the second waits for 8 s.
types() {
	wait_until has calls 'clone\(' >&2
	sleep 2
	printf '\003'
	wait_until has calls '\+\+\+ exited' >&2
}
: > calls
types 2> typed |
	script -qec \
	"strace -o calls -e trace=clone -e inject=clone:delay_enter=8000000:when=2 $STAP --runtime=user -o ended waits.stp" \
	/dev/null > out 2>&1
[ "$(grep -c 'clone(' calls)" = 2 ] || say_wrong "stap forks otherwise: $(cat calls typed)"
has calls 'exited with (0|130) ' && ! has ended 'not ended' ||
	say_wrong "^C before the fork is lost: $(cat calls ended typed)"
finish

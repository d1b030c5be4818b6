# SPDX-License-Identifier: GPL-2.0-or-later
# Returns of system calls that read memory of programs are deferred if a page is missing, unless the handler must run at
# the return: for the kernel's stack, for registers, or for C that has effects.
. "$TOP/tests/cli/expect.inc"
# repeats WORD BODY: how the hits of such a return are repeated, and "entry" when it may wait at the entry, too
repeats() {
	$STAP -r "$KERNEL" -p3 -g -e "global n
		function written() %{ STAP_PRINTF(\"x\"); %}
		function number:long() %{ /* pure */ STAP_RETVALUE = 1; %}
		function frames:long() { return strlen(backtrace()) }
		probe syscall.write.return { $2 }" > out 2> err
	sed -n 's/.*\.repeat = stp_pages_repeat_\([a-z]*\),.*/\1/p; s/.*\.begins_waiting = true.*/entry/p' out |
		sort -u -r > repeats
	[ "$(paste -s -d+ repeats)" = "$1" ] ||
		say_wrong "$2: not ${1:-left alone}"
}
repeats return 'n = strlen(user_string($buf))'
repeats return 'n = number() + strlen(user_string($buf)) + strlen(ubacktrace())'
repeats return 'n = strlen(argstr)'
repeats return+entry 'n = strlen(@entry(user_string($buf)))'
repeats '' 'n = $fd'
repeats '' 'n = strlen(user_string($buf)) + strlen(backtrace())'
repeats '' 'n = strlen(user_string($buf)) + frames() + stack_used()'
repeats '' 'if (user_string($buf) == "x") $return = 1'
repeats '' 'if (user_string($buf) == "x") written()'
finish

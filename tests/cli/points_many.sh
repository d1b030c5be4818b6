# SPDX-License-Identifier: GPL-2.0-or-later
# More points than 16 bits can number: each has its own line in the books, and hits belong to the right one.
# guards: runtime translator/module translator/emit translator/probe
. "$TOP/tests/cli/expect.inc"
{
	echo 'global n, last'
	seq -s', ' -f 'timer.s(%.0f)' 1001 66540 | sed 's/^/probe /; s/$/ { println(last) }/'
	echo 'probe begin(1), begin(2), begin(3) { n++ last = pp() if (n == 3) exit() }'
	echo 'probe end { println(n, " ", last) }'
} > script.stp
check 0 '/^3 begin\(3\)$' '/^begin\(1\) +1 +1 +0 +0 +[0-9]+$' '/^begin\(3\) +1 +1 +0 +0 +[0-9]+$' \
	-- $STAP --runtime=user -t script.stp
finish

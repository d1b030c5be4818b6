# SPDX-License-Identifier: GPL-2.0-or-later
# Locks that probes take, according to the generated C: globals that all probes lock together share one.
. "$TOP/tests/cli/expect.inc"

# locks COUNTS SHARED SCRIPT: the probes that differ take so many locks, and these globals have another one's.
locks() {
	local counts shared
	check 0 -- $STAP -w --runtime=user -p3 -e "$3"
	counts=$(sed -n 's/^#define NLOCKS_[0-9]* //p' out | xargs)
	shared=$(sed -n 's/.*\.name = "\([^"]*\)".*shares_lock = true.*/\1/p' out | xargs)
	[ "$counts:$shared" = "$1:$2" ] || say_wrong "'$3': locks $counts, shared by '$shared'; expected $1, '$2'"
}

A='probe timer.s(1)' B='probe timer.s(2)'
locks "1" "" "global a $A { a[1] = 1 println(a[1]) }"
locks "1" "b c" "global a, b, c $A { a[1] = 1 b[a[1]] = \"x\" c = a[1] println(b[1], c) }"
# Read in one probe and written in another is together, too.
locks "1 1" "b" "global a, b $A { a[1] = b[1] + 1 } $B { b[1] = a[1] }"
# One of them alone somewhere: two locks.
locks "2 1" "" "global a, b $A { a[1] = b[1] println(a[1]) } $B { b[1] = 2 }"
locks "2 1" "c" "global a, b, c $A { a[1] = b[1] c[1] = a[1] println(c[1]) } $B { b[1] = 2 }"
# Probes that run while no other does may take more than they use.
locks "1 1" "b" "global a, b $A { a[1] = 1 b[1] = 2 println(b[1]) } probe end { println(a[1]) }"
# A variable that nobody writes needs none.
locks "1" "" "global a = 5, b $A { b[a] = 1 println(b[a]) }"
# Locks of functions count.
locks "1 1" "b" "global a, b function f() { b[1]++ return b[1] } $A { a[f()] = 1 } $B { println(a[f()]) }"
# Arrays that probes only add to share theirs with each other alone.
locks "1 1" "b" "global a, b $A { a[1] <<< 1 b[2] <<< 2 } probe end { println(@count(a[1]), @count(b[2])) }"
locks "1 2" "" "global a, b $A { a[1] <<< 1 } $B { b[2] = @count(a[1]) println(b[2]) }"
locks "2 2 1" "" "global a, b $A { a[1] <<< 1 b[1] = 1 } $B { a[1] <<< b[2] } probe end { println(@count(a[1])) }"
finish

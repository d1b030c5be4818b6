# SPDX-License-Identifier: GPL-2.0-or-later
# Locks that probes take, according to the generated C: globals that all probes lock together share one.
. "$TOP/tests/cli/expect.inc"

# locks COUNTS SHARED SCRIPT: the probes that differ take so many locks, and these globals have another one's.
locks() {
	local counts shared
	check 0 -- $STAP -w --runtime=user -p3 -e "$3"
	counts=$(sed -n 's/.*STP_LOCKS([0-9]*, \([0-9]*\)).*/\1/p' out | xargs)
	shared=$(sed -n 's/.*\.name = "\([^"]*\)".*shares_lock = true.*/\1/p' out | xargs)
	[ "$counts:$shared" = "$1:$2" ] || say_wrong "'$3': locks $counts, shared by '$shared'; expected $1, '$2'"
}

# ways WAYS SCRIPT: in which way each probe that differs takes its locks.
ways() {
	local found
	check 0 -- $STAP -w -r "$KERNEL" -p3 -e "$2"
	found=$(sed -n 's/^\tSTP_USE([^,]*, \([A-Z]*\)),$/\1/p' out | xargs)
	[ "$found" = "$1" ] || say_wrong "'$2': locked by $found; expected $1"
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
# So are arrays of which probes set one element, if that is all that they change.
if [ -n "$KERNEL" ]; then
	A='probe kernel.trace("sched_switch")' B='probe kernel.trace("sched_waking")' END='probe end { println(a[1]) }'
	ways "ADD ALONE" "global a $A { a[1] = 1 } $END"
	ways "ADD ALONE" "global a $A { a[cpu()] = gettimeofday_ns() } $END"
	ways "ADD ALONE" "global a $A { if (pid() == 1) next; k = tid() + 1; a[k] = k } $END"
	ways "ADD READ WRITE ALONE" "global x, a $A { a[x] = x } $B { x = 1 } $END"
	# Not if something else would show an order, or an incomplete change.
	ways "WRITE READ" "global a $A { a[1] = 1; a[2] = 1 } $B { delete a[1] } $END"
	ways "WRITE READ" "global a $A { a[1] = 1; println(1) } $END"
	ways "WRITE READ" "global a $A { for (i = 0; i < 2; i++) a[i] = 1 } $END"
	ways "WRITE READ" "global a $A { if (a[1] < pid()) a[1] = pid() } $END"
	ways "WRITE READ" "global a $A { if (pid() == 1) a[1] = 1; else a[2] = 2 } $END"
	ways "WRITE READ" "global a function f() { a[1] = 1 } $A { f() } $END"
	ways "WRITE READ" "global a $A { a[1] = execname() } $END"
	ways "WRITE READ" "global a% $A { a[pid()] = 1 } $END"
	ways "WRITE READ READ" "global a, b $A { a[1] = 1; b++ } $END probe end { println(b) }"
	ways "WRITE WRITE READ" "global a $A { a[1] = 1 } $B { a[1]++ } $END"
	ways "WRITE READ" "global a $A { a[1] = 1 } $B { if (a[1]) next; println(2) } $END"
fi
finish

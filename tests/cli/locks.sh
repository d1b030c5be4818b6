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

# elements "COUNT:WAYS" SCRIPT: so many handlers take the lock of one element; the ways as above.
elements() {
	local found
	check 0 -- $STAP -w -r "$KERNEL" -p3 -e "$2"
	found="$(grep -c '^	[a-z ]*held_.* = stp_shards_take' out || :):$(sed -n 's/^\tSTP_USE([^,]*, \([A-Z]*\)),$/\1/p' out | xargs)"
	[ "$found" = "$1" ] || say_wrong "'$2': elements and ways $found; expected $1"
}

A='probe timer.s(1)' B='probe timer.s(2)'
locks "1" "" "global a $A { a[\"x\"] = 1 println(a[\"x\"]) }"
locks "1" "b c" "global a, b, c $A { a[\"x\"] = 1 b[sprint(a[\"x\"])] = \"x\" c = a[\"x\"] println(b[\"x\"], c) }"
# Read in one probe and written in another is together, too.
locks "1 1" "b" "global a, b $A { a[\"x\"] = b[\"x\"] + 1 } $B { b[\"x\"] = a[\"x\"] }"
# One of them alone somewhere: two locks.
locks "2 1" "" "global a, b $A { a[\"x\"] = b[\"x\"] println(a[\"x\"]) } $B { b[\"x\"] = 2 }"
locks "2 1" "c" "global a, b, c $A { a[\"x\"] = b[\"x\"] c[\"x\"] = a[\"x\"] println(c[\"x\"]) } $B { b[\"x\"] = 2 }"
# Probes that run while no other does may take more than they use.
locks "1 1" "b" "global a, b $A { a[\"x\"] = 1 b[\"x\"] = 2 println(b[\"x\"]) } probe end { println(a[\"x\"]) }"
# A variable that nobody writes needs none.
locks "1" "" "global a = \"x\", b $A { b[a] = 1 println(b[a]) }"
# Locks of functions count.
locks "1 1" "b" "global a, b function f() { b[\"x\"]++ return b[\"x\"] } $A { a[sprint(f())] = 1 } $B { println(a[sprint(f())]) }"
# Arrays that probes only add to share theirs with each other alone.
locks "1 1" "b" "global a, b $A { a[\"x\"] <<< 1 b[\"y\"] <<< 2 } probe end { println(@count(a[\"x\"]), @count(b[\"y\"])) }"
locks "1 2" "" "global a, b $A { a[\"x\"] <<< 1 } $B { b[\"y\"] = @count(a[\"x\"]) println(b[\"y\"]) }"
locks "2 2 1" "" "global a, b $A { a[\"x\"] <<< 1 b[\"x\"] = 1 } $B { a[\"x\"] <<< b[\"y\"] } probe end { println(@count(a[\"x\"])) }"
# So are arrays of which probes set one element, if that is all that they change.
if [ -n "$KERNEL" ]; then
	A='probe kernel.trace("sched_switch")' B='probe kernel.trace("sched_waking")' END='probe end { println(a[1]) }'
	ways "ADD ALONE" "global a $A { a[1] = 1 } $END"
	ways "ADD ALONE" "global a $A { a[cpu()] = gettimeofday_ns() } $END"
	ways "ADD ALONE" "global a $A { if (pid() == 1) next; k = tid() + 1; a[k] = k } $END"
	ways "ADD READ WRITE ALONE" "global x, a $A { a[x] = x } $B { x = 1 } $END"
	# Not if something else would show an order, or an incomplete change.
	ways "WRITE READ" "global a $A { a[1] = 1; a[2] = 1 } $B { delete a[1] } $END"
	ways "WRITE READ" "global a $A { for (i = 0; i < 2; i++) a[i] = 1 } $END"
	ways "WRITE READ" "global a $A { if (pid() == 1) a[1] = 1; else a[2] = 2 } $END"
	ways "WRITE READ" "global a function f() { a[1] = 1 } $A { f() } $END"
	ways "WRITE READ" "global a% $A { a[pid()] = 1 } $END"
	ways "WRITE READ" "global a $A { a[1] = 1 } $B { if (a[1] + a[2]) next; println(2) } $END"

	# Handlers that use an array by one key lock this element themselves; others lock all.
	WALK='probe end { foreach (k in a) println(k, a[k]) }'
	elements "2:" "global a $A { a[1] = 1; println(1) } $END"
	elements "1:ALL" "global a $A { if (a[1] < pid()) a[1] = pid() } $WALK"
	elements "1:ALL" "global a $A { a[1] = execname() } $WALK"
	elements "1:WRITE READ ALL" "global a, b $A { a[1] = 1; b++ } probe end { println(b) foreach (k in a) println(k) }"
	elements "2:ALL" "global a $A { a[tid()] = 1 } $B { if (tid() in a) delete a[tid()] } $WALK"
	elements "1:ALL" "global a $A { k = tid() * 2 + 1; if (a[k]) next; n = a[k]; a[k] = n + 1 } $WALK"
	elements "1:ALL" "global a $A { a[cpu(), pid() % 4]++; println(a[cpu(), pid() % 4]) } probe end { foreach ([i, j] in a) println(i) }"
	elements "1:ALL" "global a $A { a[tid()] <<< 1; if (@count(a[tid()]) > 9) delete a[tid()] } probe end { foreach (k in a) println(k) }"
	elements "2:" "global a, b $A { a[tid()] = b[pid()]; b[pid()]++; println(a[tid()]) }"
	# A timer that uses one key, too, locks only that; it does not make the others wait.
	elements "2:ALL" "global a $A { a[1] = a[1] + 1 } probe timer.s(1) { println(a[1]) } $WALK"
	# Not by keys that may change, or fail, or that functions and conditions use as well.
	elements "0:WRITE READ" "global a $A { k = tid(); if (k > 1) k = 1; a[k] = a[k] + 1 } $WALK"
	elements "0:WRITE READ" "global a $A { if (pid() > 1) k = tid(); a[k] = a[k] + 1 } $WALK"
	elements "0:WRITE READ" "global a $A { a[k] = 1; k = tid(); println(a[k]) } $WALK"
	elements "0:WRITE READ" "global a $A { a[tid()] = a[pid()] + 1 } $WALK"
	elements "0:WRITE READ" "global a $A { a[gettimeofday_ns()]++; delete a[gettimeofday_ns()] } $WALK"
	elements "0:WRITE READ" "global a $A { a[100 / pid()]++; println(a[100 / pid()]) } $WALK"
	elements "0:WRITE READ" "global a function f() { return a[1] } $A { a[1] = 1; println(f()) } $WALK"
	elements "0:WRITE WRITE READ" "global a $A if (a[1] < 9) { a[1]++; println(1) } $B { a[1] = a[1] + 1 } $WALK"
	elements "0:WRITE READ" "global a $A { delete a[tid()]; delete a; a[tid()]++ } $WALK"
	elements "0:WRITE READ" "global a $A { if ([*] in a) a[tid()] = a[tid()] + 1 } $WALK"
	elements "0:WRITE READ" "global a[100] $A { a[tid()] = a[tid()] + 1 } $WALK"
	elements "0:WRITE READ" "global a $A { a[execname()] = a[execname()] + 1 } $WALK"
	# Not if another frequent probe uses all elements.
	elements "0:WRITE READ" "global a $A { a[1] = a[1] + 1 } $B { foreach (k in a) println(k) } $WALK"
	# Not if frequent probes only read: they share the lock.
	elements "0:READ WRITE" "global a $A { if (pid() in a) println(1) } probe timer.s(1) { a[1]++; delete a[2] }"
	# The numbers of processors change only in probes that may sleep.
	elements "1:ALL" "global a $A { a[cpu()] = a[cpu()] + 1 } probe procfs.read { \$value = sprint(a[cpu()]) }"
fi
finish

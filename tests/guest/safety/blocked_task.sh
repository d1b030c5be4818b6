# A program keeps a task of its own, or a read of a script's file, in a page fault that it does not serve: the script
# ends nevertheless, within seconds, reports this, and its module is removed when the program has continued.
# skip: no_config USERFAULTFD
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
m=t_blocked_task
cd "$MODULES"
out=$(mktemp)
fail() { cat "$out" "$out.err"; echo "$1"; exit 1; }
await() { wait_until has "$2" "$1" || fail "no '$1'"; }
has_ended() { [ ! -e /proc/$run ] || has /proc/$run/stat "\) Z"; }
hold() { # MESSAGE [FILE]
	staprun -o "$out" $m.ko 2> "$out.err" & run=$!
	await begun "$out"
	mkfifo "$out.hold"
	./blocked_task ${2-} < "$out.hold" > "$out.held" & held=$!
	exec 3> "$out.hold"
	await held "$out.held"
	kill -INT $run
	wait_until has_ended ||
		fail "staprun does not end: $(cat /proc/$run/stack 2> /dev/null; cat /proc/$(pidof stapio)/stack)"
	[ -z "$(pidof stapio)" ] || fail "stapio is left"
	grep -q "$1.*the module stays until it" "$out.err" && grep -q "later: staprun -d $m" "$out.err" ||
		fail "nothing is said"
	[ "$(tail -n 1 "$out")" = ended ] || fail "end has not run"
	[ "$(awk -v m=$m '$1 == m { print $3 }' /proc/modules)" = 1 ] ||
		fail "the module is not held: $(grep $m /proc/modules)"
	exec 3>&-
	wait $held || fail "the program: $(cat "$out.held")"
	staprun -d $m
	! grep -q "^$m " /proc/modules || fail "the module is left"
	rm "$out"*
	out=$(mktemp)
}
hold 'a task that perf counters are for'
hold "a file of the script's below /proc/systemtap is still in use" /proc/systemtap/$m/n

# Tables that a user's stapio makes while a script runs serve the user's own processes: stacks of root's processes,
# which run the same program, are still cut. Tables that root's stapio makes serve all.
# guards: runtime stapio cfi tests/guest/privilege.inc
. "$TOP/tests/guest/privilege.inc"
install -m 755 "$MODULES/newcomer" "$MODULES/layer_thin" .
# twice USER…: runs the program as ann and as root while the script runs, and compares what it says
twice() {
	local want=$1 own others
	shift
	as 6001 6001 ./newcomer & own=$!
	./newcomer & others=$!
	"$@" staprun -t "$MODULES/t_tables_own.ko" > out 2> err || fail "'$*': status $?"
	kill $own $others
	grep -qx "$want" out || fail "'$*': $(cat out), not $want"
	! grep -E '[1-9][0-9]* (dropped|skipped)' err || fail "'$*': hits are lost"
}
twice "own whole, others' cut" dev
twice "own whole, others' whole" env
! dmesg | grep -E 'BUG|Oops|general protection' || exit 1

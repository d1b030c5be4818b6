# Two modules on the same probes: each has its own output and books; the end of one does not affect the other.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
ticks() { grep -c tick "$out.1"; }
gets_on() { [ "$(ticks)" -gt "$1" ]; }
staprun -t -o "$out.1" "$MODULES/t_endless.ko" 2> "$out.1.err" & first=$!
wait_until has "$out.1" tick
for _ in 1 2; do
	staprun -t -o "$out.2" -c "build/guest/load 2000 2" "$MODULES/t_flood.ko" 2> "$out.2.err" || {
		cat "$out.2.err"
		exit 1
	}
	[ "$(wc -l < "$out.2")" -ge 4000 ] || { cat "$out.2.err"; exit 1; }
	! grep -q tick "$out.2" || { echo 'the output of the other one'; exit 1; }
	! grep -q '^t_flood ' /proc/modules || { echo 'still loaded'; exit 1; }
	grep -q '^t_endless ' /proc/modules || { echo 'gone'; exit 1; }
	wait_until gets_on "$(ticks)" || { echo 'it stands still'; exit 1; }
done
kill -TERM $first
wait $first || { echo "status $?"; cat "$out.1.err"; exit 1; }
[ "$(tail -n 1 "$out.1")" = ended ]
! grep -vE '^(begun|ended|tick [0-9]+|[^ ]+.* [0-9]+)$' "$out.1" || exit 1

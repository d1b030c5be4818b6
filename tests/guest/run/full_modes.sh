# The treatment of a full buffer: with files that change by time, with --strict, and with a task that sleeps while it is
# held.
set -eu
. "$TOP/tests/wait.inc"
n=16000
dir=$(mktemp -d)
fail() { cat "$dir/err"; echo "$1"; exit 1; }

# A first few, then all while the reader is stopped: two files at least, which together hold what the books say.
for mode in drop overwrite throttle; do
	rm -f "$dir"/out*
	command="build/guest/books make 100; sleep 1.3; pkill -STOP -x stapio; (sleep 2; pkill -CONT -x stapio) & build/guest/books make $n 101"
	status=0
	staprun -t --strict -s 1 -S 1s -o "$dir/out" --on-full=$mode -c "$command" "$MODULES/t_books.ko" \
		2> "$dir/err" || status=$?
	[ "$(ls "$dir"/out* | wc -l)" -ge 2 ] || fail "$mode: $(ls "$dir")"
	cat $(ls "$dir"/out.* | sort -t. -k2n) "$dir/out" | build/guest/books check > "$dir/counts" ||
		fail "$mode: content"
	read -r _ hits delivered dropped skipped < <(grep '^total ' "$dir/err")
	[ "$hits" = $((6 * (n + 100))) ] && [ $((delivered + dropped)) = "$hits" ] && [ "$skipped" = 0 ] ||
		fail "$mode: $(grep '^total' "$dir/err")"
	[ "$(awk '{ sum += $3 } END { print sum }' "$dir/counts")" = "$delivered" ] ||
		fail "$mode: $delivered delivered: $(cat "$dir/counts")"
	[ $mode != throttle ] || [ "$dropped" = 0 ] || fail "throttle: $dropped dropped"
	[ $mode = throttle ] || [ "$dropped" -gt 0 ] || fail "$mode: nothing was dropped"
	[ $status = $((dropped ? 5 : 0)) ] || fail "$mode: status $status, $dropped dropped"
	echo "$mode: $(ls "$dir"/out* | wc -l) files, $dropped of $hits dropped"
done

# A task that is to wait for room, and sleeps before it comes to that: the module goes without it, and its sleep is as
# long as it was to be.
rm -f "$dir"/out*
wait_for() { wait_until has "$dir/out" "$1" || fail "waited for '$1'"; }
staprun --on-full=throttle -o "$dir/out" "$MODULES/t_sleeper.ko" 2> "$dir/err" & run=$!
wait_for begun
slept=$(date +%s%N)
cp "$(command -v sleep)" "$dir/sleeper"
"$dir/sleeper" 25 & sleeper=$!
wait_for '^11999 '
kill -TERM $run
wait $run || fail "held while it sleeps: status $?"
! grep -q '^t_sleeper ' /proc/modules || fail "held while it sleeps: still loaded"
kill -0 $sleeper || fail "held while it sleeps: the module stayed until it slept no more"
[ "$(grep -c 0123456789 "$dir/out")" = 12000 ] || fail "held while it sleeps: $(wc -l < "$dir/out") lines"
# Called back, it sleeps on for as long as it was to.
wait $sleeper || fail "held while it sleeps: its status is $?"
took=$((($(date +%s%N) - slept) / 1000000))
[ $took -ge 25000 ] || fail "held while it sleeps: it slept $took ms"

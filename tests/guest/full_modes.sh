# What becomes of a full buffer, with files that change by time, with --strict, and with a task that sleeps while it is held back.
set -eu
n=16000
dir=$(mktemp -d)
fail() { echo "$1"; cat "$dir/err"; exit 1; }

# A first few, then all while the reader is stopped: two files at least, which together hold what the books say.
for mode in drop overwrite throttle; do
	rm -f "$dir"/out* "$dir/go"
	staprun -t --strict -s 1 -S 1s -o "$dir/out" --on-full=$mode -c "build/guest/books make 100; sleep 1.3; touch $dir/go; sleep 1; build/guest/books make $n 101" "$MODULES/t_books.ko" 2> "$dir/err" & run=$!
	for _ in $(seq 200); do [ ! -e "$dir/go" ] || break; sleep 0.05; done
	pkill -STOP -x stapio; sleep 2; pkill -CONT -x stapio
	status=0; wait $run || status=$?
	[ "$(ls "$dir"/out* | wc -l)" -ge 2 ] || fail "$mode: $(ls "$dir")"
	cat $(ls "$dir"/out.* | sort -t. -k2n) "$dir/out" | build/guest/books check > "$dir/counts" || fail "$mode: content"
	read -r _ hits delivered dropped skipped < <(grep '^total ' "$dir/err")
	[ "$hits" = $((6 * (n + 100))) ] && [ $((delivered + dropped)) = "$hits" ] && [ "$skipped" = 0 ] || fail "$mode: $(grep '^total' "$dir/err")"
	[ "$(awk '{ sum += $3 } END { print sum }' "$dir/counts")" = "$delivered" ] || fail "$mode: $delivered delivered: $(cat "$dir/counts")"
	[ $mode != throttle ] || [ "$dropped" = 0 ] || fail "throttle: $dropped dropped"
	[ $mode = throttle ] || [ "$dropped" -gt 0 ] || fail "$mode: nothing was dropped"
	[ $status = $((dropped ? 5 : 0)) ] || fail "$mode: status $status, $dropped dropped"
	echo "$mode: $(ls "$dir"/out* | wc -l) files, $dropped of $hits dropped"
done

# A task that is to wait for room, and sleeps before it comes to that: the module goes without it, and its sleep is as long as it was to be.
rm -f "$dir"/out*
staprun --on-full=throttle --timeout=2 -o "$dir/out" "$MODULES/t_sleeper.ko" 2> "$dir/err" & run=$!
for _ in $(seq 100); do ! grep -qs begun "$dir/out" || break; sleep 0.1; done
began=$(date +%s%N)
sleep 20 & sleeper=$!
wait $run || fail "held while it sleeps: status $?"
took=$((($(date +%s%N) - began) / 1000000))
! grep -q '^t_sleeper ' /proc/modules || fail "held while it sleeps: still loaded"
kill -0 $sleeper || fail "held while it sleeps: its sleep has ended"
[ $took -lt 15000 ] || fail "held while it sleeps: the module stayed for $took ms"
[ "$(grep -c 0123456789 "$dir/out")" = 12000 ] || fail "held while it sleeps: $(wc -l < "$dir/out") lines"
wait $sleeper || fail "held while it sleeps: its status is $?"
took=$((($(date +%s%N) - began) / 1000000))
[ $took -ge 20000 ] || fail "held while it sleeps: it slept $took ms"

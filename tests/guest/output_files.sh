# The files of -o: names, rotation by size, SIGUSR2, compression; every line is in one of them, in order.
set -eu
dir=$(mktemp -d)
fail() { echo "$1"; ls -l "$dir"; cat "$dir/err"; exit 1; }
staprun -t -o "$dir/%h-%m.log" -S 64K --compress -c "build/guest/load 20000 2" "$MODULES/t_flood.ko" 2> "$dir/err" || fail "status $?"
log=$dir/$(hostname)-t_flood.log
[ -s "$log" ] || fail "no $log"
n=$(ls "$log".*.zst | wc -l)
[ "$n" -ge 10 ] || fail "$n compressed files"
merged=$(sed -n 's/^records: \([0-9]*\) merged.*/\1/p' "$dir/err")
for i in $(seq "$n"); do
	zstd -qdc "$log.$i.zst" > "$dir/part"
	[ "$(stat -c %s "$dir/part")" -le 65536 ] || fail "$log.$i.zst is too large"
	cat "$dir/part"
done > "$dir/all"
cat "$log" >> "$dir/all"
[ "$(wc -l < "$dir/all")" = "$merged" ] || fail "$(wc -l < "$dir/all") lines, $merged merged"

# SIGUSR2 to staprun: what was there becomes FILE.1.
staprun -o "$dir/endless" "$MODULES/t_endless.ko" 2> "$dir/err" & run=$!
for _ in $(seq 100); do grep -qs tick "$dir/endless" && break; sleep 0.1; done
kill -USR2 $run
for _ in $(seq 100); do [ -e "$dir/endless.1" ] && grep -q tick "$dir/endless" && break; sleep 0.1; done
kill -TERM $run
wait $run || fail "SIGUSR2: status $?"
[ "$(head -n 1 "$dir/endless.1")" = begun ] && [ "$(tail -n 1 "$dir/endless")" = ended ] || fail "SIGUSR2: lines are missing"

# The same by the script.
staprun -o "$dir/switched" "$MODULES/t_switches.ko" 2> "$dir/err" || fail "switch_file: status $?"
[ "$(cat "$dir/switched.1")" = begun ] && [ "$(cat "$dir/switched")" = then ] || fail "switch_file: $(head "$dir/switched" "$dir/switched.1")"

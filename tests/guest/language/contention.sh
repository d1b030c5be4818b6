# MAXTRYLOCK, TRYLOCKDELAY, MAXSKIPPED: hits that do not get a lock are skipped and counted, or wait; too many end the
# script.
set -eu
out=$(mktemp)
[ "$(nproc)" -ge 2 ] || { echo "two processors are needed; here are $(nproc)"; exit 1; }
# The emulator runs its processors in turns of up to 0.1 s; only a turn that ends inside the handler makes the other one
# wait.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
	status=0
	staprun -t -o "$out" -c "build/guest/load 100000 2" "$MODULES/t_contended.ko" 2> "$out.err" || status=$?
	[ $status = 0 ] || break
done
[ $status = 1 ] || { echo "contended: status $status at attempt $attempt"; cat "$out.err"; exit 1; }
grep -q '^ERROR: Skipped too many probes, check MAXSKIPPED' "$out.err" || { cat "$out.err"; exit 1; }
total() { sed -n 's/^total *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) *\([0-9]*\).*/\1 \2 \3 \4/p' "$1"; }
read -r hits delivered dropped skipped <<< "$(total "$out.err")"
[ "$skipped" -gt 5 ] && [ "$hits" = $((delivered + dropped + skipped)) ] || { cat "$out.err"; exit 1; }

for attempt in 1 2 3 4 5 6 7 8 9 10; do
	staprun -o "$out" -c "build/guest/load 100000 2" "$MODULES/t_contended.ko" 2> "$out.err" || break
done
grep -q '^WARNING: skipped hits: .* \[man warning::pass5\]$' "$out.err" || { cat "$out.err"; exit 1; }
grep -q '^WARNING: skipped for the lock of: sum [0-9]*; a larger -DMAXTRYLOCK' "$out.err" || { cat "$out.err"; exit 1; }

staprun -t -o "$out" -c "build/guest/load 1000 2" "$MODULES/t_lock_waiters.ko" 2> "$out.err" ||
	{ cat "$out.err"; exit 1; }
read -r hits delivered dropped skipped <<< "$(total "$out.err")"
[ "$skipped" = 0 ] && [ "$(cat "$out")" = "0 1" ] || { cat "$out" "$out.err"; exit 1; }

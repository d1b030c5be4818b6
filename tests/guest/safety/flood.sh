# Two CPUs print 100,000 lines as fast as they can: every one is in the file or in the books, in the order of time.
set -eu
out=$(mktemp)
staprun -t -o "$out" -c "build/guest/load 50000 2" "$MODULES/t_flood.ko" 2> "$out.err" || { cat "$out.err"; exit 1; }
[ "$(cut -d' ' -f1 "$out" | sort -u | wc -l)" = 2 ] || { echo "not two CPUs"; exit 1; }
grep -q '^records: .* 0 out of order$' "$out.err" || { cat "$out.err"; exit 1; }
lines=$(wc -l < "$out")
cat "$out.err"
# the books' total line: hits delivered dropped skipped
read -r hits delivered dropped skipped \
	<<< "$(sed -n 's/^total *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) *\([0-9]*\).*/\1 \2 \3 \4/p' "$out.err")"
[ "$hits" -ge 100000 ]
[ "$hits" = $((delivered + dropped + skipped)) ]
[ $((lines + dropped + skipped)) -ge 100000 ]
# Kernels from 7.0 on may take the CPU from a program of a tracepoint. They miss the hits of other tasks there until it
# continues, and count them.
[ "${RUNTIME-}" != bpf ] || ! grep '^skipped: ' "$out.err" | grep -vE '^skipped: [0-9]+ missed$' || exit 1
[ "${RUNTIME-}" = bpf ] || [ "$skipped" = 0 ]

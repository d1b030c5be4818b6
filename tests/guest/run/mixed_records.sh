# Records are complete and in their CPU's order, whatever hits print and however they end, while the ring is read and
# wraps, and while it is full.
# guards: runtime stapio staprun lib trace
set -eu
cd "$(mktemp -d)"
fail() { head -n 5 bad err 2> /dev/null; echo "$1"; exit 1; }
modes=('-s 1' '-s 1 --on-full=overwrite' '-s 1 --on-full=throttle')
[ "${RUNTIME-}" != bpf ] || modes=(--on-full=drop)
for mode in "${modes[@]}"; do
	rm -f bad out
	# shellcheck disable=SC2086
	staprun -t $mode -o out -c 'sh -c "dd if=/dev/zero of=/dev/null bs=1 count=12000 2> /dev/null &
		dd if=/dev/zero of=/dev/null bs=1 count=12000 2> /dev/null & wait"' "$MODULES/t_mixed_records.ko" \
		2> err || :
	awk '{ t = $2; line = $0; sub(/ *;$/, "", line); n = split(line, w, " ") }
		!/;$/ || NF < 3 { print "shape: " $0; next }
		t <= last[$1] { print "order: " $0 }
		{ last[$1] = t; lines++ }
		length(w[4]) != t % 50 { print "tail: " $0 }
		END { print lines > "lines" }' out | cut -c1-200 > bad
	[ ! -s bad ] || fail "$mode: torn"
	python3 - <<-'PY' || fail "$mode: sums"
		for line in open("out"):
		    w = line.split()
		    t = int(w[1])
		    if int(w[2]) != (t ^ (t >> 7)) & 0xffff:
		        raise SystemExit(line)
	PY
	[ "$(cat lines)" -gt 20000 ] || fail "$mode: $(cat lines) lines"
	read -r _ hits delivered dropped skipped < <(grep '^total ' err)
	echo "$mode: $(cat lines) lines, $hits hits, $delivered delivered, $dropped dropped, $skipped skipped"
	grep '^WARNING\|^ERROR' err | sort | uniq -c | sort -rn | head -n 3
done

# The books add up: the written and the dropped hits are all hits, for each probe and CPU, for each treatment of a full
# buffer, even with a reader that is stopped for two seconds. $BOOKS_EVENTS for each CPU and probe.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
n=${BOOKS_EVENTS:-16000}
dir=$(mktemp -d)
fail() { cat "$dir/err"; echo "$1"; exit 1; }

# Programs of --runtime=bpf drop; they are their own reader, and have one buffer and one row for all CPUs. Their
# handlers run one at a time: a hit that waits too long for another, whose CPU has been taken away, is skipped.
modes='drop overwrite throttle' reader=stapio per_row=$n count=6
[ "${RUNTIME-}" != bpf ] || { modes=drop reader=t_books per_row=$((2 * n)) count=3; }

# "KIND CPU HITS DELIVERED DROPPED SKIPPED" of the table on standard error
rows() {
	[ "${RUNTIME-}" != bpf ] || {
		awk '/_sched_get_priority_max/ { print "p", "-", $2, $3, $4, $5 }
			/_sched_get_priority_min/ { print "s", "-", $2, $3, $4, $5 }
			/_sched_rr_get_interval/ { print "b", "-", $2, $3, $4, $5 }' "$dir/err"
		return
	}
	awk '/__(x64|arm64)_sys_sched_get_priority_max/ { kind = "p" }
		/__(x64|arm64)_sys_sched_get_priority_min/ { kind = "s" }
		/__(x64|arm64)_sys_sched_rr_get_interval/ { kind = "b" }
		/^total/ { kind = "" } /^  cpu [01]/ && kind { print kind, $2, $3, $4, $5, $6 }' "$dir/err"
}

# Skipped hits have waited, and are few.
only_waited() {
	! grep -q '^not counted' "$dir/err" || fail "hits after the end: $(grep '^not counted' "$dir/err")"
	! grep -E '^skipped: ' "$dir/err" | grep -vE '^skipped: [0-9]{1,3} lock$' || fail "skipped"
}

# one ON-FULL STOP OPTION…
one() {
	local mode=$1 stop=$2 lost=0 pid kind cpu hits delivered dropped skipped
	shift 2
	rm -f "$dir"/out* "$dir/go" "$dir/on"
	[ "$stop" = 1 ] || touch "$dir/on"
	staprun -t -o "$dir/out" --on-full="$mode" "$@" \
		-c "touch $dir/go; until [ -e $dir/on ]; do sleep 0.05; done; build/guest/books make $n" \
		"$MODULES/t_books.ko" 2> "$dir/err" & run=$!
	if [ "$stop" = 1 ]; then
		wait_until [ -e "$dir/go" ]
		# On a slow machine pkill takes so long that the reader is away for longer than tasks are held for it.
		pid=$(pgrep -x $reader)
		kill -STOP $pid; : > "$dir/on"; sleep 2; kill -CONT $pid
	fi
	wait $run || fail "$mode: status $?"
	grep -q '^records: .* 0 out of order$' "$dir/err" || fail "$mode: order"
	build/guest/books check < "$dir/out" > "$dir/counts" || fail "$mode: content"
	[ "${RUNTIME-}" != bpf ] || {
		awk '{ n[$1] += $3 } END { for (k in n) print k, "-", n[k] }' "$dir/counts" > "$dir/sums"
		mv "$dir/sums" "$dir/counts"
	}
	[ "$(rows | wc -l)" = $count ] || fail "$mode: rows"
	while read -r kind cpu hits delivered dropped skipped; do
		[ "$hits" = $per_row ] || fail "$mode: $kind on $cpu: $hits hits"
		[ "${RUNTIME-}" = bpf ] || [ "$skipped" = 0 ] || fail "$mode: $kind on $cpu: $skipped skipped"
		[ $((delivered + dropped + skipped)) = $per_row ] ||
			fail "$mode: $kind on $cpu: $delivered + $dropped + $skipped"
		grep -qx "$kind $cpu $delivered" "$dir/counts" ||
			fail "$mode: $kind on $cpu: $delivered delivered: $(cat "$dir/counts")"
		lost=$((lost + dropped))
	done < <(rows)
	[ "${RUNTIME-}" != bpf ] || only_waited
	[ "$mode" != throttle ] || [ $lost = 0 ] || fail "throttle: $lost dropped"
	echo "$mode$([ "$stop" = 0 ] || echo ', stopped for 2 s') $*: $((6 * n)) made, $lost dropped"
}

for mode in $modes; do
	one $mode 0
	one $mode 1
done
[ "${RUNTIME-}" = bpf ] || one overwrite 1 -b

# Modules with probes of all kinds are loaded, run and removed, again and again: what the kernel has allocated and
# registered does not grow. 3 rounds of 4 modules; 125, which are 500 cycles, with SLOW=1, or ROUNDS. A kernel with
# kmemleak also searches for leaked memory.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
rounds=${ROUNDS:-3}
[ -z "${SLOW-}" ] || rounds=${ROUNDS:-125}
cd "$(mktemp -d)"
fail() { [ ! -e err ] || head -n 20 err; echo "$1"; exit 1; }
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing

round() {
	local m
	for m in everything kinds hostile short; do
		staprun -o out -c 'bash -c "cat /etc/hostname > /dev/null"' "$MODULES/t_$m.ko" 2> err ||
			fail "t_$m: status $?"
		grep -q '^begun' out && grep -q '^ended' out || fail "t_$m: $(head -n 3 out)"
	done
}
registered() {
	wc -l < /proc/modules
	cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions | wc -l
	ls /proc /proc/systemtap | grep -c -e ^stap- -e ^t_ || :
	pgrep -c 'staprun|stapio' || :
}
# snap NAME: objects of each slab cache, areas of virtual memory by what asked for them, kB in all. Stacks are the
# kernel's own: it keeps them for the next process. KASAN keeps what has been freed, until the cache is made smaller.
# Caches that describe memory are left out: the memory is counted itself, and areas are unmapped thousands at a time.
snap() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
	sleep 1 # what is freed later has been freed
	find /sys/kernel/slab -mindepth 2 -name shrink 2> /dev/null |
		while read -r shrink; do echo 1 > "$shrink"; done
	awk 'NR > 2 && $1 !~ /^(vmap_area|kmemleak_.*|debug_objects_cache)$/ { print $1, $2 }' /proc/slabinfo > "$1.slabs"
	awk '!/dup_task_struct|alloc_thread_stack|bpf_|unpurged/ { sub(/\+.*/, "", $3); n[$3]++ }
		END { for (who in n) print who, n[who] }' /proc/vmallocinfo > "$1.areas"
	awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { sum += $2 } END { print "kB", sum }' /proc/meminfo > "$1.memory"
}
# grown WHAT BY: names whose number has grown by BY or more
grown() {
	awk -v by="$2" 'NR == FNR { before[$1] = $2; next } $2 - before[$1] >= by { print $1, before[$1] + 0, $2 }' \
		"before.$1" "after.$1"
}

round
round
was=$(registered)
snap before
for _ in $(seq "$rounds"); do round; done
grows_not() {
	snap after
	[ -z "$(grown areas "$rounds")$(grown memory $((4096 + rounds * 40)))" ] &&
		{ [ "$rounds" -lt 40 ] || [ -z "$(grown slabs "$rounds")" ]; }
}
wait_until grows_not > /dev/null ||
	fail "after $rounds rounds: $(grown areas "$rounds") $(grown slabs "$rounds") $(grown memory 4096)"
[ "$was" = "$(registered)" ] || fail "before: $was; after: $(registered)"
leaks=/sys/kernel/debug/kmemleak
if [ -w $leaks ] && [ -n "${SLOW-}" ]; then
	sleep 6 # younger objects are not told
	echo scan > $leaks
	echo scan > $leaks
	! grep -q unreferenced $leaks || fail "$(head -n 60 $leaks)"
fi
echo "$((rounds * 4)) cycles; $(xargs < before.memory) before, $(xargs < after.memory) after; grown most:" \
	"$(grown slabs 1 | awk '{ print $3 - $2, $1 }' | sort -rn | head -n 4 | xargs)"

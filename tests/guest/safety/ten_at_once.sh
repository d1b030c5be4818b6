# Ten runs at once, each of a module with its own name, on the same probes; then cycles of loading, running and
# unloading: memory and what is registered return to where they were. 2 rounds of ten and 10 cycles; 50 rounds, which
# are 500 cycles, with SLOW=1.
# guards: runtime stapio staprun lib trace
set -eu
rounds=2 least=10
[ -z "${SLOW-}" ] || rounds=50
m=t_short
cd "$(mktemp -d)"
fail() { cat err* 2> /dev/null | head -n 20; echo "$1"; exit 1; }
# What the kernel has allocated for itself, in kB: buffers are virtual memory, the books are each CPU's, the rest is in
# slabs.
allocated() { awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { sum += $2 } END { print sum }' /proc/meminfo; }
state() {
	wc -l < /proc/modules
	cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions 2> /dev/null | wc -l
	ls /proc | grep -c ^stap-
	pgrep -c 'staprun|stapio' || :
}
ten() {
	local pids='' pid n=0
	for i in 1 2 3 4 5 6 7 8 9 10; do
		staprun -R -s 1 -o out$i "$MODULES/$m.ko" 2> err$i & pids="$pids $!"
	done
	for pid in $pids; do
		n=$((n + 1))
		wait $pid || fail "run $n of ten: status $?"
		[ "$(tail -n 1 out$n)" = ended ] || fail "run $n of ten: $(tail -n 1 out$n)"
	done
}
mount -t tracefs none /sys/kernel/tracing 2> /dev/null || :
ten
staprun -o out "$MODULES/$m.ko" 2> err
was=$(state) before=$(allocated)
for _ in $(seq $rounds); do ten; done
for _ in $(seq $least); do staprun -s 1 -o out "$MODULES/$m.ko" 2> err || fail "a cycle: status $?"; done
now=$(state)
lost=$(($(allocated) - before))
[ "$was" = "$now" ] || fail "before: $was; after: $now"
echo "$rounds rounds of ten, $least cycles, $lost kB more than before"
[ $lost -lt $((4096 + rounds * 100)) ] || fail "memory is lost: $lost kB"

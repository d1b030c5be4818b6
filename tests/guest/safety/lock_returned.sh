# The mmap_lock of a process, which handlers take to read its mappings, is released in a context in which waiters can be
# woken: on PREEMPT_RT, not in an interrupt.
# skip: no_config PREEMPT_RT "not here: a kernel with"
set -eu
. "$TOP/tests/wait.inc"
cd "$MODULES"
out=$(mktemp)
staprun -v -o "$out" t_lock_returned.ko 2> "$out.err" & run=$!
wait_until in_place "$out.err" || { cat "$out.err"; exit 1; }
staprun -c './mapper 5000' t_mapper.ko > "$out.mapper" 2>&1
kill -TERM $run
wait $run
grep -q '^stacks [1-9]' "$out.mapper" && grep -qx 'given back by threads yes, in interrupts 0' "$out" || {
	cat "$out.mapper" "$out" "$out.err"
	exit 1
}

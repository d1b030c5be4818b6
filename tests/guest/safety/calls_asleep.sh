# Tasks sleep in functions whose entry and return are probed when the script ends: its module is removed at once, the
# tasks wake up later, and their calls return. The kernel can say where they are all the time.
# guards: runtime/probe/function runtime/arch/x86_64
set -eu
. "$TOP/tests/wait.inc"
m=t_calls_asleep
cd "$MODULES"
dir=$(mktemp -d)
fail() { cat "$dir"/err*; echo "$1"; exit 1; }
stacks() { for task in "${readers[@]}"; do cat "/proc/$task/stack"; done > "$dir/stacks"; }
all_read() { stacks; [ "$(grep -c 'vfs_read+' "$dir/stacks")" -ge "${#readers[@]}" ]; }

mkfifo "$dir/held"
exec 3<> "$dir/held"
for ((i = 0; i < 3 * TIMES; i++)); do
	staprun -v -o "$dir/out" $m.ko 2> "$dir/err" & run=$!
	wait_in_place "$dir/err" $run || fail 'no probes'
	readers=()
	for ((n = 0; n < 20; n++)); do
		head -c 1 <&3 > "$dir/read.$n" & readers+=($!)
	done
	while :; do cat /proc/self/mounts > /dev/null; sleep 0; done & load=$!
	wait_until all_read || fail 'nobody reads'
	if [ "$(uname -m)" = x86_64 ]; then
		[ "$(grep -c 'wrapper_[0-9]*+.*\[t_calls_asleep\]' "$dir/stacks")" -ge 20 ] ||
			fail "no wrappers: $(cat "$dir/stacks")"
	fi
	! grep -q '?' "$dir/stacks" || fail "the kernel does not know the stacks: $(cat "$dir/stacks")"
	kill -INT $run
	wait $run || fail "status $?"
	! grep -q "^$m " /proc/modules || fail 'the module is left'
	all_read || fail 'they read no longer'
	! grep -q t_calls_asleep "$dir/stacks" || fail "calls return to the module: $(cat "$dir/stacks")"
	grep -q 'ksys_read+' "$dir/stacks" || fail "the kernel does not know the stacks: $(cat "$dir/stacks")"
	kill $load
	wait $load || :
	staprun -c true t_mapper.ko > /dev/null 2>&1 || : # another module comes where the first one was
	printf %020d 0 >&3
	for task in "${readers[@]}"; do wait "$task" || fail "a reader: status $?"; done
	[ "$(cat "$dir"/read.*)" = "$(printf %020d 0)" ] || fail "they read $(cat "$dir"/read.*)"
	[ "$(tail -n 1 "$dir/out")" = 'ended 1' ] || fail "$(cat "$dir/out")"
done

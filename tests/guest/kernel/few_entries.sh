# Few functions have an ftrace_ops each, and ftrace calls the hit itself where nothing need be done besides; more of
# them share one. Hits are the same, also while another tracer has the functions.
set -eu
tracing=/sys/kernel/tracing dir=$(mktemp -d)
[ -e $tracing/trace ] || mount -t tracefs tracefs $tracing
fail() { cat "$dir/err" "$dir/enabled"; echo "$1"; exit 1; }

cat > "$dir/inside" <<END
printf 1234567 > $dir/seven
dd if=$dir/seven of=/dev/null bs=77 count=1 2> /dev/null
sync -d $dir/seven
cat $tracing/enabled_functions > $dir/enabled
END
# run MODULE: its output is that of the same calls
run() {
	staprun -t -o "$dir/out" -c "sh $dir/inside" "$MODULES/$1.ko" 2> "$dir/err" || fail "$1: status $?"
	grep -Eqx '1 1 1 vfs_fsync_range\+1' "$dir/out" || fail "$1: $(cat "$dir/out")"
	grep -Eq '^total +([0-9]+) +\1 +0 +0$' "$dir/err" || fail "$1: hits are lost"
}
# called FUNCTION BY: ftrace calls that function at its entry
called() {
	[ "${RUNTIME-}" = bpf ] || grep -Eq "^$1 \([0-9]+\).*tramp: .*\($2[+]" "$dir/enabled" ||
		fail "$1 is not called by $2"
}

run t_few_entries
if [ "$(uname -m)" = x86_64 ]; then
	called vfs_write traced_0
	called vfs_read handler_return_begins
	called vfs_fsync_range handler_own
fi
run t_more_entries
[ "$(uname -m)" != x86_64 ] || called vfs_write handler_entry
# Another tracer: the kernel walks a list of both.
echo vfs_read vfs_write > $tracing/set_ftrace_filter
echo function > $tracing/current_tracer
run t_few_entries
run t_more_entries
echo nop > $tracing/current_tracer
echo > $tracing/set_ftrace_filter

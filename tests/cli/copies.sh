# SPDX-License-Identifier: GPL-2.0-or-later
# Copies of the kernel's functions: the places that a name refers to, with and without debuginfo; and functions that the
# kernel does not allow to be probed.
. "$TOP/tests/cli/expect.inc"

# places POINT…: prints a line for each place
places() {
	local point probes=
	for point; do probes+="probe $point { println(pp()) } "; done
	$STAP -w -p2 -u -r "$KERNEL" -e "$probes" 2> err | sed -n 's/^\(.*\) \/\* .*/\1/p'
}

# Without: what has a symbol, and one word of what cannot be known.
check 0 '/^<input>:1:23: note: functions are probed where they are called' \
	-- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("vfs_read"), kernel.function("vfs_write") { }'
[ "$(grep -c 'note: functions are probed' err)" = 1 ] || say_wrong "said more than once"
for quiet in 'kernel.function("vfs_read").call' 'kernel.function("vfs_read").return' \
	'kernel.function("sys_read")' 'vfs.read'; do
	check 0 '!note: functions are probed' -- $STAP -p2 -u -r "$KERNEL" -e "probe $quiet { }"
done
check 0 '!note: functions are probed' -- $STAP -w -p2 -u -r "$KERNEL" -e 'probe kernel.function("vfs_read") { }'
# A copy with a suffix is the function, and nothing else is. Only debuginfo knows its variables, where the kernel's BTF
# leaves such functions out: newer compilers of tables add those whose copy has the same parameters.
check 0 '!is probed' '/^kernel.function\("finish_task_switch"\) ' \
	-- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("finish_task_switch") { }'
in_table=(/is\ probed '/^kernel.trace\("sched_switch"\) ')
check 0 '/^kernel.function\("finish_task_switch"\)' -- $STAP -w -r "$KERNEL" -L 'kernel.function("finish_task_switch")'
! grep -q ' \$prev:struct task_struct\*' out || in_table=(!is\ probed '/^kernel.function\("finish_task_switch"\) ')
check 0 "${in_table[@]}" \
	-- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("finish_task_switch") { println($prev) }'

# results: gcc may have dropped the result from a copy (.isra).
no_result="error: the result of 'finish_task_switch' is not certain: the compiler made a copy of the function, which may"
results() {
	check 1 "/$no_result have no result" -- $STAP -p2 -r "$KERNEL" -e '
		probe kernel.function("finish_task_switch").return { println($return) }'
	check 0 '!finish_task_switch' '/^kernel.function\("finish_open[@"]' -- $STAP -w -p2 -r "$KERNEL" -e '
		probe kernel.function("finish_*").return { println($return) }'
	check 0 '/^kernel.function\("finish_task_switch' -- $STAP -p2 -r "$KERNEL" -e '
		probe kernel.function("finish_task_switch").return { println($$return) }'
}
results

# A point that is known by its symbol alone has no variables to list.
for bare in 'kernel.function("page_cache_sync_readahead").call' 'kprobe.function("vfs_read").return'; do
	check 0 -- $STAP -w -p2 -r "$KERNEL" -e "probe $bare { println(\$\$parms, \$\$vars) }"
done

# What handles probes takes none, also where the function tracer could call.
check 1 "/^<input>:1:23: error: the kernel allows no probe in 'exc_int3', which handles" \
	-- $STAP -p2 -r "$KERNEL" -e 'probe kernel.function("exc_int3") { }'
check 1 "/^<input>:1:23: error: the kernel allows no probe in 'exc_int3', which handles" \
	-- $STAP -p2 -r "$KERNEL" -e 'probe kprobe.function("exc_int3") { }'
for point in 'notifier_call_chain").return' 'notifier_call_chain").call' 'do_int3")' 'get_kprobe")' 'memset")' \
	'ftrace_caller")'; do
	check 1 "/^<input>:1:23: error: the kernel allows no probe in '${point%%\"*}', which handles" \
		-- $STAP -p2 -r "$KERNEL" -e "probe kernel.function(\"$point { }"
done
! places 'kernel.function("exc_*")' | grep -q exc_int3 || say_wrong "a pattern has exc_int3"

# Prints the name of a function that has one part of its own: getname_flags, or the first where that has none.
parted() {
	local name names
	names=$(places 'kernel.function("*.part.0")' | sed -n 's/.*"\(.*\)\.part\.0".*/\1/p')
	for name in $(grep -x getname_flags <<< "$names") $(head -n 200 <<< "$names"); do
		[ "$(places "kernel.function(\"$name.*\")")" = "kernel.function(\"$name.part.0\")" ] &&
			[ "$(places "kernel.function(\"$name\")" | head -n 1)" = "kernel.function(\"$name\")" ] ||
			continue
		echo "$name"
		return
	done
}

# parts: a part of a function has a name with a dot, and is meant by patterns that have one.
parts() {
	check 0 "/^kernel.function\\(\"$part.part.0\"\\)" \
		-- $STAP -p2 -u -r "$KERNEL" -e "probe kernel.function(\"$part.part.0\") { println(ppfunc()) }"
	check 0 "/^kernel.function\\(\"$part.part.0\"\\).return" \
		-- $STAP -w -p2 -u -r "$KERNEL" -e "probe kernel.function(\"$part.part.0\").return { }"
	places "kernel.function(\"$part.*\")" > out
	[ "$(cat out)" = "kernel.function(\"$part.part.0\")" ] || say_wrong "$part.*"
	check 0 '!part\.0' -- $STAP -r "$KERNEL" -l "kernel.function(\"$part*\")"
	check 0 '/\.cold"\)$' '!\("[^.]*"\)' '!\.part\.0"\)' -- $STAP -r "$KERNEL" -l 'kernel.function("*.cold")'
	check 0 '/^module\("xfs"\).function\("xfs_file_ioctl.cold"\)$' \
		-- $STAP -r "$KERNEL" -l 'module("xfs").function("xfs_file_ioctl.cold")'
	check 0 '/^module\("xfs"\).function\("[a-z0-9_]*.part.0"\)$' '!kernel.function' \
		-- $STAP -r "$KERNEL" -l 'module("*").function("*.part.0")'
	check 1 "/1:23: error: no function '$part.part.7' in" \
		-- $STAP -p2 -r "$KERNEL" -e "probe kernel.function(\"$part.part.7\") { }"
	check 1 '/1:23: error: no function matches .vfs.*fetch' \
		-- $STAP -p2 -r "$KERNEL" -e 'probe kernel.function("vfs.*fetch") { }'
	check 1 "/1:7: error: '[a-z0-9_.]*\.cold' is not called as functions are: it has no return that could be" \
		-- $STAP -p2 -r "$KERNEL" -e 'probe kernel.function("*.cold").return { }'
}
part=$(parted)
[ -n "$part" ] || say_wrong 'no function has a part'
parts

if (cd "$TOP" && . tests/lib.sh && no_debuginfo); then
	finish
	exit
fi
export SYSTEMTAP_DEBUGINFO_PATH=$TEST_DEBUGINFO
# The first look into it reads it in parts: all at once takes 480 MB.
memory=$(SYSTEMTAP_DIR=$WORK/unseen $STAP -v -w -p2 -r "$KERNEL" -e 'probe kernel.function("vfs_fsync") { }' \
	2>&1 > out | sed -n 's/^Pass 2: .* \([0-9]*\) MB\.$/\1/p')
[ "${memory:-999}" -le 150 ] || say_wrong "the first look into debuginfo takes $memory MB"
grep -q '\.inline' out || say_wrong "the first look finds no inlined copy"
parts
results
[ "$part" != getname_flags ] || check 0 '/^kernel.function\("getname_flags.part.0"\) \$filename:const char\* ' \
	-- $STAP -r "$KERNEL" -L 'kernel.function("getname_flags.part.0")'
# With -v -L each copy has its address, counted from _stext.
base=$(sed -n 's/ T _stext$//p' "$TEST_DEBUGINFO/boot/System.map-$KERNEL")
address=$(sed -n 's/ T vfs_fsync$//p' "$TEST_DEBUGINFO/boot/System.map-$KERNEL")
address=$(printf '%#x' $((0x$address - 0x$base)))
check 0 "/^kernel.function\\(\"vfs_fsync\"\\) /\\* pc=_stext\\+$address \\*/ .file:struct file\\* " \
	'/^kernel.function\("vfs_fsync@fs/sync.c:[0-9]+"\).inline /\* pc=_stext\+0x[0-9a-f]+ \*/ ' \
	-- $STAP -v -r "$KERNEL" -L 'kernel.function("vfs_fsync")'
check 0 '/^module\("xfs"\).* /\* pc=<xfs:xfs_file_ioctl\+0> \*/ .filp' \
	-- $STAP -v -r "$KERNEL" -L 'module("xfs").function("xfs_file_ioctl")'
for name in vfs_fsync skb_put do_sys_open; do
	places "kernel.function(\"$name\")" > out
	[ "$(grep -c inline out)" -ge 1 ] && [ "$(grep -vc inline out)" = 1 ] || say_wrong "'$name': not each copy once"
	places "kernel.function(\"$name@*\")" > all
	[ "$(grep -c . out)" = "$(grep -c . all)" ] || say_wrong "'$name': other places than those of '$name@*'"
done
check 0 '!note:' -- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("vfs_fsync") { }'
# Each symbol of the name is a place.
places 'kernel.function("name_show")' | sort > out
[ "$(grep -c . out)" -ge 4 ] && [ -z "$(uniq -d out)" ] || say_wrong "not every name_show() once"
for name in do_fsync context_switch handle_pte_fault finish_task_switch; do
	check 0 '!is probed' "/^kernel.function\\(\"$name@" \
		-- $STAP -p2 -u -r "$KERNEL" -e "probe kernel.function(\"$name\") { }"
done
# What is inlined everywhere returns nowhere.
check 0 "/'vfs_fsync' is probed" -- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("do_fsync").return { }'
# A successor comes before parts of the function, the name's story before debuginfo's word.
check 0 "/'path_lookupat' is probed" \
	-- $STAP -p2 -u -r "$KERNEL" -e 'probe kernel.function("link_path_walk").return { }'
check 1 "/error: no function 'daemonize' in kernel .*: there is none since 3.8; kernel threads" \
	-- $STAP -p2 -r "$KERNEL" -e 'probe kernel.function("daemonize") { }'
! places 'kernel.function("do_int3")' | grep -q inline || say_wrong "inlined copies in functions that take no kprobe"
# The library's points mean calls.
[ "$(places 'vfs.read' | grep -c inline)" = 0 ] || say_wrong "inlined copies in the library's points"
finish

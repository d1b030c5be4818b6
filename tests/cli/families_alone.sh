# SPDX-License-Identifier: GPL-2.0-or-later
# A module links when one family, or one part of the library's and the language's, is all that its script uses: no other
# brings what it needs of the runtime; and when it uses all of them. SLOW=1: in pairs, too. TEST_KERNEL and TEST_ROOT
# choose the kernel.
# guards: runtime translator/build translator/module translator/emit
here=$WORK
[ -z "$TEST_ROOT" ] || here=$TOP/$(basename "$(dirname "$(dirname "$STAP")")")/families.$$
mkdir -p "$here" && cd "$here" || exit
trap '[ "$here" = "$WORK" ] || rm -rf "$here"' EXIT
libc=/lib/x86_64-linux-gnu/libc.so.6
pairs=${SLOW-} names=() status=0 built=0
declare -A piece

# add NAME TEXT
add() {
	names+=("$1")
	piece[$1]=$2
}
point() { add "$1" "probe $1 { println(1) }"; }
# builds NAME…: a module of these pieces
builds() {
	local name text=
	for name; do text+="${piece[$name]} "; done
	built=$((built + 1))
	in_root "$here" "$STAP" -g -w -r "$KERNEL" -p4 -m "alone" -e "$text" > out 2>&1 && return
	[ $# -lt ${#names[@]} ] || set -- "all ${#names[@]}"
	printf '%s\n' "$(IFS='+'; echo "$*"):"
	head -n 12 out
	status=1
}

for p in begin 'timer.s(1)' 'timer.jiffies(9)' timer.profile 'timer.profile.freq.hz(99)' perf.sw.cpu_clock \
	'perf.hw.cpu_cycles.sample(10000)' 'perf.sw.page_faults.process("/bin/sh").sample(9)' \
	'kernel.data("jiffies").write' 'kernel.trace("sched_switch")' 'kernel.function("vfs_read")' \
	'kernel.function("vfs_read").return' 'kprobe.function("vfs_write")' \
	'procfs("x").read' process.begin process.syscall \
	"process(\"$libc\").function(\"malloc\")" "process(\"$libc\").function(\"free\").return" \
	'netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")'; do
	point "$p"
done
add arrays 'global n probe begin { n[execname(), 1]++; foreach ([s, i] in n- limit 3) println(s, i); delete n }'
add aggregates 'global g probe begin { g <<< 1; println(@count(g), @variance(g)); print(@hist_log(g)) }'
add 'arrays of aggregates' 'global a probe begin { a[1] <<< 2; foreach (k in a) print(@hist_linear(a[k], 0, 9, 3)) }'
add 'kernel stacks' 'probe begin { print_backtrace(); println(symname(1), symdata(2)) }'
add 'user stacks' 'probe begin { print_ubacktrace(); println(usymname(1)) }'
add 'source lines' 'probe begin { println(symline(1), usymline(1)) }'
add variables 'probe begin { println(@var("jiffies", "kernel")) }'
add namespaces 'probe begin { println(ns_pid()) }'
add 'regular expressions' 'probe begin { if (execname() =~ "s(.)h") println(matched(1)) }'
add commands 'probe begin { system("true") }'
add memory 'probe begin { println(kernel_string(1), user_string(2), kernel_int(3)); set_kernel_int(4, 5) }'
add 'structures' 'probe begin { println(@cast(task_current(), "task_struct", "kernel")->comm$) }'
# A call's value, when nothing asks for the texts of its arguments; one of these; and the texts.
add "a call's value" 'probe syscall.write.return { println(retval) }'
add "a call's argument" 'probe syscall.read { println(count) }'
add 'system calls' 'probe syscall.openat { println(name, argstr) }'
add registers 'probe kernel.function("vfs_fsync") { print_regs() println(register("rbx")) }'
add saved 'probe kernel.function("vfs_open").return { println(@entry(gettimeofday_ns()), returnval()) }'
add texts 'probe begin { println(tokenize("a b", " "), ctime(1), string_quoted("x"), sprintf("%5.2s", "y")) }'
add speculations 'probe begin { s = speculation(); speculate(s, "x"); commit(s) }'
add counters 'probe perf.sw.page_faults.process("/bin/sh").counter("f") {}
	probe process("'$libc'").function("calloc") { println(@perf("f")) }'

for name in "${names[@]}"; do builds "$name"; done
builds "${names[@]}"
for ((i = 0; ${#pairs} && i < ${#names[@]}; i++)); do
	for ((k = i + 1; k < ${#names[@]}; k++)); do builds "${names[i]}" "${names[k]}"; done
done
echo "$built modules of ${#names[@]} pieces"
exit $status

# SPDX-License-Identifier: GPL-2.0-or-later
# A module links if its script uses only one family, or one part of the library or the language: it needs nothing of the
# runtime that only another one brings. It also links if the script uses all of them. SLOW=1: also in pairs. TEST_KERNEL
# and TEST_ROOT choose the kernel. Each object of the runtime calls only parts that come with it, and functions that the
# kernel exports: kbuild links whole objects, the recipe's linker drops unused parts.
# guards: runtime translator/build translator/module translator/emit
here=$WORK
. "$TOP/tests/lib.sh"
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
add 'locks of elements' 'global by_task probe kernel.trace("sched_switch") { by_task[tid()] = by_task[tid()] + 1 } probe end { foreach (t in by_task) println(t) }'
add aggregates 'global g probe begin { g <<< 1; println(@count(g), @variance(g)); print(@hist_log(g)) }'
add 'arrays of aggregates' 'global a probe begin { a[1] <<< 2; foreach (k in a) print(@hist_linear(a[k], 0, 9, 3)) }'
add 'kernel stacks' 'probe begin { print_backtrace(); println(symname(1), symdata(2)) }'
add 'user stacks' 'probe begin { print_ubacktrace(); println(usymname(1)) }'
add 'source lines' 'probe begin { println(symline(1), usymline(1)) }'
add variables 'probe begin { println(@var("jiffies", "kernel")) }'
add namespaces 'probe begin { println(ns_pid()) }'
add 'regular expressions' 'probe begin { if (execname() =~ "s(.)h") println(matched(1)) }'
add 'areas' 'probe begin { println(@cast(task_current(), "task_struct", "kernel")->mm->mmap->vm_start) }'
add 'functions of a module' 'probe module("xfs").function("xfs_file_fsync") { println(1) }'
add 'strings that wait' 'probe syscall.write.return { println(user_string($buf)) }'
add commands 'probe begin { system("true") }'
add memory 'probe begin { println(kernel_string(1), user_string(2), kernel_int(3)); set_kernel_int(4, 5) }'
add 'structures' 'probe begin { println(@cast(task_current(), "task_struct", "kernel")->comm$) }'
add 'floating point in structures' 'probe begin { println(@cast(1, "struct acct_v3", "<sys/acct.h>")$) }'
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

# ---- every object of a part, by its symbols ----
# makes_objects OPTION… SCRIPT: has them compiled; their directory is in the layout of the work directory that -k keeps
makes_objects() {
	mkdir -p kept
	in_root "$here" env "TMPDIR=$here/kept" "$STAP" -k -g -w -r "$KERNEL" -p4 -m "objects_$$" "${@:1:$#-1}" \
		-e "${!#}" > out 2>&1 || { cat out; status=1; }
	objects=$(sed -n 's|.* "\(/[^"]*\)/runtime_setup\.o".*|\1|p' kept/*/build/layout.lds | head -n 1)
	rm -rf kept
}
all=$(printf '%s\n' "${piece[@]}")
makes_objects --globals "$all"
objects=$TEST_ROOT$objects
for object in "$objects"/*.o; do
	nm "$object" | awk -v object="$(basename "$object" .o)" 'NF > 1 { print object, $(NF - 1), $NF }'
done > symbols
# The rows that parts.def has, "PART PART…" each, by the names of the objects.
{
	sed -nE 's/^PART\(([A-Z_]+), ([a-z_]+)\).*/object \1 \2/p' "$TOP/runtime/parts.def"
	echo 'object POINTS points'
	sed -nE 's/^NAMES?\(([a-z0-9_]+), (.*IN.*)\)$/row \1 \2/p' "$TOP/runtime/parts.def" |
		sed -E 's/IN\(([A-Za-z_]+)\)/\1/g; s/ \|//g'
	sed -nE 's/^FAMILY\(([a-z]+)\).*/row family_\1 VALUES FAMILY_\1 POINTS/p' "$TOP/runtime/probe/families.def"
	grep -rhoE 'linkparts_need\(.*PART_[A-Z_]+' "$TOP/translator" --include='*.c' | sed 's/.*PART_/row need /'
} > rows
awk '
	function name(part) { return part ~ /^FAMILY_/ ? "family_" substr(part, 8) : object[part] }
	FILENAME == "rows" && $1 == "object" { object[$2] = $3; next }
	FILENAME == "rows" {
		# The first row of a family counts.
		if ($2 in had && $2 ~ /^family_/) next
		had[$2]
		for (i = 3; i <= NF; i++) {
			rows[name($i)]++
			for (k = 3; k <= NF; k++) together[name($i), name($k)]++
		}
		next
	}
	FILENAME != "symbols" { exported[$2]; next }
	{ made[$1] }
	$2 == "U" { calls[$1, $3]; next }
	$2 ~ /[A-Z]/ { owner[$3] = $1 }
	END {
		# Kernels before 6.1 have lists of areas, not trees.
		for (part in object)
			if (part != "AREAS" && !(object[part] in made)) print "no piece above needs the part " part
		for (call in calls) {
			split(call, c, SUBSEP)
			from = c[1]; symbol = c[2]; to = owner[symbol]
			if (from == to || to ~ /^runtime/) continue
			seen++
			if (to == "") {
				if (symbol in exported || symbol ~ /^(stp_script|__this_module|_GLOBAL_OFFSET_TABLE_)$/)
					continue
				print from ".o calls " symbol ", which nothing has"
			} else if (!rows[from] || together[from, to] != rows[from])
				print from ".o calls " symbol " of " to ".o, which may be absent"
		}
		if (seen < 100) print "only " seen + 0 " calls were found"
	}' rows "$TEST_ROOT$(test_build_dir)/Module.symvers" symbols > wrong || status=1
[ ! -s wrong ] || { cat wrong; status=1; }
for ((i = 0; ${#pairs} && i < ${#names[@]}; i++)); do
	for ((k = i + 1; k < ${#names[@]}; k++)); do builds "${names[i]}" "${names[k]}"; done
done
echo "$built modules of ${#names[@]} pieces"
exit $status

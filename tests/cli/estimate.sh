# SPDX-License-Identifier: GPL-2.0-or-later
# --estimate: compares the cost of a hit, computed from costs.def, with the measurements of tests/bench/cost; its output
# as text and as data.
. "$TOP/tests/cli/expect.inc"
cost=$TOP/tests/bench/cost.d

# within FIGURE low|high ARGS…: the sum of the script's points that are hit, of their cheapest or their dearest ways, is
# within a quarter of the figure.
within() {
	local figure=$1 end=$2 sum
	shift 2
	check 0 -- $STAP -w -r "$KERNEL" --estimate --json "$@"
	sum=$(sed -nE "s/.*\"once\":false.*\"$end\":([0-9]+),.*\"reader\".*/\1/p" out |
		awk '{ n += $1 } END { print n + 0 }')
	[ $((sum * 4)) -ge $((figure * 3)) ] && [ $((sum * 4)) -le $((figure * 5)) ] ||
		say_wrong "'$*': $sum, but $figure were measured"
}

# measured CASE: what tests/bench/cost has kept of it on 6.1
measured() {
	awk -v name="$1" '$1 == name && $3 == "ours" && $2 < 200000 { print $4 }' "$TOP/doc/costs/6.1-x86_64.txt"
}

# body FIGURE low|high GLOBALS HANDLER: of a probe of vfs_read();
# ends FIGURE GLOBALS HANDLER READ has an end probe, too.
body() {
	within "$1" "$2" -e "${3:+global $3 }probe kernel.function(\"vfs_read\") { $4 }"
}
ends() {
	within "$1" high -e "global $2 probe kernel.function(\"vfs_read\") { $3 } probe end { println($4) }"
}

if [ -n "$KERNEL" ]; then
	# Instructions a hit on 6.1, of stap-costs(7), and of scripts measured in the same way.
	for case in A B C D F G Q S T; do within "$(measured $case)" high "$cost/$case.stp"; done
	within "$(measured H)" high --cgroup=/a "$cost/H.stp"
	within "$(measured syscalls-counted)" high -e 'global c probe syscall.* { c[name]++ }'
	within 175 high -e 'global n probe syscall.* { n++ }'
	within "$(measured syscalls-text)" high -e 'probe syscall.* { printf("%s(%s)\n", name, argstr) }'
	within 778 high -e 'probe syscall.read { printf("%s\n", argstr) }'
	within 428 high -e 'global n probe syscall.read.return { n++ }'
	within 62 high -e 'global n probe kernel.function("vfs_read").return { n++ }'
	within 521 high \
		-e 'global n probe kernel.function("vfs_read").return { n = @entry($count) } probe end { println(n) }'
	within "$(measured trace-fields)" high -e 'probe kernel.trace("signal_generate") {
		printf("%d %s %d %d %d\n", $task->pid, kernel_string($task->comm), $sig, $group, $result) }'
	within "$(measured profile)" high -e 'global n probe timer.hz(999) { n[cpu()]++ }'
	body "$(measured compare)" low n 'if (execname() == "nobody") n++'
	body "$(measured regex)" low n 'if (execname() =~ "^(no|any)body[0-9]+$") n++'
	body "$(measured speculation)" high '' \
		'id = speculation() speculate(id, sprintf("%d %s\n", pid(), execname())) discard(id)'
	body 210 high '' 'print("x\n")'
	body 245 high '' 'printf("%s\n", execname())'
	body 146 high c 'c[tid()]++'
	body 336 high c 'c[1, execname()]++'
	body 227 high c 'c[1, tid()]++'
	body 79 high 'a, b, c' '++a ++b ++c'
	ends 236 c 'c[execname()] = 1' 'c["a"]'
	ends 248 c 'c[tid()] = execname()' 'c[1]'
	ends 239 h 'h[execname()] <<< 1' '@count(h["a"])'
	ends 158 s 's <<< $count' '@hist_linear(s, 0, 100, 10)[1]'
	ends 497 'n, s' 's <<< $count n = @count(s)' n
	ends 342 n 'n = strlen(sprintf("%d %s", pid(), execname()))' n
	ends 185 n 'n = strlen(execname() . "x")' n
	ends 210 n 'n = $file->f_flags' n
	ends 454 n 'n = $file->f_path->dentry->d_inode->i_ino' n
	ends 699 n 'n = strlen(user_string($buf + 1))' n
	ends 126 n 'n = gettimeofday_ns()' n
	libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 .*x86-64.* => //p' | head -n 1)
	within "$(measured user-library)" high \
		-e "global n probe process(\"$libc\").function(\"swab\") { if (n) n = 1 }"
	within 2892 high -e "global n probe process(\"$libc\").function(\"swab\").return { if (n) n = 1 }"

	cat > script.stp <<'END'
global total, list[10], last
function deep(n) { if (n > 1) return deep(n - 1) return n }
probe kernel.function("vfs_read") {
	if (execname() == "cat") next
	printf("%s %d\n", execname(), $count)
}
probe kernel.function("vfs_read").return if (total
	< 5) { total += $return list[tid()] = deep(3) }
probe kernel.trace("sched_switch"), timer.profile {
	foreach (k in list- limit 5) total += list[k]
	for (i = 0; i < 3; i++) last = i * total
}
probe end { println(total, last) }
END
	check 0 -- $STAP -w -r "$KERNEL" --estimate script.stp
	diff "$TOP/tests/cli/estimate.d/text.out" out > differs || { cat differs; say_wrong 'the text differs'; }
	check 0 '/^kernel.function\("vfs_read"\) +~[0-9]+ to [0-9]+ instructions a hit$' '/^Pass 2: ' -- \
		$STAP -w -v -p2 -r "$KERNEL" script.stp
	# One JSON object a line, also where a name has quotes.
	check 0 -- $STAP -w -r "$KERNEL" --estimate --json script.stp
	python3 -c 'import json, sys
for line in sys.stdin:
	o = json.loads(line)
	assert o["low"] <= o["high"] and sum(o["shares"].values()) == o["high"], line' \
		< out > differs 2>&1 || { cat differs; say_wrong 'the data do not add up'; }
	# The points are those of this kernel; of many, the range.
	check 0 '/^syscall\.\* +~[0-9]+ to [0-9]+ instructions a hit, [0-9]+ points$' -- \
		$STAP -w -r "$KERNEL" --estimate -e 'global n probe syscall.* { if (n++ < 5) println(argstr) }'
fi
check 2 '/--estimate is for modules; it cannot be combined with --runtime=user' -- \
	$STAP --runtime=user --estimate -e 'probe begin { println(1) }'
finish

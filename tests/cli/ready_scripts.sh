# SPDX-License-Identifier: GPL-2.0-or-later
# Each ready script honours -x, -c and --cgroup; what its usage names is what it has.
. "$TOP/tests/cli/expect.inc"

scripts=0
for file in "$TOP"/examples/*/*.stp; do
	grep -q '^ \* Test-expect: ' "$file" || continue
	scripts=$((scripts + 1))
	name=${file##*/}
	grep -q '^ \* Usage: .*-x PID' "$file" || say_wrong "$name's usage does not name -x PID"
	grep -qE 'in_target\(|^[^*]*process\(' "$file" || say_wrong "$name does not look at the target"
	! grep -qE '^ \* (All processes|Not with --cgroup)' "$file" || say_wrong "$name says what it does not honour"
	# With --cgroup, a probe sees the hits of its tasks only; target() is none there.
	! grep -qE '(if|&&|\|\|) ?\(?!?target\(\)' "$file" ||
		say_wrong "$name asks for target(), and not for has_target()"
	by_usage=$(grep -c '^ \* Usage: .*-G by=cgroup|container' "$file")
	[ "$by_usage" = "$(grep -c '^global by = "program"$' "$file")" ] ||
		say_wrong "$name: 'by' is in its usage or among its globals, not in both"
done
[ $scripts -ge 80 ] || say_wrong "only $scripts scripts are looked at"
check 0 '/^With -x, -c and --cgroup: interrupts' -- $STAP --examples=irq-time
check 0 '/-G by=cgroup.container. .-x PID . -c COMMAND' -- $STAP --examples=io-top
finish

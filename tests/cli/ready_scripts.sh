# SPDX-License-Identifier: GPL-2.0-or-later
# Each ready script honours -x and -c, or says why it does not; what its usage names is what it has.
. "$TOP/tests/cli/expect.inc"

scripts=0
for file in "$TOP"/examples/*/*.stp; do
	grep -q '^ \* Test-expect: ' "$file" || continue
	scripts=$((scripts + 1))
	name=${file##*/}
	! grep -q '^ \* Usage: .*-x PID' "$file" || ! grep -q '^ \* All processes: ' "$file" ||
		say_wrong "$name honours a target, and says why not"
	if grep -q '^ \* Usage: .*-x PID' "$file"; then
		grep -qE 'in_target\(|^[^*]*process\(' "$file" ||
			say_wrong "$name names -x PID, and does not look at the target"
	else
		grep -q '^ \* All processes: .' "$file" || say_wrong "$name says nothing about -x PID"
		! grep -q 'in_target(' "$file" || say_wrong "$name looks at the target, and its usage does not say so"
	fi
	by_usage=$(grep -c '^ \* Usage: .*-G by=cgroup|container' "$file")
	[ "$by_usage" = "$(grep -c '^global by = "program"$' "$file")" ] ||
		say_wrong "$name: 'by' is in its usage or among its globals, not in both"
done
[ $scripts -ge 80 ] || say_wrong "only $scripts scripts are looked at"
check 0 '/^All processes: an interrupt' -- $STAP --examples=irq-time
check 0 '/-G by=cgroup.container. .-x PID . -c COMMAND' -- $STAP --examples=io-top
finish

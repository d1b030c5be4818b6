# SPDX-License-Identifier: GPL-2.0-or-later
# Each ready script honours -x, -c and --cgroup; its usage names the arguments that it has.
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
# SystemTap's names lead to scripts that are there.
names=0
while read -r name ours; do
	names=$((names + 1))
	[ "$(find "$TOP/examples" -name "$ours.stp" | wc -l)" = 1 ] ||
		say_wrong "$name leads to '$ours', which is not there"
done < <(sed -nE 's/^ROW\("([^"]*)", "([^"]*)"\)$/\1 \2/p' "$TOP/stap/doc/examplenames.def")
advised=$(sed -nE 's/^ADVICE\("([^"]*)", "([^"]|\\")+"\)$/\1/p' "$TOP/stap/doc/examplenames.def" | grep -c .)
[ $((names + advised)) -ge 240 ] || say_wrong "only $names and $advised names of SystemTap's examples are known"
twice=$(sed -nE 's/^(ROW|ADVICE)\("([^"]*)".*/\2/p' "$TOP/stap/doc/examplenames.def" | sort | uniq -d)
[ -z "$twice" ] || say_wrong "names that stand twice: $twice"
[ "$(grep -c '^[A-Z]*(' "$TOP/stap/doc/examplenames.def")" = $((names + advised)) ] || say_wrong 'rows of no form'
check 0 "/for SystemTap's example 'disktop' the ready script 'disk-top' is run" -- \
	$STAP --runtime=user -p1 --example disktop.stp
check 0 '/^probe' -- $STAP --runtime=user -p1 --example disk/disk-top.stp
check 2 "/no ready script takes the place of SystemTap's example 'pong': a game" -- $STAP -p1 --example pong.stp
check 0 '/^It is .*disk-top.stp' -- $STAP --examples=disktop
check 0 '/^With -x, -c and --cgroup: interrupts' -- $STAP --examples=irq-time
check 0 '/-G by=cgroup.container. .-x PID . -c COMMAND' -- $STAP --examples=io-top
finish

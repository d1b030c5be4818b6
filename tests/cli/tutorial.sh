# SPDX-License-Identifier: GPL-2.0-or-later
# stap-tutorial(7): twelve steps; those without a kernel print what the page says, those with one are translated.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-tutorial.7stap
cp "$page" page
STAP=$STAP watched "$TOP/tools/docs" page user > out 2> err || say_wrong 'the steps cannot be run'
diff "$page" page > out || say_wrong 'the page differs from what its scripts print (make docs)'
mkdir steps && cd steps && awk -f "$TOP/tests/cli/page.awk" -v as=examples "$page" || exit
[ "$(ls ./*.stp | wc -l)" = 12 ] && [ "$(grep -cE '^\.SH "[0-9]+\.' "$page")" = 12 ] || say_wrong 'not twelve steps'
for n in $(seq 12); do
	script=$(sed -n '1s/^# //p' $n.stp)
	grep -q "^\$ stap .*$script" $n.cmd || say_wrong "step $n: the command does not run its script"
	[ "$(wc -l < $n.cmd)" = 1 ] && [ -s $n.out ] || say_wrong "step $n: no command, or no output"
	[ "$(cat $n.kind)" = user ] || [ -z "$KERNEL" ] ||
		watched $STAP -w -r "$KERNEL" -p3 $n.stp > /dev/null 2> out || say_wrong "step $n is not translated"
done
# Outputs of guests have the lines that the guest's test looks for.
sed -nE 's/^\.\\" expect //p' "$page" > expected
[ "$(wc -l < expected)" = "$(grep -l guest ./*.kind | wc -l)" ] || say_wrong 'a step of a guest without "expect"'
for n in $(grep -l guest ./*.kind | tr -dc '0-9\n' | sort -n); do
	grep -qE "^$(sed -n "$((n - 5))p" expected)" $n.out ||
		say_wrong "step $n: its output has no line that is expected"
done
cd ..
if [ -n "${SLOW-}" ] && [ -n "$KERNEL" ]; then
	watched "$TOP/tools/docs" page > out 2> err || say_wrong 'the steps cannot be run in guests'
	while read -r regex; do
		sed 's/\\-/-/g; s/\\(dq/"/g' page | grep -qE "^$regex" || say_wrong "in a guest no step prints: $regex"
	done < steps/expected
fi
groff -K utf8 -t -man -Tutf8 -rLL=78n -P-cbou "$page" | awk '
	/\[stap --explain |^ +(0xffff|bad\.stp:)/ { next } # as long as they are
	{ gsub(/[\200-\277]/, "") }
	length > 80' > out
[ ! -s out ] || say_wrong 'lines are wider than 80 columns'
finish

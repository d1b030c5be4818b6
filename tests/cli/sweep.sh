# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of the sweep: scripts of all its kinds translate for a batch of points, and its books find disagreements.
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DEBUGINFO_PATH=$WORK/none
kinds=0
for script in "$TOP"/tests/sweep/kinds/*.stp "$TOP/tests/sweep/count.stp"; do
	pattern=$(sed -n 's|^// points: ||p' "$script")
	case $pattern in module*) continue ;; esac
	"$STAP" -r "$KERNEL" -l "${pattern:-syscall.*}" | head -n 20 | paste -sd, > points
	mkdir -p lot && echo "probe lot = $(cat points) {}" > lot/lot.stp
	check 0 -- "$STAP" -r "$KERNEL" -p3 -w -I lot -E 'probe end { println(@count(ran)) }' "$script"
	kinds=$((kinds + 1))
done
[ $kinds = 6 ] || say_wrong "$kinds kinds"

lot() { # HITS DELIVERED RAN RECORDS: a trace of one hit that was missed and others
	local sums="\"hits\":$(($1 + 1)),\"delivered\":$(($2 + 1)),\"dropped\":0,\"skipped\":1"
	local refused='the kernel allows no probe there'
	cat > lot.json <<-EOF
		{"type":"start"}
		{"type":"output","cpu":0,"probe":"syscall.read","text":"read\n"}
		{"type":"output","cpu":"slow","probe":"end","text":"ran $3\n"}
		{"type":"warning","cpu":"slow","text":"syscall.a: b: $refused; skipped [man warning::pass5]"}
		{"type":"books","hits":$1,"delivered":$2,"dropped":0,"skipped":1,"probe":"syscall.read","cpu":0}
		{"type":"books","hits":1,"delivered":1,"dropped":0,"skipped":0,"probe":"end","cpu":"slow"}
		{"type":"skipped","reason":"missed","hits":1}
		{"type":"total",$sums,"records":$4,"final":true}
	EOF
	echo '[    1.0] WARNING: CPU: 0 PID: 1' > lot.dmesg
	python3 -B -c "
import sys
sys.path.insert(0, '$TOP/tests/sweep')
import books
e = books.of_lot('.', 'lot', 2, '0')
print(e['wrong'], e['bad'], e['refused'])" > out 2> err
}
lot 5 4 4 3
grep -qF "[] ['WARNING: CPU: 0 PID: 1'] {'syscall.a': 'the kernel allows no probe there'}" out ||
	say_wrong 'right books'
lot 5 4 3 3 && grep -q 'handlers ran 3 times, 4 are in the books' out || say_wrong 'a handler is missing'
lot 6 4 4 3 && grep -q "syscall.read: .*'hits': 6" out || say_wrong 'a hit is missing'
lot 5 4 4 2 && grep -q '2 records were read, 3 are there' out || say_wrong 'a record is missing'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# How the runs of ready scripts are judged (tests/examples.inc): each kind of failure is reported with the script, the
# run and the reason; many failures take few lines, so that they are still visible at the end of a run of all tests.
# guards: tests/examples.inc
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/examples.inc"

# good_run RUN: one that printed "right", as text and as data
good_run() {
	echo 0 > "runs/$1.status"
	: > "runs/$1.err"
	echo right > "runs/$1.out"
	cat > "runs/$1.json" <<-'END_JSON'
	{"type":"start"}
	{"type":"output","time":1,"probe":"end","text":"right\n"}
	{"type":"total"}
	END_JSON
}

# script NAME STATUS OUT ERR: a script that is to print "right", and its run of all processes; without STATUS it has no
# end, without ERR either it did not begin. Its other runs are good ones.
script() {
	good_run "t_x_$1.x"
	good_run "t_x_$1.group"
	printf ' * Test-expect: ^right$\n * Test-refuse: wrong\n' > "$1.stp"
	echo "$1.stp" > "runs/t_x_$1.source"
	: > "runs/t_x_$1.round"
	[ -z "$2" ] || echo "$2" > "runs/t_x_$1.status"
	printf '%b' "$3" > "runs/t_x_$1.out"
	[ $# = 3 ] || printf '%b' "$4" > "runs/t_x_$1.err"
}
judged() { judge_examples runs > out 2> err; }

mkdir runs
judged && say_wrong 'no run is a good one'
has out '^no example ran$' || say_wrong 'nothing is told of no runs'
script good 0 'right\n' 'WARNING: skipped hits: 3\nstapio: stopping\n'
judged || say_wrong 'a good run is not'
[ ! -s out ] || say_wrong 'a good run is told'

# own NAME OUT: the same, which runs a command of its own
own() {
	script "$1.own" 0 "$2" ''
	mv "$1.own.stp" "$1.stp"
	rm "runs/t_x_$1.own.source" "runs/t_x_$1.own.round"
	echo "$1.stp" > "runs/t_x_$1.source"
	echo command > "runs/t_x_$1.load"
	good_run "t_x_$1.owngroup"
}
own execve 'right\n 0x1609a : 0x1609a [/usr/bin/stapio+0x1609a/0x956a8]\n'
judged || say_wrong "the address of the command's start is one of stapio's own"

own target 'right\nstapio: 3 us\n'
judged && say_wrong 'what is not in the target is not seen'
has out '^target.stp, -c: a line matches: ' || say_wrong 'it is not told'
rm runs/t_x_target.*

script as_data 0 'right\n' ''
echo '{"type":"start"}' > runs/t_x_as_data.x.json
judged && say_wrong 'data without an end is good'
has out '^as_data.stp, --json: AssertionError' || say_wrong 'it is not told'
rm runs/t_x_as_data.*
script alone 0 'right\n' ''
rm runs/t_x_alone.group.*
judged && say_wrong 'a script that did not run in a group is good'
has out '^alone.stp, --cgroup: did not begin$' || say_wrong 'that is not told'
rm runs/t_x_alone.*

script other 0 'left\nover\nand\nout\n' ''
script too_much 0 'right\nwrong\n' ''
script fails 1 '' 'loading\nERROR: no memory\nremoved\n'
script warns 0 'right\n' 'loading\nWARNING: lost\n'
script behind '' ''
script hangs '' 'right\n' 'loading\nstarting\n'
script old 0 'NEW  TITLE\nright\n' ''
printf ' * Sample:\n *     TITLE\n *     right\n' >> good.stp
printf 'TITLE\nright\n' > runs/t_x_good.out
printf ' * Sample:\n *     NEW TITLE\n *     right\n' >> old.stp
echo 'other.ko: no such member' > runs/t_x_untranslated.p4
judged && say_wrong 'wrong runs are good'
cat > expected <<'END_TEXT'
runs/t_x_untranslated.p4: other.ko: no such member
fails.stp, of all processes: exit status 1: ERROR: no memory 
hangs.stp, of all processes: has no end: starting 
old.stp: the sample's headings are others: NEW  TITLE
other.stp, of all processes: none of 4 lines matches: ^right$
    left
    over
    and
too_much.stp, of all processes: a line matches: wrong
    wrong
warns.stp, of all processes: WARNING: lost 
behind.stp, of all processes: did not begin
END_TEXT
diff expected out || say_wrong 'they are told in other words'

for i in 1 2 3 4 5 6 7; do script more$i '' ''; done
judged && say_wrong 'wrong runs are good'
[ "$(wc -l < out)" = 14 ] && has out '^and so on: runs/wrong$' || say_wrong 'many are not told in few lines'
finish

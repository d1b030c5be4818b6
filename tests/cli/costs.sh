# SPDX-License-Identifier: GPL-2.0-or-later
# stap-costs(7) has the tables that tests/bench/page makes of doc/costs, each case of tests/bench/cost.d is measured,
# and the page fits on a terminal. On this machine's kernel a breakpoint after endbr64 is cheaper than one on it.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-costs.7stap
watched "$TOP/tests/bench/page" > made
diff "$page" made > out || say_wrong 'the page is not what make bench would write: tests/bench/page prints that'
for script in "$TOP"/tests/bench/cost.d/*.stp; do
	case=${script##*/} case=${case%.stp}
	grep -q "^$case " "$TOP/doc/costs/6.1-x86_64.txt" || echo "KEEP=1 tests/bench/cost $case"
done > out
[ ! -s out ] || say_wrong 'cases that were not measured'
fits_terminal "$page"
watched "$TOP/tests/bench/places" > places 2> errors
case $? in
0)
	awk '/^endbr64 / { on = $NF } /^push behind/ { behind = $NF } END { exit !(behind && behind * 1.5 < on) }' places ||
		say_wrong "a breakpoint behind endbr64 is not cheaper: $(cat places)"
	;;
77) grep -q '^skipped: .' places || say_wrong 'it says no reason' ;;
*) say_wrong "it fails: $(cat places errors)" ;;
esac
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# stap-costs(7), README.md and doc/figures.md have the figures of doc/costs, where tests/bench/page puts them; each case
# of tests/bench/cost.d is measured, and the page fits on a terminal. README.md has 900 words at most. On this machine's
# kernel a breakpoint after endbr64 is cheaper than one on it.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-costs.7stap
for document in man/stap-costs.7stap README.md doc/figures.md; do
	watched "$TOP/tests/bench/page" "$document" > made 2> errors || say_wrong "$document: $(cat errors)"
	diff "$TOP/$document" made > out ||
		say_wrong "$document has other figures than doc/costs: tests/bench/page --write writes them"
done
[ "$(wc -w < "$TOP/README.md")" -le 900 ] || say_wrong "README.md has $(wc -w < "$TOP/README.md") words"

# told TEXT LINE…: a document with these lines is refused with that text.
told() {
	printf '%s\n' "${@:2}" > document.md
	! watched "$TOP/tests/bench/page" "$PWD/document.md" > out 2> errors || say_wrong "nothing is wrong: ${*:2}"
	grep -q "document.md:[0-9]*: $1" errors || say_wrong "no '$1': $(cat errors)"
}
head=('<!-- costs: ours@6.1 bpftrace@6.12 -->' '| | stap | bpftrace |' '|---|---|---|')
told '"an emtpy handler" is nothing that a script' "${head[@]}" '| an emtpy handler | | |'
told '1 columns below a mark that names 2' "${head[@]}" '| A: empty | |'
told "doc/costs has no figures of '5.10-x86_64'" "${head[@]/6.12/5.10}" '| A: empty | | |'
told "a column is WHO@KERNEL, to-reach or -" "${head[@]/ours@6.1/ours}" '| A: empty | | |'
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

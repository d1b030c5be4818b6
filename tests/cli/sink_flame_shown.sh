# SPDX-License-Identifier: GPL-2.0-or-later
# --to flame: a browser shows the picture as described: each frame in its place and its colour, also in a comparison.
# skip: is_slow "a browser shows flame graphs" || no_program chromium python3
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge

# shown FILE.svg: prints how many frames a browser has shown
shown() {
	timeout -k 5 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" \
		--window-size=1240,900 --screenshot="$PWD/page.png" "file://$PWD/$1" > page.log 2>&1
	python3 "$TOP/tests/cli/sinks.d/shown.py" "$1" page.png 2>&1
}

stacks() { record "probe begin { printf(\"%s %d\n\", \"cat;main;read\", $1) printf(\"%s %d\n\", \"cat;main;write\", 20)
	printf(\"%s %d\n\", \"dd;<é>;\\\"write\\\"\", $2)
	for (i = 0; i < 40; i++) deep .= sprintf(\"f%d;\", i)
	printf(\"%s %d\n\", deep, 9) exit() }"; }
stacks 70 50
INPUT=stream check 0 '!.' -- "$merge" --to flame:a.svg -
[ "$(shown a.svg)" = '48 frames' ] || say_wrong "shown: $(shown a.svg)"
stacks 20 90
INPUT=stream check 0 '!.' -- "$merge" --to flame:b.svg,before=a.svg -
[ "$(shown b.svg)" = '48 frames' ] || say_wrong "a change: $(shown b.svg)"
# The picture is looked at: one that has another colour is not this one.
sed 's/\(data-name="write".*fill="hsl(\)[0-9]*/\1200/' a.svg > other.svg
shown a.svg > out
python3 "$TOP/tests/cli/sinks.d/shown.py" other.svg page.png > out 2>&1 && say_wrong 'another colour is not seen'
finish

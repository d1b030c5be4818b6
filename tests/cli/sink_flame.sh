# SPDX-License-Identifier: GPL-2.0-or-later
# --to flame: what stacks are, the picture as XML, and, where there is a browser, its code.
# skip: no_program python3
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge

# frames FILE: "DEPTH NAME WEIGHT" of each, as drawn
frames() {
	python3 - "$1" << 'EOF'
import sys, xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
above = {}
for g in tree.parse(sys.argv[1]).getroot().iter(svg + "g"):
    title, rect = g.find(svg + "title").text, g.find(svg + "rect")
    name, weight = title.rsplit(": ", 1)
    assert g.get("data-name") == name
    depth, x, width = int(g.get("data-depth")), float(g.get("data-x")), float(g.get("data-width"))
    assert abs(x - float(rect.get("x"))) < 0.01 and x + width < 1200.001
    assert not depth or above[depth - 1][0] - 0.001 <= x and x + width <= above[depth - 1][1] + 0.001
    above[depth] = x, x + width
    print(depth, name, weight.split(",")[0])
EOF
}

record 'function line(a, n) { return sprintf(" 0x%x : %s+0x1/0x20 [kernel]\n", a, n) }
probe begin {
	printf("%s%s %d\n", "cat", ";main;read", 70)
	printf("%s%s %d\n", "cat", ";main;write", 20)
	printf("%s%s %d\n", "cat", ";main;read", 5)
	printf("%s %d\n", "l<&\"\xff\x01>s;", 10)
	printf("%s %d\n", "zero;a", 0)
	printf("%s %d\n", "less;b", -1)
	n = 7
	println(n) print(line(1, "inner")) print(line(2, "mid")) print(line(3, "outer"))
	println(n) print(line(1, "inner")) print(line(4, "0x4"))
	printf("%d %s\n", 3, line(1, "inner") . line(2, "mid") . line(3, "outer"))
	printf("%s %s\n", "prog", "0x1 0x2 0x3")
	printf("%s\n", "0x1 and more")
	exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to flame:a.svg -
frames a.svg > drawn 2> err || { cp err out; say_wrong 'the picture is not as it should be'; }
diff - drawn > out << 'EOF' || say_wrong 'frames'
0 all 124
1 0x1 and more 1
1 0x4 7
2 inner 7
1 cat 95
2 main 95
3 read 75
3 write 20
1 l<&"??>s 10
1 outer 10
2 mid 10
3 inner 10
1 prog 1
2 0x3 1
3 0x2 1
4 0x1 1
EOF

record 'probe begin { for (i = 0; i < 50; i++) deep .= "a;b;c;d;e;" printf("%s%s\n", deep, deep) exit() }'
INPUT=stream check 0 '/1 stacks have more frames than it can show: they are cut' -- \
	"$merge" --to flame:cut.svg -
[ "$(frames cut.svg | wc -l)" = 257 ] || say_wrong 'a stack that is too deep'
record 'probe begin { printf("%d\n", 1) exit() }'
INPUT=stream check 0 '/the script has printed no stacks; stap-merge.1. says what are some' -- \
	"$merge" --to flame:no.svg -
[ -z "$(frames no.svg)" ] || say_wrong 'no stacks'
INPUT=stream check 1 '/no.svg: it exists already' -- "$merge" --to flame:no.svg -

if type -P chromium > where; then
	zoom='zoom(frames.find(f => f.name === "main"))'
	sed "s/^\]\]><.script>/$zoom; search(\"^(read|main)\$\");&/" a.svg > page.svg
	timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom \
		"file://$PWD/page.svg" > page 2> err
	grep -q '>matched: 76.61%<' page || { cp page out; say_wrong 'a search in the picture'; }
	sed -n 's/.*data-name="\([^"]*"\).*<rect[^>]* width="\([0-9]*\).*/\1 \2/p' page > widths
	for frame in 'all" 1200' 'cat" 1200' 'main" 1200' 'read" 947' 'write" 252' 'outer" 0'; do
		grep -qFx "$frame" widths || { cp widths out; say_wrong "zoomed: $frame"; }
	done
fi
damage flame
finish

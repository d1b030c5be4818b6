# SPDX-License-Identifier: GPL-2.0-or-later
# --to flame: recognition of stacks, the picture as XML and, if there is a browser, its code.
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
    name = g.get("data-name")
    assert title.startswith(name + ": ")
    depth, x, width = int(g.get("data-depth")), float(g.get("data-x")), float(g.get("data-width"))
    assert abs(x - float(rect.get("x"))) < 0.01 and x + width < 1200.001
    assert not depth or above[depth - 1][0] - 0.001 <= x and x + width <= above[depth - 1][1] + 0.001
    above[depth] = x, x + width
    print(depth, name, title[len(name) + 2:].split(",")[0])
EOF
}

record 'function line(a, n) { return sprintf(" 0x%x : %s+0x1/0x20 [kernel]\n", a, n) }
probe begin {
	printf("%s%s %d\n", "cat", ";main;read", 70)
	printf("%s%s %d\n", "cat", ";main;write", 20)
	printf("%s%s %d\n", "cat", ";main;read", 5)
	printf("%s %d\n", "l<&\"\xff\x01]]>s;", 10)
	printf("%s %d\n", "zero;a", 0)
	printf("%s %d\n", "less;b", -1)
	n = 7
	println(n) print(line(1, "inner")) print(line(2, "mid")) print(line(3, "outer"))
	println(n) print(line(1, "inner")) print(line(4, "0x4"))
	printf("%d %s\n", 3, line(1, "inner") . line(2, "mid") . line(3, "outer"))
	printf("%d %s\n", 6, "in+0x0/0x7 [b.so] (by frame pointer)\n0x1136 [b.so+0x1136/0x40]\n0x12\nout+0x1/0x2 [a.out]\n")
	printf("%d %s", 2, " 0x7f01 [/lib/b.so+0x1/0x40]\n 0x7f02 : out+0x1/0x2 [/bin/a.out]\n")
	printf("%s %s\n", "prog", "0x1 0x2 0x3")
	printf("%s\n", "0x1 and more")
	exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to flame:a.svg -
frames a.svg > drawn 2> err || { cp err out; say_wrong 'the picture is not as it should be'; }
grep -q 'in all</text>' a.svg && ! grep -qE 'hsl\((19[0-9]|2[0-3][0-9]),' a.svg || say_wrong 'cold colours, or no sum'
# Time off the CPU has another colour, its unit and a title.
record 'probe begin {
	printf("%s %(off_cpu_us)d\n", "cat;main;read", 1500)
	printf("%s %(off_cpu_us)d\n", "cat;main", 2000000)
	exit() }'
mv stream off.stream
INPUT=off.stream check 0 '!.' -- "$merge" --to flame:off.svg -
grep -q ': off-CPU time: 2.00 s in all</text>' off.svg && grep -q '<title>read: 1.5 ms, 0.07%</title>' off.svg &&
	grep -q 'fill="hsl(2[0-9][0-9],' off.svg && ! grep -q 'fill="hsl([1-5][0-9],' off.svg ||
	say_wrong "off-CPU: $(grep -oE 'middle".*</text>|<title>.*</title>|fill="hsl[^"]*' off.svg)"
diff - drawn > out << 'EOF' || say_wrong 'frames'
0 all 132
1 0x1 and more 1
1 0x4 7
2 inner 7
1 cat 95
2 main 95
3 read 75
3 write 20
1 l<&"??]]>s 10
1 out 8
2 0x12 6
3 b.so 6
4 in 6
2 b.so 2
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
INPUT=stream check 0 '/the script has printed no stacks; for their form see stap-merge.1.' -- \
	"$merge" --to flame:no.svg -
[ -z "$(frames no.svg)" ] || say_wrong 'no stacks'
INPUT=stream check 1 '/no.svg: it exists already' -- "$merge" --to flame:no.svg -

# ---- the title ----
# titled TITLE OPTION…
titled() {
	rm -f titled.svg
	check 0 '!.' -- "$STAP" --runtime=user "${@:2}"
	grep -qF ">$1, " titled.svg || say_wrong "$*: $(grep -oE 'middle.*</text>' titled.svg)"
}
echo 'probe begin { printf("%s %d\n", "cat;main", 7) exit() }' > 'of & 5% waits.stp'
titled 'of &amp; 5% waits.stp' --to flame:titled.svg "$PWD/of & 5% waits.stp"
titled 'a script on the command line' --to flame:titled.svg -e "$(cat of*.stp)"
titled 'one, title=x' --to 'flame:titled.svg,title=one, title=x' of*.stp
cp titled.svg old.svg
titled 'of &amp; 5% waits.stp' --to flame:titled.svg,before=old.svg of*.stp
grep -q 'red is more' titled.svg || say_wrong 'a title, and no comparison'

# ---- what has changed ----
run() { record "probe begin { printf(\"%s %d\n\", \"cat;main;read\", $1) printf(\"%s %d\n\", \"cat;main;write\", 50)
	printf(\"%s %d\n\", \"$2\", $3) exit() }"; }
run 50 'cat;gone' 100
INPUT=stream check 0 '!.' -- "$merge" --to flame:before.svg -
run 150 'l<&\">' 200
INPUT=stream check 0 '/now.svg: 50.00% of the earlier run was in frames that this one does not have' -- \
	"$merge" --to flame:now.svg,before=before.svg -
frames now.svg > drawn 2> err || { cp err out; say_wrong 'the picture of a change is not as it should be'; }
grep -q ': 400 in all; red is more' now.svg || say_wrong 'the picture does not say how much it shows'
sed -n 's/.*<title>\(.*\)<.title>.*fill="\([^"]*\)".*/\1 \2/p' now.svg > changes
diff - changes > out << 'EOF' || say_wrong 'what has changed'
all: 400, 100.00% (before: 200, 100.00%; +0.00) hsl(0,0%,92%)
cat: 200, 50.00% (before: 200, 100.00%; -50.00) hsl(0,0%,92%)
main: 200, 50.00% (before: 100, 50.00%; +0.00) hsl(0,0%,92%)
read: 150, 37.50% (before: 50, 25.00%; +12.50) hsl(10,90%,83%)
write: 50, 12.50% (before: 50, 25.00%; -12.50) hsl(220,90%,83%)
l&lt;&amp;&quot;&gt;: 200, 50.00% (before: 0, 0.00%; +50.00) hsl(10,90%,53%)
EOF
INPUT=stream check 0 '!.' -- "$merge" --to flame:same.svg,before=now.svg -
! grep -q 'hsl([1-9]' same.svg || say_wrong 'a run has changed that is compared with itself'
for change in 's/data-depth="2"/data-depth="4"/:5: the frame has no parent' \
	's/ data-total="[0-9]*"//:1[0-9]: no flame graph that --to flame has made'; do
	sed "${change%%:*}" before.svg > wrong.svg
	rm -f compared.svg
	INPUT=stream check 1 "/wrong.svg:[0-9]*: ${change##*: }" -- "$merge" --to flame:compared.svg,before=wrong.svg -
done
INPUT=stream check 1 '/none.svg: No such file' -- "$merge" --to flame:compared.svg,before=none.svg -
[ ! -e compared.svg ] || say_wrong 'a picture was made, and there was nothing to compare with'

if type -P chromium > where; then
	zoom='zoom(frames.find(f => f.name === "main"))'
	sed "s/^\]\]><.script>/$zoom; search(\"^(read|main)\$\");&/" a.svg > page.svg
	timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom \
		"file://$PWD/page.svg" > page 2> err
	grep -q '>matched: 71.97%<' page || { cp page out; say_wrong 'a search in the picture'; }
	sed -n 's/.*data-name="\([^"]*"\).*<rect[^>]* width="\([0-9]*\).*/\1 \2/p' page > widths
	for frame in 'all" 1200' 'cat" 1200' 'main" 1200' 'read" 947' 'write" 252' 'outer" 0'; do
		grep -qFx "$frame" widths || { cp widths out; say_wrong "zoomed: $frame"; }
	done
fi
damage flame
finish

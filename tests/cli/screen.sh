# SPDX-License-Identifier: GPL-2.0-or-later
# --monitor on a terminal of its own: books, keys, the output below and what stays of it. Switches of modules:
# tests/guest/run/switch.sh; the screen over one:
# tests/guest/run/monitor.sh.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"

check 2 '/--monitor takes a number from 1 to 3600' -- $user --monitor=0 -e 'probe begin {}'
check 2 '/--monitor shows a run that is read here, and cannot be combined with --vm or -F$' \
	-- $STAP --vm --monitor -e 'probe begin {}'
if ! $STAP -V | grep -q 'with ncurses'; then
	check 3 '/--monitor: this stap was built without ncurses' -- $user --monitor -e 'probe begin {}'
	finish
	exit
fi
check 2 '/--monitor: standard input and output have to be a terminal' -- $user --monitor -e 'probe begin {}'

export PYTHONPATH=$TOP/tests/cli PYTHONDONTWRITEBYTECODE=1
cat > shown.stp <<'EOT'
global n, by, sizes, word = "a\x1b[31m\tb", empty
probe begin { println("begun") }
probe timer.ms(10) { n++ }
probe timer.ms(11) { n++ }
probe timer.ms(700) { printf("line %d \x1b[31mred\n", ++lines) }
probe end { println("ended", word, @count(sizes), @max(sizes)) }
probe begin { by["two", 2] = 22 by["one", 1] = 11 sizes <<< 3 sizes <<< 5 if (n > 1000000000) empty[1] = 1 }
global lines
EOT
name=monitor_$$
cat > keys.py <<'PY'
import os, subprocess, sys
from screen import Screen
stap, name = sys.argv[1:]
s = Screen([stap, "--runtime=user", "-m", name, "--monitor", "shown.stp"])
probe = r"^ +1 +{}  timer.ms\(10\)  +{} +[1-9]\d* +[1-9]\d* +0 +0 +[1-9]\d*$"
s.wait(rf"^{name}  shown.stp  running  00:0\d:\d\d$")
s.wait(r"^hits [1-9]\d* \([1-9]\d*/s\)  delivered [1-9]\d*  dropped 0  skipped 0  in handlers \d+\.\d\d%  sorted by index$")
s.wait(probe.format("on", r"[1-9]\d*"))
s.wait(r"^ +4 +on  (end|timer.ms\(700\)) +[0-9]+ +[0-9]+ +0 +0 +0 +[0-9]+$")
# What the script prints, and nothing of it that the terminal would act on.
s.wait(r"^line 2 \?\[31mred$")
# A probe off, and on again; all of them.
s.key("t1", r"index of the probe to switch on or off: 1_$")
s.key("\n", probe.format("off", "0"))
s.wait(r"^ +2 +on  timer.ms\(11\) +[1-9]\d* +[1-9]\d* ")
off = subprocess.run([stap, "--status", "--json", name], capture_output=True, text=True).stdout
assert '"off":true' in off.replace(" ", ""), off
s.key("t1\n", probe.format("on", r"[1-9]\d*"))
s.key("t9\n", r"there is no probe of that index")
s.key("p", probe.format("off", "0"))
s.wait(r"^ +2 +off  timer.ms\(11\) +0 +[1-9]\d* ")
s.wait(r"^ +0 +on  begin ")
s.key("r", probe.format("on", r"[1-9]\d*"))
# Globals instead of the probes, with their values of now, and back.
s.key("g", r"^GLOBAL$")
s.wait(r"^n [1-9]\d+$")
s.wait(r'^by\["two",2\] 22\nby\["one",1\] 11$')
s.wait(r"^sizes count 2 sum 8 min 3 max 5")
s.wait(r"^empty: no elements$")
s.wait(r'^word "a\\x1b\[31m\\x09b"$')
s.key("g", probe.format("on", r"[1-9]\d*"))
# The order, the state away and there again, and what moves.
s.key("s", r"sorted by hits$")
s.key("ssss", r"sorted by time$")
s.key("ss", r"sorted by index$")
s.key("x", r"\A(?!.*timer\.ms)(?s:.*)line \d+")
s.key("x", r"^ +1 +on  timer.ms\(10\) ")
s.key("\t", "^output:$")
s.key("\x1b[H", r"^begun$")
os.write(s.fd, b"q")
status, left = s.end()
assert status == 0, status
lines = left.replace("\r", "").split("\n")
assert any(l.endswith("begun") for l in lines) and any(l.startswith("ended") for l in lines), left
assert "line 1 \x1b[31mred" in lines, left
PY
python3 keys.py "$STAP" $name > out 2> err || say_wrong "keys: $(tail -n 30 out; tail -n 30 err)"
check 1 "/no run $name on" -- $STAP --status $name

# A script that ends by itself, fails, or floods; ^C; a terminal that goes away; one that can do nothing.
cat > ends.py <<'PY'
import os, signal, sys
from screen import Screen
stap, name = sys.argv[1:]
def run(script, *more, **how):
    return Screen([stap, "--runtime=user", "-m", name, "--monitor", *more, "-e", script], **how)
status, left = run('probe timer.ms(300) { println("done") exit() }').end()
assert (status, left.count("done")) == (0, 1), (status, left)
status, left = run('probe timer.ms(300) { error("wrong") }').end()
assert status == 1 and "ERROR: wrong" in left, (status, left)
s = run('global n probe timer.ms(1) { for (i = 0; i < 200; i++) println("flood ", n++) }', "-DMAXACTION=100000")
s.wait("flood [0-9]{4}")
s.wait("delivered [1-9]")
os.write(s.fd, b"\x03")
status, left = s.end()
assert status == 0 and 1000 < left.count("flood") <= 5000, (status, left.count("flood"))
s = run('probe timer.ms(10) { } probe end { system("touch after_hangup") }')
s.wait("running")
os.close(s.fd)
os.waitpid(s.pid, 0)
status, left = run('probe timer.ms(300) { println("done") exit() }', term="no-such-terminal").end()
assert status == 2 and "TERM names no terminal" in left, (status, left)
# On 80 columns the probe is there; the last column of numbers is not.
Screen.columns = 80
s = run('global n probe timer.ms(10) { n++ } probe timer.ms(5000000) { println(n) }')
s.wait(r"^INDEX +PROBE +HITS/S +HITS +NS/HIT +DROPPED +SKIPPED$")
s.wait(r"^ +1 +on  timer.ms\(5000000\) +0 +0 +0 +0 +0$")
os.write(s.fd, b"q")
assert s.end()[0] == 0
PY
python3 ends.py "$STAP" ${name}_ends > out 2> err || say_wrong "ends: $(tail -n 30 out; tail -n 30 err)"
[ -e after_hangup ] || say_wrong 'a terminal that goes away ends nothing, or not in order'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# --monitor on a terminal of its own: books, keys, the output below and what stays of it. Switches of modules:
# tests/guest/run/switch.sh.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"

check 2 '/--monitor takes a number from 1 to 3600' -- $user --monitor=0 -e 'probe begin {}'
check 2 '/--monitor shows a run of this machine, and goes without --vm, --remote and -F$' \
	-- $STAP --vm --monitor -e 'probe begin {}'
if ! $STAP -V | grep -q 'with ncurses'; then
	check 3 '/--monitor: this stap was built without ncurses' -- $user --monitor -e 'probe begin {}'
	finish
	exit
fi
check 2 '/--monitor: standard input and output have to be a terminal' -- $user --monitor -e 'probe begin {}'

cat > screen.py <<'PY'
import fcntl, os, pty, re, select, signal, struct, sys, termios

class Screen:
    """A terminal as far as ncurses uses it; `raw` is all that was written to it."""
    rows, columns = 24, 100

    def __init__(self, argv, term="xterm"):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.row = self.column = 0
        self.region = (0, self.rows)
        self.raw = self.rest = ""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM=term, LC_ALL="C.UTF-8")
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))

    def control(self, numbers, letter):
        n = [int(x) if x else 0 for x in re.findall(r"\d*", numbers) if x] or [0]
        line, count = self.cells[min(self.row, self.rows - 1)], max(n[0], 1)
        if letter == "H":
            self.row, self.column = max(n[0], 1) - 1, max(n[1] if len(n) > 1 else 1, 1) - 1
        elif letter == "d":
            self.row = count - 1
        elif letter == "G":
            self.column = count - 1
        elif letter in "ABCD":
            self.row += {"A": -count, "B": count}.get(letter, 0)
            self.column += {"C": count, "D": -count}.get(letter, 0)
        elif letter == "K":
            span = range(self.column, self.columns) if n[0] == 0 else range(0, self.column + 1)
            for i in span:
                line[i] = " "
        elif letter == "X":
            for i in range(self.column, min(self.column + count, self.columns)):
                line[i] = " "
        elif letter == "J":
            for r in range(self.row if n[0] == 0 else 0, self.rows):
                self.cells[r] = [" "] * self.columns
        elif letter == "r":
            self.region = (max(n[0], 1) - 1, n[1] if len(n) > 1 else self.rows)
            self.row = self.column = 0
        elif letter in "STLM":
            top, end = self.region if letter in "ST" else (self.row, self.region[1])
            empty = [[" "] * self.columns for _ in range(min(count, end - top))]
            part = self.cells[top:end]
            moved = part[count:] + empty if letter in "SM" else empty + part
            self.cells[top:end] = moved[:end - top]
        elif letter == "P":
            line[self.column:] = line[self.column + count:] + [" "] * count
        elif letter == "@":
            line[self.column:] = ([" "] * count + line[self.column:])[:self.columns - self.column]
        elif letter == "b":
            for _ in range(count):
                self.put(self.last)

    def put(self, c):
        if self.row < self.rows and self.column < self.columns:
            self.cells[self.row][self.column] = self.last = c
        self.column += 1

    def take(self, text):
        self.raw += text
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            m = re.compile(r"\x1b(?:\[([?>0-9;]*)([A-Za-z@`])|[()].|[=>78M])").match(text, at)
            if m:
                if m.group(2) and not m.group(1).startswith(("?", ">")):
                    self.control(m.group(1), m.group(2))
                at = m.end()
                continue
            c = text[at]
            if c == "\x1b" and len(text) - at < 20:
                self.rest = text[at:]
                return
            if c == "\r":
                self.column = 0
            elif c == "\n":
                self.row += 1
            elif c == "\b":
                self.column -= 1
            elif c >= " ":
                self.put(c)
            at += 1

    def shown(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)

    def read(self):
        if not select.select([self.fd], [], [], 120)[0]:
            raise SystemExit("nothing comes any more; the screen:\n" + self.shown())
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.take(data.decode(errors="replace"))
        return data

    def wait(self, pattern):
        """Waits for a line of the screen; the clock in it goes on, so that something always comes."""
        for _ in range(60):
            if re.search(pattern, self.shown(), re.M):
                return
            if not self.read():
                break
        raise SystemExit(f"not on the screen: {pattern}\n{self.shown()}")

    def key(self, text, pattern):
        os.write(self.fd, text.encode())
        self.wait(pattern)

    def end(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), self.raw.split("\x1b[?1049l")[-1]
PY
cat > shown.stp <<'EOT'
global n
probe begin { println("begun") }
probe timer.ms(10) { n++ }
probe timer.ms(11) { n++ }
probe timer.ms(700) { printf("line %d \x1b[31mred\n", ++lines) }
probe end { println("ended") }
global lines
EOT
name=monitor_$$
cat > keys.py <<'PY'
import os, subprocess, sys
from screen import Screen
stap, name = sys.argv[1:]
s = Screen([stap, "--runtime=user", "-m", name, "--monitor", "shown.stp"])
probe = r"^ +1 +{} +[1-9]\d* +{} +[1-9]\d* +0 +0  timer.ms\(10\)$"
s.wait(rf"^{name}  shown.stp  running  00:0\d:\d\d$")
s.wait(r"^hits [1-9]\d* \([1-9]\d*/s\)  delivered [1-9]\d*  dropped 0  skipped 0  sorted by index$")
s.wait(probe.format("on", r"[1-9]\d*"))
s.wait(r"^ +4 +on +[0-9]+ +[0-9]+ +[0-9]+ +0 +0  end$|timer.ms\(700\)$")
# What the script prints, and nothing of it that the terminal would act on.
s.wait(r"^line 2 \?\[31mred$")
# A probe off, and on again; all of them.
s.key("t1", r"index of the probe to switch on or off: 1_$")
s.key("\n", probe.format("off", "0"))
s.wait(r"^ +2 +on +[1-9]\d* +[1-9]\d* .* timer.ms\(11\)$")
off = subprocess.run([stap, "--status", "--json", name], capture_output=True, text=True).stdout
assert '"off":true' in off.replace(" ", ""), off
s.key("t1\n", probe.format("on", r"[1-9]\d*"))
s.key("t9\n", r"there is no probe of that index")
s.key("p", probe.format("off", "0"))
s.wait(r"^ +2 +off +[1-9]\d* +0 .* timer.ms\(11\)$")
s.wait(r"^ +0 +on .* begin$")
s.key("r", probe.format("on", r"[1-9]\d*"))
# The order, the state away and there again, and what moves.
s.key("s", r"sorted by hits$")
s.key("sssss", r"sorted by index$")
s.key("x", r"\A(?!.*timer\.ms)(?s:.*)line \d+")
s.key("x", r"^ +1 +on .* timer.ms\(10\)$")
s.key("\t", "^output:$")
s.key("\x1b[H", r"^begun$")
os.write(s.fd, b"q")
status, left = s.end()
assert status == 0, status
lines = left.replace("\r", "").split("\n")
assert any(l.endswith("begun") for l in lines) and "ended" in lines and "line 1 \x1b[31mred" in lines, left
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
PY
python3 ends.py "$STAP" ${name}_ends > out 2> err || say_wrong "ends: $(tail -n 30 out; tail -n 30 err)"
[ -e after_hangup ] || say_wrong 'a terminal that goes away ends nothing, or not in order'
finish

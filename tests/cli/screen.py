# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal for programs that draw on one, and its keys: for the tests of --monitor."""
import fcntl, os, pty, re, select, signal, struct, sys, termios

class Screen:
    """A terminal as far as ncurses uses it; `raw` is all that was written to it."""
    rows, columns = 24, 100

    def __init__(self, argv, term="xterm", patience=120):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.row = self.column = 0
        self.region = (0, self.rows)
        self.patience = patience
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

    # At an end of the region that scrolls, its lines move instead.
    def down(self):
        top, end = self.region
        if self.row == end - 1:
            self.cells[top:end] = self.cells[top + 1:end] + [[" "] * self.columns]
        else:
            self.row += 1

    def up(self):
        top, end = self.region
        if self.row == top:
            self.cells[top:end] = [[" "] * self.columns] + self.cells[top:end - 1]
        else:
            self.row -= 1

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
                elif m.group(0) == "\x1bM":
                    self.up()
                at = m.end()
                continue
            c = text[at]
            if c == "\x1b" and len(text) - at < 20:
                self.rest = text[at:]
                return
            if c == "\r":
                self.column = 0
            elif c == "\n":
                self.down()
            elif c == "\b":
                self.column -= 1
            elif c >= " ":
                self.put(c)
            at += 1

    def shown(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)

    def read(self):
        if not select.select([self.fd], [], [], self.patience)[0]:
            raise SystemExit("nothing comes any more; the screen:\n" + self.shown())
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.take(data.decode(errors="replace"))
        return data

    def wait(self, pattern):
        """Waits for a line of the screen; the clock in it goes on, so that something always comes."""
        for _ in range(300):
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

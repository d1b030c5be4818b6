# SPDX-License-Identifier: GPL-2.0-or-later
# stap -i, driven by a program that expects a prompt: pexpect, with which tools wrap the dialogues of other programs.
# skip: ! python3 -c 'import pexpect' 2> /dev/null && echo "pexpect is not installed"
# skip: ! "$top/$B/bin/stap" --version | grep -q 'with libedit' && echo "this stap was built without libedit"
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DIR=$PWD/state
mkdir -p files/sub
touch files/program files/notes
chmod +x files/program
cat > drive.py <<'PY'
import os, re, sys, time
import pexpect

PROMPT = r"stap> "
def start(**more):
    return pexpect.spawn(sys.argv[1], ["--runtime=user", "-i"], timeout=120, encoding="utf-8", dimensions=(24, 120),
        env={**os.environ, "TERM": "dumb" if more.get("dumb") else "xterm"})
def shown(text):
    """The text without what moves the cursor."""
    return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]|\r", "", text)
def wrong(what, got): print(what + ":", repr(got))

c = start()
c.expect(PROMPT)
def say(line, until=PROMPT):
    c.sendline(line)
    c.expect(until)
    return shown(c.before)

# Tab: a command, an option, a function, the names of a script, files in a point.
if "add [DECLARATION]" not in say("hel\t"): wrong("help", c.before)
say("set timeo\t9")
if "--timeout=9" not in say("show"): wrong("show", c.before)
if "function strlen" not in say("doc strle\t"): wrong("doc", c.before)
say("global counted = 40")
say("probe begin { counted += 2 printl\t(coun\t) }")
for typed, whole in [('probe process("%s/files/pro\t' % os.getcwd(), 'gram"'),
                     ('probe process("%s/files/s\t' % os.getcwd(), "ub/")]:
    c.send(typed)
    if c.expect_exact([whole, pexpect.TIMEOUT], timeout=10): wrong("no " + whole, c.before)
    c.sendintr()
    c.expect(PROMPT)
text = say("list")
if "global counted = 40" not in text or not re.search(r"println ?\(counted", text): wrong("list", text)

# A run, that ^C ends, and not the dialogue; set and unset hold.
say("probe end { println(\"the en\", \"d\") }")
c.sendline("run")
c.expect("42\r\n")
c.sendintr()
c.expect("the end\r\n")
c.expect(PROMPT)
say("unset timeout")
if "--timeout is not set" not in say("show timeout"): wrong("unset", c.before)
# ^C at the prompt drops what is typed.
c.send("probe beg")
c.sendintr()
c.expect(PROMPT)
if "probe beg" in say("list").replace("probe begin", ""): wrong("the line is left", c.before)
# History: the line before, and one that is searched.
c.send("\x1b[A\x1b[A\n")
c.expect("--timeout is not set")
c.expect(PROMPT)
c.send("\x12strle\n")
c.expect("function strlen")
c.expect(PROMPT)
if "doc strlen" not in say("history"): wrong("history", c.before)
# A mistake is that run's.
say("delete all")
say("probe begin { prin() }")
if "there is no function 'prin'" not in say("run"): wrong("mistake", c.before)
say("delete all")
say("probe begin { exit() }")
say("run")
# ^D ends it, with the status of the last command.
c.sendeof()
c.expect(pexpect.EOF)
c.close()
if (c.exitstatus, c.signalstatus) != (0, None): wrong("status", (c.exitstatus, c.signalstatus))

# ^C while the keys before it are still read: the prompt comes, whatever was discarded.
c = start()
c.expect(PROMPT)
for i in range(3000):
    os.write(c.child_fd, b"probe beg")
    busy_until = time.perf_counter() + i % 100 * 1e-6
    while time.perf_counter() < busy_until: pass
    os.write(c.child_fd, b"\3")
    if c.expect([PROMPT, pexpect.TIMEOUT], timeout=20):
        wrong("no prompt after ^C number %d" % i, c.before)
        break
c.sendeof()
c.expect(pexpect.EOF)
c.close()

# Also where the terminal can do nothing; and the history is there again.
c = start(dumb=True)
c.expect(PROMPT)
say("probe begin { println(6 * 7) exit() }")
if "42" not in say("run"): wrong("dumb", c.before)
c.sendeof()
c.expect(pexpect.EOF)
c.close()
if c.exitstatus != 0: wrong("status", c.exitstatus)
c = start()
c.expect(PROMPT)
say("\x12counted =")
if "1  global counted = 40" not in say("globals"): wrong("history of before", c.before)
c.sendline("quit")
c.expect(pexpect.EOF)
c.close()
PY
check 0 '!.' -- python3 drive.py "$STAP"
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# stap -i: its commands by pipe; and on a terminal ^C, history, Tab, ^D, and a terminal that disappears.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
export SYSTEMTAP_DIR=$PWD/state

# says STATUS [/REGEX] [!REGEX] -- [OPTION]…: what `stap -i` makes of the lines on standard input.
says() {
	local want=$1 patterns=()
	shift
	while [ "$1" != -- ]; do patterns+=("$1") && shift; done
	shift
	cat > lines
	INPUT=lines check "$want" "${patterns[@]}" -- $user -i "$@"
}

# ---- the command line ----

check 2 '/-i is a dialogue; give other commands there' -- $user -i -l 'timer.*'
check 0 '/with(out)? libedit \(-i\)' -- $STAP --version
echo 'probe begin { println("in a file") } probe begin { println($1) exit() }' > first.stp
says 0 '/^in a file$' '/^41$' -- first.stp 41 <<< run
says 0 '/^  1  probe begin \{ exit\(\) \}$' -- -e 'probe begin { exit() }' <<< list
says 2 '/none.stp: No such file' -- none.stp < /dev/null

# ---- the script ----

says 0 '/^hello 1$' '/^hello 2$' '/^  1  global n, # how often$' '/^       m = 2$' '/^  3  probe end \{$' \
	'!stap>' -- <<'END'
global n, # how often
  m = 2
function f(x) {
  return x - 1 /* } */
}
private function g:long() %{ /* pure */ STAP_RETVALUE = 1; %}
delete 3
add probe end {
  print("hello ", n, "\n") # "
  exit()
}
probe begin { n = f(m); println("hello 2") exit() } # done
list
run
:list 1
END
# SystemTap's commands: delete without numbers, its names of options, history and ?.
says 0 '/^  1  probe begin \{ println\("left"\) exit\(\) \}$' '!gone' -- <<'END'
global gone
probe begin { println("gone") }
delete
probe begin { println("left") exit() }
list
END
says 0 '/^-p 2$' '/^-g$' '/^--vp 1$' '/^# probes$' -- <<'END'
probe begin { exit() }
set last_pass 2
set guru_mode 1
set verbosity 1
show
run
END
says 0 '!^-g' '/^kept -w$' -- <<'END'
set guru_mode 1
set suppress_warnings 1
set guru_mode 0
set panic_warnings 0
probe begin { println("kept -w") exit() }
show
run
END
says 0 '/^  1  global a$' '/^  2  history$' '/^  history +show the lines' '/^  quit +leave' -- <<'END'
global a
history
?
END
printf 'global a global b = 1\nprobe begin { }\nfunction f() { }\n' > declared.stp
says 0 '/^  1  global a$' '/^  2  global b = 1$' '/^  4  function f\(\) \{ \}$' '/^  3  probe begin \{ \}$' \
	'!^  5' -- <<'END'
load declared.stp
globals
functions
probes
END
says 0 '/^only this$' '!^global' -- <<'END'
load declared.stp
delete 1-4
probe begin { println("only this") exit() }
save saved.stp
run
END
[ "$(cat saved.stp)" = 'probe begin { println("only this") exit() }' ] || say_wrong "saved.stp: $(cat saved.stp)"
printf '#!/bin/sh\nsed -i s/old/new/ "$1"\n' > editor
chmod +x editor
EDITOR=$PWD/editor says 0 '/^  1  # old$' '/^     probe begin \{ println\("new"\) exit\(\) \}$' '/^new$' -- <<'END'
# a comment is no command
add # old
probe begin { println("old") exit() }
list
edit
edit 1
run
list
END
EDITOR=false says 2 '/^stap: false: exit status 1; the script is as it was$' '/^  2  probe begin \{ exit' -- <<'END'
add # 1
probe begin { exit() }
list
edit
END

# ---- mistakes ----

says 2 "/^stap: no command 'lst'; did you mean 'list'" -- <<< lst
says 2 "/^stap: '3' are not declarations of the script, which has 0; as in 2, 1-3 or all$" -- <<< 'delete 3'
says 2 '/^stap: there is nothing to run; type a declaration, as in' -- <<< run
says 2 '/^stap: the point is missing' -- <<< l
says 2 '/^stap: name one file$' -- <<< 'save a b'
says 2 '/^stap: not words of a command line' -- <<< 'load $(id)'
says 2 "/^stap: no command 'x'; help lists them$" -- <<< 'help x'
says 2 "/^stap: -l is for the command line of stap$" -- <<< 'set -l begin'
says 2 "/^stap: --rlimit-cpu=1 is for the command line of stap$" -- <<< 'set rlimit-cpu 1'
says 2 "/^stap: 'begin' is not an option; as in -T 5, --timeout=5 or -v$" -- <<< 'run begin'
says 2 "/^stap: --timeout takes a number from 1 to [0-9]*, not 'x'$" -- <<< 'set timeout x'
says 2 "/^stap: 'timeout' is not set here; show lists the options that are$" -- <<< 'unset timeout'
says 2 '/^stap: -c and -x cannot both be given$' -- <<< $'probe begin { }\nset -c true\nrun -x 1'
# A mistake in a run is that run's; the last command's status is the dialogue's.
says 1 '/<input>:1:19: error: ' '/\[stap --explain ' -- <<< 'probe begin { x = ) }
run'
says 0 "/unknown|did you mean|no function 'prnt'" '/^went on$' -- <<'END'
probe begin { prnt() }
run
delete all
probe begin { println("went on") exit() }
run
END
# What a file ends in the middle of is added.
says 0 '/^  1  probe begin \{$' -- -e 'probe begin {' <<< list

# ---- options, questions ----

says 0 '/^--timeout=5$' '/^-v$' '/^Pass 1: parsed user script' '/^-c .a b.$' '/^--timeout is not set$' -- <<'END'
set timeout 5
set -v
set c 'a b'
show
unset -c
unset T
show timeout
probe begin { exit() }
run -p1
END
says 0 '/^--to=postgresql://u@h/d$' '!secret' -- <<< $'set to postgresql://u:secret@h/d\nshow'
says 0 '/^probe begin$' '!^stap_' -- <<< 'probe begin { exit() }
run -p1'
says 0 '/^timer\.ms\(10\)$' '/^function strlen ' '/^option  +an option of the command line$' -- <<'END'
l timer.ms(10)
doc strlen
explain
END
says 0 '/^  run \[OPTION ...\] +run the script' '/^  quit ' -- <<< ':help'
says 0 '/^  list ' '!^  quit ' -- <<< 'help list'
says 0 '!never' -- <<< $'quit\nnever'

# A mistake in a file of the library is reported when a script needs it, and each time.
mkdir -p mine
echo 'function broken() { return ) }' > mine/broken.stp
says 0 '/mine/broken.stp:1:' '/^fine$' -- -I mine <<'END'
probe begin { broken() }
run
delete all
probe begin { println("fine") exit() }
run
END

# ---- on a terminal ----

cat > talk.py <<'PY'
import os, pty, re, select, signal, sys, time

class Talk:
    """A dialogue on a terminal of its own."""
    def __init__(self, *argv, **env):
        self.text, self.rest = "", b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm", COLUMNS="80", **env)
            os.execvp(argv[0], argv)

    def read(self):
        if not select.select([self.fd], [], [], 120)[0]:
            raise SystemExit("nothing comes any more: " + repr(self.text))
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        # What moves the cursor is left out; a beginning of it waits for the rest.
        self.rest += data
        end = re.search(rb"(\x1b(\[[?0-9;]*)?)?\Z", self.rest).start()
        self.text += re.sub(rb"\x1b\[[?0-9;]*[A-Za-z]|\r", b"", self.rest[:end]).decode(errors="replace")
        self.rest = self.rest[end:]
        return data

    def wait(self, pattern):
        """Waits for a text, and forgets what came up to its end."""
        while True:
            m = re.search(pattern, self.text, re.M)
            if m:
                self.text = self.text[m.end():]
                return m
            if not self.read() and not re.search(pattern, self.text, re.M):
                raise SystemExit(f"it has ended without {pattern!r}: {self.text!r}")

    def say(self, keys, pattern):
        os.write(self.fd, keys.encode())
        return self.wait(pattern)

    def end(self, keys=""):
        os.write(self.fd, keys.encode())
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
PY
cat > terminal.py <<'PY'
import os, signal, subprocess, sys
from talk import Talk
stap = sys.argv[1:]
t = Talk(*stap, "-i")
t.wait(r"help lists the commands\.\n(Tab does not work here: .*\n)?\n*stap> ")
t.say("probe begin {\n", "    > ")
t.say('println("be", "gun")\n', "    > ")
t.say("}\n", "stap> ")
# ^C ends the run, and not the dialogue: end probes run.
t.say('probe end { println("en", "ded") }\n', "stap> ")
t.say("run\n", "begun\n")
t.say("\x03", r"ended\n+stap> ")
# At a prompt ^C drops the line, and what it continues.
t.say("lis\x03", r"stap> ")
t.say("function f() {\n", "    > ")
t.say("\x03", "stap> ")
t.say("list\n", r'  2  probe end \{ println\("en", "ded"\) \}\nstap> ')
assert "function" not in t.text
# A dialogue that is told to end ends.
os.kill(t.pid, signal.SIGTERM)
status = t.end()
assert status == 128 + signal.SIGTERM, status

# A terminal that goes ends it, also one that is not hung up: while it waits, and while a script runs.
for started in False, True:
    t = Talk("sh", "-c", 'trap "" HUP; exec "$@"', "sh", *stap, "-i", "-e", 'probe begin { println("be", "gun") }')
    t.wait("stap> ")
    if not started:
        t.say("list\n", r'println\("be", "gun"\)')
    else:
        t.say("run\n", "begun\n")
    os.close(t.fd)
    if started:
        subprocess.run(["pkill", "-INT", "-P", str(t.pid)])
    os.waitpid(t.pid, 0)
PY
cat > editor.py <<'PY'
import os, re, sys
from talk import Talk
stap = sys.argv[1:]
t = Talk(*stap, "-i")
t.wait("stap> ")
# Tab: commands, options, names of the library, points, the script's own.
t.say("he\t\n", r"  add \[DECLARATION\]")
t.wait("stap> ")
t.say("set time\t5\n", "stap> ")
t.say("show\n", r"--timeout=5\n")
t.say("unset timeo\t\n", "stap> ")
t.say("doc strle\t\n", "function strlen ")
t.wait("stap> ")
t.say("l timer.pro\t\n", r"timer\.profile\n")
t.wait("stap> ")
t.say("global counted\n", "stap> ")
t.say("probe timer.prof\t { prin\t\t", r"printdln\s+printf\s+printk")
t.say("ln(coun\t) }\n", r"stap> (?!.*timer.prof)")
t.say("probes\n", r"  2  probe timer\.profile +\{ println\(counted +\) \}\nstap> ")
t.say("load fir\t\n", "stap> ")
t.say("probes\n", r"in a file")
# History, in this dialogue and in the next.
t.say("\x1b[A\x1b[A\n", r"load first.stp *\n+stap> ")
assert t.end("\x04") == 0
history = open(os.environ["SYSTEMTAP_DIR"] + "/history").read()
assert "global\\040counted" in history or "global counted" in history, history
t = Talk(*stap, "-i")
t.wait("stap> ")
t.say("\x12global c\n", r"\n+stap> ")
t.say("globals\n", "  1  global counted\nstap> ")
assert t.end("quit\n") == 0
# Letters of several bytes come whole.
t = Talk(*stap, "-i", LC_ALL="C.UTF-8")
t.wait("stap> ")
t.say('probe begin { println("gr\u00fc\u00dfe") exit() }\n', "stap> ")
t.say("run\n", "^gr\u00fc\u00dfe\n")
t.wait("stap> ")
assert t.end("\x04") == 0
PY
check 0 -- python3 terminal.py $user
if $STAP --version | grep -q 'with libedit'; then
	check 0 -- python3 editor.py $user
	if [ -n "$KERNEL" ]; then
		cat > points.py <<'PY'
import sys
from talk import Talk
t = Talk(*sys.argv[1:], "-i")
t.wait("stap> ")
t.say('l kernel.function("vfs_ren\t)\n', r'kernel\.function\("vfs_rename"\)\n')
t.wait("stap> ")
t.say('probe kernel.function("vfs_renam\t) { }\n', "stap> ")
t.say("probes\n", r'  1  probe kernel\.function\("vfs_rename"\) \{ \}\n')
t.end("quit\n")
PY
		check 0 -- python3 points.py $STAP -r "$KERNEL"
	fi
fi
# Without libedit it is a dialogue all the same.
check 0 -- env TERM=dumb python3 terminal.py $user
# ---- what a run leaves ----

says 0 '/^begins 1 $' '/^begins 2 a "\\b$' '/^begins 8 a "\\b$' '/^n 2$' '/^who "a "\\x5cb"$' \
	'/^per\["cat"\] 1$' '/^sizes count 1 sum 3' '/^n 9$' '!begins 3' '!arrays are kept' -- <<'END'
set globals
global n = 1, who, per, sizes
probe begin { printf("begins %d %s\n", n, who) per["cat"]++ sizes <<< 3 exit() }
probe end { n++ who = "a \"\\b" if (@count(sizes) > 1 || per["cat"] > 1) println("arrays are kept") }
run
values
continue
delete 1
global n = 1, who, per, sizes, another
continue -G n=8
values n
END
says 2 "/^stap: no run has left values; after 'set globals' each does$" '/^ran$' -- <<'END'
probe begin { println("ran") exit() }
run
continue
END
says 2 "/^stap: no run has left values" -- <<< values
# A global that is gone is no longer set, whatever begins or ends with its name.
says 0 '/^7$' '/^no nn$' -- <<'END'
set globals
global n = 7
probe begin { println(n) exit() }
run
delete all
global nn
probe begin { nn = "no nn" println(nn) exit() }
continue
END
finish

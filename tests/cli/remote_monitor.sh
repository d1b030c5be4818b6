# SPDX-License-Identifier: GPL-2.0-or-later
# stap --monitor --remote: rows of all machines, keys that reach all, the end by q. `ssh`, `uname` and `staprun` are
# stand-ins; tests/guest/run/remote.sh has the real ones.
# skip: no_program python3
# guards: stap/remote stap/watch
. "$TOP/tests/cli/expect.inc"
"$STAP" -V | grep -q 'with ncurses' || { finish; exit; }
export PYTHONPATH=$TOP/tests/cli PYTHONDONTWRITEBYTECODE=1 HERE=$PWD KERNEL
. "$TOP/tests/cli/machine.inc"
cat > bin/staprun <<'END'
#!/bin/bash
case $1 in
-h) echo ' --records=text|data'; exit ;;
--switch=*) echo "$BOX $*" >> "$HERE/switched"; exit ;;
esac
echo "$*" >> "$HERE/started"
. "$TOP/tests/cli/hoststream.inc"
trap 'stream_say 9000 "ended on $BOX"; stream_end 9; exit 0' TERM
echo "a message of $BOX" >&2
stream_begin 1000 "$(date +%s%N)"
stream_say 2000 "first of $BOX"
for ((i = 3; ; i++)); do stream_look $i; sleep 0.5; done
END
chmod +x bin/*
export PATH=$PWD/bin:$PATH
cat > keys.py <<'END'
import os, sys
from screen import Screen
s = Screen([sys.argv[1], "-m", "m_remote", "--monitor", "--remote", "one", "--remote", "two", "-e", "probe begin { }"])
s.wait(r"^m  -e  running on 2 of 2 machines  00:0\d:\d\d$")
s.wait(r"^hits [1-9]\d+ \([1-9]\d*/s\)  delivered")
s.wait(r"^HOST +INDEX +PROBE +HITS/S +HITS")
for host in "one", "two":
    s.wait(rf"^{host} +0 +on  p +[1-9]\d* +[1-9]\d* +0 +0 +0 +[1-9]\d*$")
    s.wait(rf"^first of {host}$")
    s.wait(rf"^{host}: a message of {host}$")
s.key("t0\n", r"^one +0 +off  p ")
s.wait(r"^two +0 +off  p ")
s.key("r", r"^two +0 +on  p ")
s.key("t7\n", r"there is no probe of that index")
s.key("g", r"the values of globals are not known here")
os.write(s.fd, b"q")
status, left = s.end()
assert status == 0, (status, left)
for text in "first of two", "ended on one", "ended on two", "2 of 2 machines ran":
    assert text in left, (text, left)
END
python3 keys.py "$STAP" || say_wrong 'the screen'
grep -q -- '--records=text,1 ' started || say_wrong "how it is started: $(cat started)"
[ "$(sort switched | tr '\n' ,)" = \
	'one --switch=0:off m_remote,one --switch=all:on m_remote,two --switch=0:off m_remote,two --switch=all:on m_remote,' ] ||
	say_wrong "what is switched: $(cat switched)"
check 2 '/--monitor: standard input and output have to be a terminal' -- \
	$STAP --monitor --remote one -e 'probe begin { }'
finish

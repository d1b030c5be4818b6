# SPDX-License-Identifier: GPL-2.0-or-later
# stap --remote over real connections: sshd of OpenSSH at many addresses. staprun is a stand-in, which writes a stream
# as `staprun --records` does.
# skip: no_program sshd ssh ip || no_namespace || no_kernel
# guards: stap/remote stap/run tests/cli/sshd.inc
. "$TOP/tests/cli/sshd.inc"
. "$TOP/tests/cli/expect.inc"
export FAR=$far

cat > "$far/bin/staprun" <<'END'
#!/bin/bash
[ "$1" != -h ] || { echo ' --records=text|data'; exit; }
. "${0%/bin/*}/node"
. "$TOP/tests/cli/hoststream.inc"
far=${0%/bin/*}
now() { echo "${EPOCHREALTIME/[.,]/}000"; }
say() { stream_say "$@"; }
start=$(now)
. "$far/begin"
. "$far/script"
stream_end "$hits"
END
echo "echo '$KERNEL x86_64'" > "$far/bin/uname"
chmod +x "$far"/bin/*
echo 'stream_begin 1000000000 "$start"' > "$far/begin"
script='probe begin { println("hi") }'
many="$STAP -m m_many --remote-timeout 120"

none_left() { ! pgrep -f "$far/bin/staprun" > /dev/null && is_empty "$far/tmp"; }

# 64 at once, or more; no more than 32 connections are made at a time.
[ -n "${SLOW-}" ] && count=500 || count=64
echo 'hits=$NODE; say 1000000001 "I am node$NODE"' > "$far/script"
for ((i = 1; i <= count; i++)); do echo "node$i # machine $i"; done > nodes
check 0 "/^$count of $count machines ran\$" '/^node7 +ran +7 +7 +0 +0  [-+][0-9.]+ ms$' -- \
	$many --remote-file nodes --remote-prefix=host -e "$script"
[ "$(grep -c '^node\([0-9]*\): I am node\1$' out)" = $count ] || say_wrong "many machines"
wait_until none_left

# Sets and groups of ClusterShell's, where it is there, and what is said where it is not.
if command -v nodeset > /dev/null; then
	mkdir groups
	echo 'web: node[3,5-6]' > groups/local.cfg
	printf '[Main]\ndefault: local\n[local]\nmap: sed -n "s/^$GROUP: //p" %s\n' "$PWD/groups/local.cfg" \
		> groups/groups.conf
	export CLUSTERSHELL_CFGDIR=$PWD/groups
	check 0 '/^I am node3$' '/^I am node6$' '/^I am node9$' '/^root@node9 +ran' '/^5 of 5 machines ran$' -- \
		$many --remote @web --remote 'root@node[9-10]' -e "$script"
	check 0 '/^ssh://root@node2:22 +ran' '/^2 of 2 ' -- $many --remote 'ssh://root@node[1-2]:22' -e "$script"
	check 2 '/--remote @none: ' -- $many --remote @none -e "$script"
	check 2 '/--remote node\[1-2: ' -- $many --remote 'node[1-2' -e "$script"
	check 2 '/--remote node\[1-20000\]: more than 10000 machines' -- $many --remote 'node[1-20000]' -e "$script"
fi
mkdir few
for program in ssh sed; do ln -s "$(command -v $program)" few/; done
check 3 '/--remote node\[1-2\] is a set of machines, which needs ClusterShell, .*; apt-get install clustershell' -- \
	env PATH="$PWD/few" "$STAP" --remote 'node[1-2]' -e "$script"
check 2 '/--remote-file nowhere: No such file' -- $many --remote-file nowhere -e "$script"
check 2 '/--remote-file /dev/null names no machine' -- $many --remote-file /dev/null -e "$script"

# Machines that do not answer are left out: nobody listens; whoever listens says nothing.
python3 -c '
import socket, time
s = socket.create_server(("127.1.0.201", 2022))
open("listens", "w")
time.sleep(1000)' & silent=$!
wait_until test -e listens
check 6 '/^stap: ssh://node3:9 cannot be asked for its kernel: ssh: connect .* port 9: .* refused; it is left out$' \
	'/^stap: ssh://node200:2022 cannot be asked .*timed out.*; it is left out$' '/^I am node1$' '/^I am node2$' \
	'/^ssh://node3:9 +left out +cannot be asked .*refused$' '/^2 of 4 machines ran$' -- \
	$many --remote-timeout 5 --remote node1 --remote ssh://node3:9 --remote node2 \
	--remote ssh://node200:2022 -e "$script"
check 3 '/^stap: ssh://node3:9 cannot be asked for its kernel: .*refused$' '!I am' -- $many --remote-strict \
	--remote node1 --remote ssh://node3:9 -e "$script"
kill $silent

# A file for each machine, and one for all.
head -n 16 nodes > some
check 0 -- $many --remote-file some -o '%h-%m.log' -e "$script"
[ "$(cat node16-m_many.log)" = 'I am node16' ] && [ "$(ls node*.log | wc -l)" = 16 ] || say_wrong "a file for each"
check 0 -- $many --remote node1 --remote node2 -o '%m.log' -e "$script"
[ "$(sort m_many.log)" = "I am node1"$'\n'"I am node2" ] || say_wrong "a file for both"
check 2 '/-o %h.log: node1 and me@node1 would have one file' -- \
	$many --remote node1 --remote me@node1 -o %h.log -e "$script"
# What a flight recorder writes stays on the machine.
echo 'echo "$*" > "$far/args"' > "$far/script"
check 0 -- $many --remote node1 --remote node2 -F -o /var/log/%h.log -e "$script"
grep -q -- ' -F -o /var/log/%h.log ' "$far/args" || say_wrong "-F -o: $(cat "$far/args")"

# In the order of time, whatever the clocks say: that of node2 is an hour ahead.
cat > "$far/bin/date" <<END
#!/bin/bash
. "$far/node"
[ "\$*" = +%s%N ] && [ \$NODE = 2 ] && { t=\${EPOCHREALTIME/[.,]/}000; echo \$((t + 3600000000000)); exit; }
exec /bin/date "\$@"
END
chmod +x "$far/bin/date"
cat > "$far/begin" <<'END'
[ $NODE != 2 ] || start=$((start + 3600000000000))
stream_begin 0 "$start"
END
cat > "$far/script" <<'END'
skew=$([ $NODE = 2 ] && echo 3600000000000 || echo 0)
for i in 1 2 3 4 5 6; do
	say $(($(now) + skew - start)) "$i of $NODE"
	# Neither goes on before the other has come as far; and on a loaded machine the clocks' difference is a guess.
	echo > "$far/tmp/step$i.$NODE"
	until [ -e "$far/tmp/step$i.$((3 - NODE))" ]; do sleep 0.05; done
	sleep 0.2
done
hits=6
END
check 0 '/^node2 .*\+(3599|3600)[0-9]{3}\.[0-9]{3} ms$' '/^node1 .* [-+][0-9]{1,3}\.[0-9]{3} ms$' -- \
	$many --remote node1 --remote node2 -e "$script"
rm "$far/bin/date" "$far"/tmp/step*
sort -s -n out > sorted
cmp -s out sorted && [ "$(wc -l < out)" = 12 ] || say_wrong "the order of time"

# --json: the lines with the machine's name. What is no stream is a line of the log.
echo 'if [ $NODE = 2 ]; then echo no stream; exit; fi; stream_begin 1000000000 "$start"' > "$far/begin"
cat > "$far/script" <<'END'
hits=1
say 5 x
say 7 $'\1\2\xff'
END
check 0 '/^\{"from":"node1","type":"output","time":5,"cpu":0,"probe":"p","text":"x' \
	'/^\{"from": ?"node2","type": ?"clock","ahead":' \
	'/^\{"from":"node1","type":"output","time":7,.*"base64":"AQL/Cg=="' \
	'/^\{"from":"node1","type":"total","hits":1,"delivered":1,' '/^\{"from":"node1","type":"start",.*"module":"m"' \
	'/^\{"from": ?"node2","type": ?"log","text": ?"no stream"' -- \
	$many --json --remote node1 --remote node2 -e "$script"
python3 -c '
import json, sys
for line in open("out"): json.loads(line)["from"]' || say_wrong "each line is JSON"

# A flood from 16 machines arrives whole.
cat > "$far/script" <<'END'
hits=20000
python3 -c '
import struct, sys
for i in range(1, 20001):
	text = b"%d %d of a flood\n" % (int(sys.argv[1]), i)
	body = struct.pack("<HH", 0xffff, len(text)) + text
	head = struct.pack("<QIHBB", 1000000000 + i * 1000, 0, len(body), 0, 0)
	sys.stdout.buffer.write(head + body + bytes(-len(body) % 8))
' $NODE
END
echo 'stream_begin 1000000000 "$start"' > "$far/begin"
check 0 '/^16 of 16 machines ran$' -- $many --remote-file some -e "$script"
awk '{ if ($2 != ++n[$1]) bad++ } END { for (i in n) if (n[i] == 20000) whole++; print whole + 0, bad + 0 }' out > sum
[ "$(cat sum)" = '16 0' ] || say_wrong "a flood: $(cat sum)"

# The end: by ^C on all, and of one that is lost. A run knows that nobody listens by itself.
cat > "$far/script" <<'END'
trap 'echo $NODE >> "$far/ended"; hits=1; over=1' TERM
say 1000000001 "node$NODE runs"
over=
until [ -n "$over" ]; do sleep 0.1; done
END
run_many() {
	rm -f "$far/ended"
	$many "$@" -e "$script" > out 2> err & pid=$!
}
runs() { [ "$(grep -c ' runs$' out)" = "$1" ]; }
ended() { [ "$(sort -u "$far/ended" 2> /dev/null | wc -l)" = "$1" ]; }
for how in INT KILL; do
	run_many --remote-file some
	wait_until runs 16
	kill -$how $pid
	wait $pid 2> /dev/null
	wait_until ended 16
	wait_until none_left
	[ $how = KILL ] || has err '^16 of 16 machines ran$' || say_wrong "the end of all"
done
run_many --remote-timeout 3 --remote node1 --remote node2 --remote node3
wait_until runs 3
stopped=$(pgrep -f '/usr/bin/ssh .*node2')
kill -STOP $stopped
wait_until ended 1
[ "$(cat "$far/ended")" = 2 ] || say_wrong "node2 ends by itself"
kill -CONT $stopped
parent() { awk '/^PPid:/ { print $2 }' "/proc/$1/status"; }
kill -KILL "$(parent "$(parent "$(pgrep -f 'staprun -r 2:node3')")")"
wait_until has err '^stap: node3: the connection was lost'
wait_until ended 2
kill -INT $pid
wait_until ended 3
wait $pid 2> /dev/null
[ $? = 6 ] && has err '^2 of 3 machines ran$' || say_wrong "two of three"
wait_until none_left

check 2 "/--remote-prefix is number or host, not 'x'" -- $STAP --remote node1 --remote-prefix=x -e "$script"

# What a machine prints is shown, and does nothing to the terminal.
echo 'printf "\033]0;title\007no\233 \302\233m\rhidden\n" >&2; printf "\033[2Jx\n"; hits=0' > "$far/script"
check 0 '/^node1: \?\]0;title\?no\? \?\?m\?hidden$' -- $many --remote node1 --remote node2 -e "$script"
finish

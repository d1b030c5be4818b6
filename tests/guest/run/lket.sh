# The Linux Kernel Event Trace: a session of its manual page. lket-b2a reads the files of -b -M; a reader written from
# the specification decodes its output, and finds the same events.
# skip: no_program python3
# guards: tapset/LKET lket runtime tools/lket.awk trace
set -eu
cd "$(mktemp -d)"
fail() { cat err; head -n 20 lket.out 2> /dev/null; echo "$1"; exit 1; }
dd if=/dev/zero of=data bs=1000 count=1 2> /dev/null

cat > work.py <<'EOF'
import os, socket
for _ in range(20):
    os.close(os.open("data", os.O_RDONLY))
with open("data", "rb", buffering=0) as f:
    f.read(1000)
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x" * 100, ("127.0.0.1", 9))
except OSError:
    os.rename("data", "no_network")
    os.link("no_network", "data")
if os.fork() == 0:
    os._exit(0)
os.wait()
os.execvp("cat", ["cat", "data"])
EOF
staprun -b -M -c "python3 $PWD/work.py" "$MODULES/t_lket.ko" > out 2> err || fail "staprun: status $?"
lket-b2a -f -i 1 stpd_cpu* > out 2> err || fail "lket-b2a: status $?"
[ ! -s err ] || fail 'lket-b2a has something to say'
said() { grep -Eq "$1" lket.out || fail "no line matches $1"; }
[ "$(head -n 1 lket.out)" = "$(printf 'LKET Magic:\t0xAEFCDB6B')" ] || fail 'the header'
sed -n '/^$/q;p' lket.out | grep -q '^Big endian:.NO$' || fail 'the header'
sed '1,/^$/d' lket.out | head -n 1 | grep -q 'EVT_NAME:process_snapshot HOOKGRP:3 HOOKID:1 .*pname:stapio,$' ||
	fail 'the first event'
said 'EVT_NAME:process_snapshot HOOKGRP:3 HOOKID:1 tid:1,pid:1,ppid:0,pname:'
! grep -q 'PPID:-1,.*process_snapshot' lket.out || fail 'a parent that is not known'
said 'APPNAME:[^ ]*cat EVT_NAME:iosyscall.read.entry HOOKGRP:9 HOOKID:5 fd:[0-9]+,buff_addr:[0-9]+,count:[0-9]+,$'
said 'APPNAME:[^ ]*python3 EVT_NAME:iosyscall.read.return HOOKGRP:9 HOOKID:6 return:1000,$'
said 'EVT_NAME:iosyscall.open.entry HOOKGRP:9 HOOKID:1 filename:data,flags:[0-9]+,mode:0,$'
said 'EVT_NAME:process.execve HOOKGRP:3 HOOKID:3 pid:[0-9]+,pname:[^,]*cat,$'
said 'EVT_NAME:process.fork HOOKGRP:3 HOOKID:2 tid:[0-9]+,pid:[0-9]+,ppid:[0-9]+,$'
said 'EVT_NAME:syscall.entry HOOKGRP:2 HOOKID:1 syscall:openat,$'
said 'EVT_NAME:tskdispatch.ctxswitch HOOKGRP:5 HOOKID:1 prev_pid:[0-9]+,next_pid:[0-9]+,prev_state:-?[0-9]+,$'
said 'EVT_NAME:pagefault HOOKGRP:7 HOOKID:1 addr:[0-9]+,write:[01],$'
if [ ! -e no_network ]; then
	packet='dev_name:lo,data_len:[0-9]+,protocol:2048,buff_size:[0-9]+'
	said "EVT_NAME:netdev.transmit HOOKGRP:8 HOOKID:2 $packet,mac_len:[0-9]+,priority:[0-9]+,$"
fi
# Processes are filtered: of others nothing but switches, and what nobody's process does.
sed '1,/^$/d' lket.out | grep -Ev 'process_snapshot|tskdispatch|^$' | sed 's/.* PID:\([0-9]*\),.*/\1/' | sort -u > pids
[ "$(wc -l < pids)" -le 3 ] || fail "events of other processes: $(cat pids)"

# The bytes of 2006 hold the same.
lket-b2a --to lket:bytes stpd_cpu* 2> err || fail "--to lket: status $?"
python3 "$TOP/tests/cli/lket.d/lket.py" decode bytes/stpd_cpu* | sort > decoded
n='(-?[0-9]+)'
sed '1,/^$/d' lket.out | grep . |
	sed -E "s/^$n\.$n CPU:$n TID:$n, .*HOOKGRP:$n HOOKID:$n (.*)/\1\2 \4 \3 \5 \6 \7/" |
	sed -E 's/^0+([0-9])/\1/' | sort > ours
[ "$(wc -l < ours)" -gt 100 ] || fail 'no events'
diff ours decoded > err || fail "the bytes of 2006 hold other events"

# Live, and from the same raw files by stap-merge.
stap-merge --to lket:merged stpd_cpu* 2> err || fail "stap-merge --to lket: status $?"
for file in bytes/stpd_cpu*; do
	cmp "$file" "merged/${file##*/}" > err 2>&1 || fail "stap-merge writes other bytes"
done
# The stream of the run is kept beside: raw files of the same run, made into the same bytes.
cp "$TOP/$B/bin/stap-merge" real_merge
cat > tee_merge << EOF
#!/bin/bash
tee $PWD/stream | $PWD/real_merge "\$@"
exit \${PIPESTATUS[1]}
EOF
chmod +x tee_merge
unshare --mount sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh tee_merge "$TOP/$B/bin/stap-merge" \
	staprun --to lket:live -c "python3 $PWD/work.py" "$MODULES/t_lket.ko" > out 2> err ||
	fail "staprun --to lket: status $?"
stap-merge -b -o again - < stream 2> err || fail "stap-merge -b: status $?"
lket-b2a --to lket:of_raw again_* 2> err || fail "raw files of the run: status $?"
[ "$(ls live)" = "$(ls of_raw)" ] || fail "live and raw files: $(ls live of_raw)"
for file in live/stpd_cpu*; do
	cmp "$file" "of_raw/${file##*/}" > err 2>&1 || fail 'live and raw files of one run hold other events'
done
python3 "$TOP/tests/cli/lket.d/lket.py" decode live/stpd_cpu* > decoded 2> err || fail 'the bytes of --to lket'
for event in '9 1 filename:data,flags:' '9 6 return:1000,' '3 3 pid:[0-9]*,pname:[^,]*cat,' '2 1 syscall:openat,'; do
	grep -q " $event" decoded || fail "--to lket: no event $event"
done

# Processes are recorded without being asked for, unless the script stops that.
for stopped in 0 1; do
	staprun -b -M -o "of_$stopped" -c "python3 $PWD/work.py" "$MODULES/t_lket_stopped.ko" stopped=$stopped \
		> out 2> err || fail "stopped=$stopped: status $?"
	lket-b2a -f of_${stopped}_* > out 2> err || fail "lket-b2a, stopped=$stopped: status $?"
	said 'EVT_NAME:iosyscall.open.entry filename:data,'
	said 'EVT_NAME:process_snapshot '
	for event in fork execve; do
		! grep -q "EVT_NAME:process.$event " lket.out && is_stopped=1 || is_stopped=0
		[ $is_stopped = $stopped ] || fail "stopped=$stopped: process.$event"
	done
done

# A registration that is wrong.
staprun "$MODULES/t_lket_wrong.ko" > out 2> err || true
grep -q '^WARNING: unpaired types/names, grpid:8, hookid:2$' err || fail 'a wrong registration is not missed'

# -D ASCII_TRACE: lines, without any program. A line ends where the next begins: what the command prints would be in it.
staprun -o text -c 'cat data' "$MODULES/t_lket_ascii.ko" > out 2> err || fail "staprun: status $?"
line() {
	grep -Eaq "$1" text || fail "no line $1 in $(grep -av '^[13]|1|' text | tr '\0' ' ' | tr -s ' ' | tail -n 5)"
}
line '^1\|1\|([0-9]+\|){6}9\|5\|INT64:INT64:INT64\|fd:buff_addr:count$'
line '^3\|1\|([0-9]+\|){6}1\|1\|0\|'
line '^9\|5\|([0-9]+\|){6}[0-9]+\|[0-9]+\|[0-9]+$'

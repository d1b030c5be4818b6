# SPDX-License-Identifier: GPL-2.0-or-later
# --to perfetto: protoc reads it by the numbers that Perfetto publishes; the meaning of fields with a role.
# skip: no_program protoc python3
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge

record 'global h probe timer.ms(1) {
		printf("%(n)d %(execname)s %p %s\n", ++n, "prog", -1, "t\"\xff\xc3\xa9\xed\xa0\x80")
		printf("%(slice)s %(slice_us)d %d", "work", 150, 5)
		printf("%(slice)s", "open") printf("%(slice_end)d", 0)
		printf("%(counter_depth)d %(counter_b)d", -5, 7)
		printf("%(track)s %d", "mine", 3)
		printf("%(prev_comm)s %(prev_pid)d %(prev_prio)d %(prev_state)d %(next_comm)s %(next_pid)d %(next_prio)d",
			"a", 1, 120, 1, "b", 2, 99)
		h <<< 5; h <<< -70 print(@hist_log(h))
		warn("hm") exit() }
	probe end { printf("%d\n", 1/0) }'
INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" -w --to perfetto:trace -
protoc --decode=Trace -I "$TOP/tests/cli/sinks.d" perfetto.proto < trace > decoded 2> err || say_wrong 'protoc'
[ ! -s err ] || { cp err out; say_wrong 'protoc has something to say'; }
! grep -q '^ *[0-9]*:' decoded || say_wrong 'fields of other numbers'
grep -q 'process_name: "prog"' decoded || say_wrong 'the name of the process'
python3 "$TOP/tests/cli/sinks.d/timeline.py" < decoded > events 2> err || { cp err out; say_wrong 'timeline.py'; }
cat > expected << 'EOF'
thread(prog) slice_begin work arg3=5
thread(prog) instant timer_ms_1 n=1 execname=prog arg3=0xffffffffffffffff arg4=t"?é???
thread(prog) slice_end work 150us
thread(prog) slice_begin open
thread(prog) slice_end open 0us
depth counter -5
b counter 7
mine instant timer_ms_1_6 arg2=3
cpu 0 switch prev_comm=a prev_pid=1 prev_prio=120 prev_state=1 next_comm=b next_pid=2 next_prio=99
thread(prog) instant h count=2 -127..-64=1 4..7=1
EOF
diff expected <(head -n 10 events) > out || say_wrong 'events'
tail -n +11 events | sed 's/near.*probe/.../' > rest
diff - rest > out << 'EOF' || say_wrong 'messages and losses'
CPU 0 instant warning text=hm
CPU slow instant error text=division by 0 ... end
stap: lost hits instant end cpu=slow hits=1 dropped=0 skipped=1
EOF
INPUT=stream check 1 '/trace: it exists already: remove it, or name another file' -- "$merge" --to perfetto:trace -
INPUT=stream check 1 '/big: it cannot be written: File too large' -- \
	bash -c 'ulimit -f 1; exec "$0" -w --to perfetto:big -' "$merge"
damage perfetto
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# lket-b2a: files of 2006, of 2007 and raw ones hold the same events; what it writes is what the specification says;
# damaged files are refused by name and offset, and what is before the damage is read.
# skip: no_program python3
# guards: lket tools/lket.awk tapset/LKET stapio lib trace
. "$TOP/tests/cli/expect.inc"
b2a=$(dirname "$STAP")/lket-b2a
py() { python3 "$TOP/tests/cli/lket.d/lket.py" "$@"; }
for kind in 2006 2007 raw; do
	mkdir $kind
	(cd $kind && py make $kind)
done

# ---- text ----
# text KIND OPTION…: the lines behind the header
text() { (cd "$1" && "$b2a" "${@:2}" [sr]*_* > ../out 2> ../err && sed '1,/^$/d' lket.out); }
cp "$TOP/tests/cli/lket.d/full.expected" expected
for kind in 2006 2007 raw; do
	text $kind -f -i 1 | sed 's/TID:77, PID:77, PPID:1,/TID:77, PID:77, PPID:-1,/' | diff expected - > diffs ||
		say_wrong "$kind: $(cat diffs)"
done
text 2007 -f -a 0 -n 0 | tail -n 1 > line
[ "$(cat line)" = '2.527880 CPU:1 TID:10, PID:10, PPID:1, return:-11,' ] || say_wrong "-a 0 -n 0: $(cat line)"
text 2006 | tail -n 1 > line
[ "$(cat line)" = '2527880 APPNAME: bash PID:10 CPU:1 HOOKGRP:9 HOOKID:6 -- return:-11,' ] ||
	say_wrong "text: $(cat line)"
text 2007 -f > out
printf 'LKET Magic:\t0xAEFCDB6B\nInitHdrLen:\t9\nVersion Major:\t1\nVersion Minor:\t3\nBig endian:\tNO\n' > header
printf 'Timing method:\tdo_gettimeofday()\nBits width:\t64\n' >> header
printf 'Initial CPU timebase:\t2400 (cycles per microsecond)\n' >> header
sed '/^$/,$d' 2007/lket.out | diff header - || say_wrong 'the header of 2007'
text 2006 > out
sed '/^$/,$d' 2006/lket.out | diff <(sed '/^T/d; /^Init.*timebase/d; s/9$/4/; s/3$/1/' header) - ||
	say_wrong 'the header of 2006'

# ---- the bytes of 2006, by a reader of the specification's ----
for kind in 2006 2007 raw; do
	(cd $kind && "$b2a" --to=lket:bytes [sr]*_*) > out 2> err || say_wrong "--to: $kind"
	py decode $kind/bytes/stpd_cpu* > $kind.decoded
	diff <(py decode 2006/stpd_cpu*) $kind.decoded > diffs || say_wrong "$kind: $(cat diffs)"
done
merge=$(dirname "$STAP")/stap-merge
check 0 '!.' -- "$merge" --to lket:merged raw/raw_0 raw/raw_1 raw/raw_2
for file in raw/bytes/stpd_cpu*; do
	cmp -s "$file" "merged/${file##*/}" || say_wrong "stap-merge --to lket: another ${file##*/}"
done
check 1 '/merged: it exists already: remove it, or name another directory' -- "$merge" --to lket:merged raw/raw_0
check 1 "/--to lket: the script has none of LKET's hooks, see lket.5." -- "$STAP" --runtime=user --to lket:no \
	-e 'probe begin { printf("%d", 1) exit() }'
[ ! -e no ] || say_wrong '--to lket: a directory of nothing'
# Live: what a hit prints is one event, and what others print is none.
check 0 '!.' -- "$STAP" --runtime=user --to lket:live -e 'probe begin {
		printf("\001lket 1.1 %8b%1b%1b%s%s", 0, 9, 6, "INT64", "return")
		printf("\001lket 1.2 %8b%1b%1b%s%s", 0, 9, 6, "STRING:INT8:INT64", "a:b:c")
		println("nobody") exit() }
	probe end { printf("\001lket 9.6 %8b%8b", 7 << 32 | 8, -11) printf("%s%1b", "text", 300)
		printf("%8b", 5) }
	probe end(9) { println("nobody") }'
[ "$(py decode live/stpd_cpu0)" = "$(py decode live/stpd_cpu0 | sed 's/ 7 0 9 6 .*/ 7 0 9 6 return:-11,a:text,b:44,c:5,/')" ] ||
	say_wrong "live: $(py decode live/stpd_cpu0)"
[ "$(py decode live/stpd_cpu0 | wc -l)" = 1 ] || say_wrong 'live: not one event'
# Live, and by raw files of the same run.
. "$TOP/tests/cli/sinks.inc"
record 'probe begin { printf("\001lket 1.1 %8b%1b%1b%s%s", 0, 9, 6, "INT64", "return")
		printf("\001lket 1.2 %8b%1b%1b%s%s", 0, 9, 6, "INT32", "n") }
	global n probe timer.ms(1) { printf("\001lket 9.6 %8b%8b", 7 << 32 | 8, -n) printf("%4b", n)
		if (n++ == 200) exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to lket:streamed -
INPUT=stream check 0 '!.' -- "$merge" -b -o of_run -
check 0 '!.' -- "$b2a" --to=lket:of_raw of_run_*
for file in streamed/stpd_cpu*; do
	cmp "$file" "of_raw/${file##*/}" > err 2>&1 || say_wrong 'live and raw files of one run hold other events'
done
[ "$(py decode of_raw/stpd_cpu* | wc -l)" = 201 ] || say_wrong "live and raw files: not all events"
[ "$(stat -c %s 2006/stpd_cpu1)" = "$(stat -c %s 2006/bytes/stpd_cpu1)" ] ||
	say_wrong 'the bytes of 2006: another length'

# ---- a database ----
if "$b2a" -V | grep -q SQLite && type -P sqlite3 > where; then
	(cd raw && "$b2a" -m raw_*) > out 2> err || say_wrong '-m'
	sqlite3 raw/DB*.db 'select * from "9_5"; select * from "9_6"; select who, priority from "8_2";
		select * from appNameMap; select table_name, table_desc from table_desc order by 1;
		select * from loss' > rows
	cat > expected <<-'EOF'
		9|5|100|10|10|1|1|3|-1081126904|32
		9|6|2527880|10|10|1|1|100|-11
		me|-1
		10|bash
		3_1|process_snapshot
		8_2|netdev.transmit
		9_5|iosyscall.read.entry
		9_6|iosyscall.read.return
		begin|9|9|0|0
	EOF
	diff expected rows > diffs || say_wrong "-m: $(cat diffs)"
	indexed=$(sqlite3 raw/DB*.db "select group_concat(name, ' ') from
		(select p.name from pragma_index_list('9_5') l, pragma_index_info(l.name) p order by 1)")
	[ "$indexed" = 'process_id usec' ] || say_wrong "-m: indexes of: $indexed"

	# Memory does not grow with the trace: 1,000,000 records have taken 69 MB.
	mkdir many
	most=$(cd many && py make raw 1000000 && py most "$b2a" -m raw_* 2> ../err) || say_wrong '-m: 1,000,000 records'
	[ "$most" -le 50 ] || say_wrong "-m: 1,000,000 records in $most MB"
	[ "$(sqlite3 many/DB*.db 'select count(*) from "9_5"')" = 1000001 ] || say_wrong '-m: not 1,000,001 rows'
	rm -r many
fi

# ---- the other byte order, and damage ----
python3 - <<'EOF'
import struct
swap = lambda f, *v: struct.pack(">" + f, *v)
with open("big", "wb") as out:
    out.write(swap("IIHBBBB", 1, 0xAEFCDB6B, 4, 1, 1, 2, 64) + b"\0")
    body = swap("QQ", 7, 5 << 32 | 9 << 24 | 6 << 16) + swap("q", -2)
    out.write(swap("IHH", 2, len(body), len(body)) + body + b"\0")
EOF
check 0 -- "$b2a" big
grep -q '^0 APPNAME: ? PID:5 CPU:0 HOOKGRP:9 HOOKID:6 -- return:-2,$' lket.out || say_wrong "big: $(cat lket.out)"
grep -q '^Big endian:.YES$' lket.out || say_wrong 'the byte order'

check 1 '/Usage: lket-b2a' -- "$b2a"
check 1 '/Unable to open none: No such file' -- "$b2a" none
check 1 '/\.: Is a directory' -- "$b2a" .
check 1 '/Makefile: offset 0: neither a raw file of stap nor one of LKET' -- "$b2a" "$TOP/Makefile"
check 1 '/0xAEFCDB6B is in none of the files' -- "$b2a" 2006/stpd_cpu1
check 1 '/-n, -i and -a need -f' -- "$b2a" -n 0 big
check 1 '/--to is followed by lket:DIR, sqlite:FILE, postgresql://HOST/DB or mysql://HOST/DB' -- "$b2a" --to=x big
cat 2006/stpd_cpu0 <(printf '\1\0\0\0\5\0\4\0') > bad
check 1 "/bad: offset $(($(stat -c %s 2006/stpd_cpu0) + 4)): the lengths of a record do not fit together" -- "$b2a" bad
[ "$(grep -c HOOKGRP lket.out)" = 2 ] || say_wrong 'not all before the damage'
for kind in 2006 2007; do
	size=$(stat -c %s $kind/stpd_cpu0)
	for ((at = 1; at < size; at += 7)); do
		head -c $at $kind/stpd_cpu0 > cut
		"$b2a" cut > out 2> err
		[ $? -le 1 ] || say_wrong "$kind cut at $at: exit status $?"
		cp $kind/stpd_cpu0 cut
		printf '\377' | dd of=cut bs=1 seek=$at conv=notrunc status=none
		"$b2a" cut > out 2> err
		[ $? -le 1 ] || say_wrong "$kind with another byte at $at: exit status $?"
	done
done
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# --to postgresql with keep=DAYS: many hosts at once, each with its own partition, which has one for each day; old days
# are dropped; 100 connections that end neither lose nor duplicate a row. The test starts its own server.
# skip: no_program initdb psql setpriv
# guards: trace/sink trace
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
if ! "$merge" -V | grep -q PostgreSQL; then
	echo "stap-merge was built without libpq"
	finish
	exit
fi
. "$TOP/tests/cli/postgresql.inc"

# host NAME DAYS: NAME.stream is the stream as that host would have sent it so many days ago, at noon
host() {
	python3 -c '
import struct, sys
s = open("stream", "rb").read()
name = sys.argv[1].encode()
total, _, _, _, module, host = struct.unpack_from("<6I", s, 16)
formats, probes = struct.unpack_from("<II", s, 48)
tables = 72 + module + host
day = 86400
noon = ((int(sys.argv[3]) // day - int(sys.argv[2])) * day + day // 2) * 10**9
head = bytearray(s[:72 + module] + name + s[tables:tables + formats + probes])
head += bytes(-len(head) % 8)
struct.pack_into("<I", head, 16, len(head))
struct.pack_into("<I", head, 36, len(name))
struct.pack_into("<Q", head, 56, noon)
open(sys.argv[1] + ".stream", "wb").write(head + s[total:])' "$1" "$2" "$now"
}
send() { INPUT=$1.stream check 0 '!.' -- "$merge" --to "$url&keep=30&schema=$2" -; }
# parts SCHEMA TABLE: their names
parts() {
	sql "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
		WHERE relkind IN ('p', 'r') AND relname LIKE '$2@%' AND relnamespace = '$1'::regnamespace"
}
# Midnight may come while the test runs.
now=$(date -u +%s)
today=$(date -u -d "@$now" +%F) before=$(date -u -d "@$((now - 40 * 86400))" +%F)

# ---- parts by host and day, and what is too old ----

record 'global n probe timer.ms(1) { printf("n=%d host=%s\n", n++, "own") if (n == 50) exit() }'
host web1 0
host 'we"b'\''2' 0
host old 40
send old days
[ "$(parts days timer_ms_1)" = "timer_ms_1@old timer_ms_1@old@$before" ] || say_wrong "parts: $(parts days timer_ms_1)"
holds 'SELECT count(*), min(host), min(hit_host) FROM days.timer_ms_1' '50|own|old'
# Another host comes: what is older than 30 days goes, whose ever it is.
send web1 days
send 'we"b'\''2' days
left="timer_ms_1@old timer_ms_1@we\"b'2 timer_ms_1@we\"b'2@$today timer_ms_1@web1 timer_ms_1@web1@$today"
[ "$(parts days timer_ms_1)" = "$left" ] || say_wrong "parts: $(parts days timer_ms_1)"
holds 'SELECT hit_host, count(*), count(DISTINCT n) FROM days.timer_ms_1 GROUP BY 1 ORDER BY 1' "we\"b'2|50|50
web1|50|50"
holds "SELECT count(*) FROM days.\"timer_ms_1@web1@$today\"" 50
holds "SELECT count(*) FROM pg_indexes WHERE schemaname = 'days' AND tablename = 'timer_ms_1@web1@$today'" 2
# The run of old is complete, and not sent again, though its rows have gone.
INPUT=old.stream check 1 '/the run is there already, complete' -- "$merge" --to "$url&keep=30&schema=days" -
# A name that is too long ends in a number; the day stands behind it all the same.
host "$(printf 'long%.0s' {1..15})" 0
send "$(printf 'long%.0s' {1..15})" days
left=$(parts days timer_ms_1)
[[ " $left " = *" timer_ms_1@longlong"*_[0-9a-f]*@"$today "* ]] || say_wrong "parts: $left"
# What somebody reads is left, and the run goes on.
host old2 41
INPUT=old2.stream check 0 '!.' -- "$merge" --to "$url&keep=60&schema=days" -
{
	echo 'BEGIN; LOCK TABLE days."timer_ms_1@old2" IN ACCESS SHARE MODE; SELECT 1;'
	until [ -e let_go ]; do sleep 0.1; done
} | psql -XAtq "$url" > locked &
job=$!
wait_until [ -s locked ]
host web3 0
send web3 days
holds 'SELECT hit_host, count(*) FROM days.timer_ms_1 WHERE hit_host ~ $$old2|web3$$ GROUP BY 1 ORDER BY 1' 'old2|50
web3|50'
touch let_go
wait $job
host web4 0
send web4 days
holds 'SELECT count(*) FROM days.timer_ms_1 WHERE hit_host = $$old2$$' 0

# ---- one that was dropped behind our back is made again ----

record 'global n probe timer.ms(2) { for (i = 0; i < 500; i++) printf("n=%d text=%s\n", n++, "something to carry")
	if (n >= 50000) exit() }'
cp stream large.stream
host late 0
feed late.stream 4 | "$merge" --to "$url&keep=30&schema=late" - > out 2> err &
job=$!
rows() { sql "SELECT count(*) FROM late.timer_ms_2" 2> /dev/null || echo 0; }
wait_until eval '[ "$(rows)" -gt 0 ]' > seen
sql "DROP TABLE late.\"timer_ms_2@late@$today\"" > seen 2>&1
wait $job || say_wrong 'a part was dropped'
! [ -s err ] || say_wrong 'a part was dropped: something is said'
holds 'SELECT max(n), count(*) = count(DISTINCT n), count(*) < 50000 FROM late.timer_ms_2' '49999|t|t'

# ---- what is wrong ----

host web5 0
wrong_url() { INPUT=web5.stream check 1 "/$2" -- "$merge" --to "$url&$1" -; }
for keep in 0 x -1 '' 100000; do wrong_url "keep=$keep" 'keep is a number of days; a database is named as in'; done
wrong_url schema=days 'its table "stap_messages" is partitioned by days: add keep=DAYS to the URL, or name another schema'
INPUT=web5.stream check 0 -- "$merge" --to "$url&schema=whole" -
whole='its table "stap_messages" is not partitioned by days: without keep=DAYS it can be used, or name another'
INPUT=web3.stream check 1 "/$whole" -- "$merge" --to "$url&schema=whole&keep=5" -

# ---- the queries of doc/fleet.md, over four hosts ----

# Its script with a load in place of the kernel's.
{
	echo 'global rd, wr probe begin { for (i = 1; i < 5; i++) { rd["cat"] <<< 100 * i rd["postgres"] <<< 8192 }
		wr["postgres"] <<< 4096 }'
	sed -n '/^```systemtap/,/^```/p' "$TOP/doc/fleet.md" | sed -e '/^```/d' -e '/^global/d' -e '/^probe kernel/d' \
		-e 's/timer.s(10)/timer.ms(10)/'
	echo 'probe timer.ms(100) { exit() }'
} > fleet.stp
record "$(cat fleet.stp)"
for i in 1 2 3 4; do host "fleet$i" 0 && send "fleet$i" fleet; done
sql 'ALTER ROLE stap SET search_path TO fleet' > out
# noon may be to come, or long ago
sql "UPDATE fleet.timer_ms_10 SET at = now() - interval '1 min'" > out
sed -n '/^```sql/,/^```/p' "$TOP/doc/fleet.md" | sed -e '/^```/d' -e 's/timer_s_10/timer_ms_10/g' > queries
psql -XAtq -v ON_ERROR_STOP=1 "$url" < queries > out 2> err || say_wrong 'doc/fleet.md'
grep -qx 'postgres|4|131072|16384' out && grep -qx 'cat|4|4000|' out || say_wrong 'doc/fleet.md: applications'
[ "$(grep -cE '^fleet[1-4]\|.*:00:00\+00\|5\|7372' out)" = 4 ] || say_wrong 'doc/fleet.md: one by hour'

# ---- eight hosts at once, whose connections end a hundred times ----

record 'global n probe timer.ms(2) { for (i = 0; i < 200; i++) printf("n=%d text=%s\n", n++, "something to carry")
	if (n >= 20000) exit() }'
# trickle FILE: writes it slowly, until connections have ended often enough
trickle() {
	python3 -c '
import os, sys, time
data = open(sys.argv[1], "rb").read()
for i in range(0, len(data), 500):
	os.write(1, data[i:i + 500])
	if not os.path.exists("enough"): time.sleep(0.04)' "$1"
}
jobs=() ended=0
for i in {1..8}; do
	host "many$i" $((i % 2))
	trickle many$i.stream | "$merge" --to "$url&keep=30&schema=many" - > out.$i 2> err.$i &
	jobs+=($!)
done
wait_until eval '[ "$(sql "SELECT count(*) FROM many.stap_runs" 2> /dev/null)" = 8 ]'
while [ $ended -lt 100 ] && kill -0 "${jobs[@]}" 2> killed; do
	sleep 0.1
	n=$(sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'stap'")
	ended=$((ended + n))
done
touch enough
for job in "${jobs[@]}"; do wait "$job" || say_wrong "one of many failed: $(cat err.*)"; done
[ $ended -ge 100 ] || say_wrong "only $ended connections were ended"
echo "$ended connections ended"
holds 'SELECT host, count(*), count(DISTINCT n), min(n), max(n) FROM many.timer_ms_2 GROUP BY 1 ORDER BY 1' \
	"$(for i in {1..8}; do echo "many$i|20000|20000|0|19999"; done)"
holds 'SELECT count(*) FROM many.stap_runs WHERE is_complete' 8
holds "SELECT count(*) FROM many.\"timer_ms_2@many2@$today\"" 20000
finish

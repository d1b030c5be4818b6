# SPDX-License-Identifier: GPL-2.0-or-later
# --to postgresql: tables and rows, once each, even if the server goes away again and again; the messages about it; no
# password in arguments. The test starts its own server.
# skip: no_program initdb psql setpriv
# guards: trace/sink trace
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
if ! "$merge" -V | grep -q PostgreSQL; then
	check 1 '/postgresql: this stap was built without libpq; with its headers .* make builds it in' \
		-- "$STAP" --runtime=user --to postgresql://localhost/db -e 'probe begin { printf("%d", 1) exit() }'
	finish
	exit
fi
. "$TOP/tests/cli/postgresql.inc"

# ---- the same trace as in SQLite ----

record 'global n probe timer.ms(1) {
		printf("n=%d big=%p pid=%d name=%s\n", n, -1 - n, n * 2, sprintf("\"%d\xff\\x", n))
		if (n++ == 99) exit() }
	probe end { log("bye") warn("careful") printf("run=%d xmin=%d\n", n, 7) println(n / (n - 100)) }'
INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" --to "$url" -
holds 'SELECT count(*), count(DISTINCT hit), sum(n), sum(pid), min(big), count(hit_pid) FROM timer_ms_1' \
	'100|100|4950|9900|-100|100'
holds 'SELECT name FROM timer_ms_1 WHERE n = 7' '"7\xff\x'
holds 'SELECT hit_run > 0, run, xmin_ FROM "end"' 't|100|7'
holds 'SELECT bool_and(abs(extract(epoch FROM at) - realtime / 1e9) < 100) FROM timer_ms_1 JOIN stap_runs USING (run)' t
holds "SELECT string_agg(kind, ',' ORDER BY hit) FROM stap_messages" log,warning,error
holds 'SELECT DISTINCT point FROM timer_ms_1 JOIN stap_probes USING (run, probe)' 'timer.ms(1)'
holds 'SELECT sum(hits), sum(delivered) FROM stap_books WHERE probe = 0' '100|100'
holds 'SELECT reason, hits FROM stap_skipped' 'error|1'
holds "SELECT count(*) FROM pg_indexes WHERE tablename = 'timer_ms_1'" 2
holds 'SELECT count(*) FROM stap_runs WHERE is_complete' 1
INPUT=stream check 1 '/the run is there already, complete: run 1' -- "$merge" --to "$url" -
holds 'SELECT count(*) FROM timer_ms_1' 100
INPUT=stream check 0 -- "$merge" --to "$url&schema=other" -
holds 'SELECT count(*) FROM other.timer_ms_1' 100
# Another script: a print of the same name has other fields. What fits shares the table.
check 0 -- "$STAP" --runtime=user --to "$url&schema=other" -e 'probe begin { printf("a=%d", 5) exit() }'
check 0 -- "$STAP" --runtime=user --to "$url&schema=other" -e 'probe begin { printf("a=%d b=%s", 6, "six") exit() }'
holds "SELECT a, coalesce(b, '-') FROM other.begin ORDER BY run" '5|-
6|six'
check 1 '/its table "begin" has a column "a" of another type, bigint: name another schema, as in .schema=NAME' \
	-- "$STAP" --runtime=user --to "$url&schema=other" -e 'probe begin { printf("a=%s", "five") exit() }'
name=$(printf 'long%.0s' {1..40})
check 0 -- "$STAP" --runtime=user --to "$url" -e "probe begin { printf(\"${name}a=%d ${name}b=%d\", 1, 2) exit() }"
holds "SELECT count(DISTINCT column_name) FROM information_schema.columns WHERE column_name LIKE 'longlong%'" 2

# ---- histograms, as in SQLite ----

record 'global a probe begin { for (i = 0; i < 100; i++) a <<< i
	print(@hist_linear(a, 0, 100, 20)) printf("sum=%d\n", @sum(a)) exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to "$url&schema=hist" -
holds 'SELECT site, count, sum(n), min(low), max(high) FROM hist.stap_histograms GROUP BY 1, 2' 'a|100|100|0|99'

# ---- the password ----

sql "CREATE ROLE secret LOGIN PASSWORD 'ge/h@im%'; GRANT CREATE ON DATABASE db TO secret" > out
sed -i '1i local all secret scram-sha-256' "$server/data/pg_hba.conf"
sql 'SELECT pg_reload_conf()' > out
export PGPASSFILE=/nonexistent
script='probe begin { printf("%d", 1) }'
check 1 '/no password supplied.*~/.pgpass has it' \
	-- "$STAP" --runtime=user --to "postgresql://secret@/db?host=$server" -e "$script"
check 1 '/password authentication failed.*is not accepted' '!wrong' \
	-- "$STAP" --runtime=user --to "postgresql://secret:wr%6fng@/db?host=$server" -e "$script"
# The command shows all arguments that name the user, and its own environment.
cat > look <<-'END'
	#!/bin/bash
	for p in /proc/[0-9]*; do
		tr '\0' ' ' < "$p/cmdline" | grep 'secret@' | grep -v '^[^ ]*watch '
	done 2> /dev/null
	env | grep -i 'im%\|PASSWORD'
	true
END
chmod +x look
for secret in 'secret:ge%2fh%40im%25@/db?' 'secret:ge/h@im%@/db?' 'secret@/db?password=ge%2fh%40im%25&'; do
	check 0 '!im%' '!PASSWORD' '/stap-merge .*secret@' -- "$STAP" -v --runtime=user -c ./look \
		--to "postgresql://${secret}host=$server&schema=hidden" -e "$script"
done
! grep -rqs 'ge/h@im\|ge%2fh' "${SYSTEMTAP_DIR:-$HOME/.systemtap}" || say_wrong 'the password is in the cache'

# ---- what is wrong, and what helps ----

wrong_url() { INPUT=stream check 1 "/$2" -- "$merge" --to "postgresql:$1" -; }
wrong_url db 'not a URL; a database is named as in postgresql://USER@HOST/DATABASE'
wrong_url "//stap@/db?host=$server&wait=x" 'wait is a number of seconds'
wrong_url "//stap@/db?host=$server&spool=4K" 'spool is a size of at least 1M, as 100M or 4G'
wrong_url "//stap@/db?host=$server&schema=A" "a schema's name has lower-case letters, digits and '_'"
wrong_url "//stap@/db?nonsense=1" 'invalid URI query parameter.*a database is named as in'
wrong_url "//stap@/db?host=$server/none" 'No such file.*does the server run there. Check with pg_isready'
wrong_url "//stap@127.0.0.1:1/db" 'refused.*does the server run there. Check with pg_isready'
wrong_url "//stap@/none?host=$server" 'database "none" does not exist.*createdb'
wrong_url "//nobody@/db?host=$server" 'role "nobody" does not exist.*createuser'
sql 'CREATE ROLE poor LOGIN' > out
wrong_url "//poor@/db?host=$server" 'permission denied for .*its owner gives the right by GRANT'
sql "CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'" > out
wrong_url "//stap@/latin?host=$server" 'its encoding is LATIN1, which cannot represent all texts: createdb -E UTF8'

# ---- many at once make the same tables ----

script='global n probe timer.ms(1) { printf("n=%d\n", n++) if (n == 200) exit() }'
check 0 -- "$STAP" --runtime=user -p4 -e "$script"
jobs=()
for ((i = 0; i < 8; i++)); do
	"$STAP" --runtime=user --to "$url&schema=many" -e "$script" > out.$i 2>&1 &
	jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || say_wrong "one of many failed: $(cat out.*)"; done
holds 'SELECT count(*), count(DISTINCT (run, n)), count(DISTINCT run) FROM many.timer_ms_1' '1600|1600|8'

# ---- it goes away ----

record 'global n probe timer.ms(2) { for (i = 0; i < 500; i++) printf("n=%d text=%s\n", n++, "something to carry")
	if (n >= 100000) exit() }'
cp stream large
whole="100000|100000|0|99999"
count='SELECT count(*), count(DISTINCT n), min(n), max(n) FROM timer_ms_2'
holds_away() { # WHAT
	[ "$(psql -XAtq "$url" -c "SET search_path TO $1" -c "$count")" = "$whole" ] || {
		psql -XAtq "$url" -c "SET search_path TO $1" -c "$count" > out 2>&1
		say_wrong "$1: not all rows once"
	}
}
# Connections are ended 100 times.
# A server that is away at the beginning is no such server: the run does not begin.
has_begun() { [ "$(sql "SELECT count(*) FROM $1.stap_runs" 2> /dev/null)" = 1 ]; }
feed large 6 | "$merge" --to "$url&schema=ended" - > out 2> err &
job=$!
wait_until has_begun ended
for ((i = 0; i < 100; i++)); do
	sleep 0.05
	sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stap'"
done > ended
wait $job || say_wrong 'connections were ended'
holds_away ended
[ "$(grep -c t ended)" -gt 5 ] || say_wrong "only $(grep -c t ended) connections were ended"
has err 'the database is away \(.*\); records wait in the spool' || say_wrong 'nothing said of it'
has err 'the database is back after [0-9]+ s' || say_wrong 'nothing said of its return'
# The server is stopped, killed and held.
feed large 8 | "$merge" --to "$url&schema=killed" - > out 2> err &
job=$!
wait_until has_begun killed
for signal in INT KILL QUIT KILL; do
	sleep 0.7
	stop_server $signal
	sleep 0.4
	start_server || exit 1
	sleep 0.3
	pkill -STOP -P $server_pid
	sleep 0.3
	pkill -CONT -P $server_pid
done
wait $job || say_wrong 'the server was killed'
holds_away killed

# ---- stap-merge is killed ----

dies "$url&schema=dies" 'SELECT count(*) FROM dies.timer_ms_1'

# ---- it does not come back in time: the rest is left in a file, and is sent later ----

feed large 5 | "$merge" --to "$url&schema=rest&wait=2" - > out 2> err &
job=$!
stored() { sql "SELECT count(*) FROM rest.timer_ms_2" 2> /dev/null || echo 0; }
wait_until eval '[ "$(stored)" -gt 0 ]' > out
before=$(stored)
wait_until eval '[ "$(stored)" -gt "$before" ]' > out # so the first batch's COMMIT has been answered
stop_server INT
! wait $job || say_wrong 'the database was away, and the exit status is 0'
rest=$(sed -n 's/.*the rest is in \(.*\): stap-merge --to '\''.*'\'' - < '\''.*'\'' sends it$/\1/p' err)
[ -s "$rest" ] && [ "$(stat -c %s "$rest")" -lt "$(stat -c %s large)" ] || say_wrong "no rest, or all of it: $rest"
start_server || exit 1
INPUT=$rest check 0 -- "$merge" --to "$url&schema=rest" -
holds_away rest
INPUT=$rest check 1 '/the run is there already, complete' -- "$merge" --to "$url&schema=rest" -
INPUT=$rest check 1 '/it has 1 rows of this run, but this is the rest after' -- "$merge" --to "$url&schema=norest" -
INPUT=$rest check 0 -- "$merge" --to "sqlite:rest.db" -
rm -f "$rest"

# A process that was killed is taken up by the next one, of the same records.
feed large 5 | "$merge" --to "$url&schema=taken" - > out 2> err &
job=$!
wait_until eval '[ "$(sql "SELECT count(*) FROM taken.timer_ms_2" 2> /dev/null || echo 0)" -gt 0 ]' > out
kill -KILL $job
wait $job 2> /dev/null
INPUT=large check 0 -- "$merge" --to "$url&schema=taken" -
holds_away taken
# A spool that is full holds the run up, and loses nothing.
feed large 3 | "$merge" --to "$url&schema=filled&spool=1M" - > out 2> err &
job=$!
wait_until has_begun filled
stop_server INT
wait_until has err 'the spool is full \(1 MB\): the run waits for the database, and its books count the losses' ||
	say_wrong 'a full spool is not said'
start_server || exit 1
wait $job || say_wrong 'the spool was full'
holds_away filled

# ---- raw files: the same command goes on where it stopped; other files are told from them ----

b2a=$(dirname "$STAP")/lket-b2a
lket() { (mkdir -p "$1" && cd "$1" && python3 "$TOP/tests/cli/lket.d/lket.py" make "$1"); }
lket raw
lket 2006
if [ -e raw/raw_0 ]; then
	check 0 '!.' -- "$merge" -w --to "$url&schema=raw" raw/raw_*
	stored=$(sql 'SELECT stored FROM raw.stap_runs')
	tables=$(sql "SELECT string_agg(format('%I', table_name), ' ') FROM information_schema.tables
		WHERE table_schema = 'raw' AND table_name != 'stap_runs'")
	rows() {
		for table in $tables; do sql "SELECT count(*) FROM raw.$table"; done |
			awk '{ n += $1 } END { print n }'
	}
	[ "$(rows)" = "$stored" ] || say_wrong "$(rows) rows, not $stored"
	# As if the process had been killed: half of it is there.
	sql 'UPDATE raw.stap_runs SET is_complete = false' > out
	check 0 '!.' -- "$merge" -w --to "$url&schema=raw" raw/raw_*
	[ "$(rows)" = "$stored" ] || say_wrong "it was not taken up: $(rows) rows, not $stored"
	sql 'UPDATE raw.stap_runs SET is_complete = false, stored_check = stored_check + 1' > out
	check 1 '/run 1 has other rows: it was written from other files' -- "$merge" -w --to "$url&schema=raw" raw/raw_*
	sql 'UPDATE raw.stap_runs SET stored = stored + 5' > out
fi
for kind in raw 2006; do
	(cd $kind && "$b2a" --to="$url&schema=lket_$kind" [sr]*_*) > out 2> err || say_wrong "lket-b2a --to: $kind"
	holds "SELECT groupid, hookid, usec, thread_id, process_id, cpu_id, entry_usec FROM lket_$kind.\"9_6\"" \
		'9|6|2527880|10|10|1|100'
	holds "SELECT pid, pname FROM lket_$kind.\"appNameMap\"" '10|bash'
	holds "SELECT table_desc FROM lket_$kind.table_desc WHERE table_name = '9_5'" iosyscall.read.entry
	holds "SELECT count(*) FROM pg_indexes WHERE schemaname = 'lket_$kind' AND tablename = '9_5'" 2
	(cd $kind && check 1 '/the run is there already' -- "$b2a" --to="$url&schema=lket_$kind" [sr]*_*)
done
holds 'SELECT probe, hits, delivered FROM lket_raw.loss' 'begin|9|9'
finish

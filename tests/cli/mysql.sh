# SPDX-License-Identifier: GPL-2.0-or-later
# --to mysql: tables and rows, once each, even if the server goes away; the messages about it. The test starts its own
# server. postgresql.sh tests the common parts.
# skip: no_program mariadbd mysql mariadb-install-db setpriv
# guards: trace/sink trace
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
if ! "$merge" -V | grep -q MySQL; then
	check 1 '/mysql: this stap was built without libmariadb; with its headers .* make builds it in' \
		-- "$STAP" --runtime=user --to mysql://localhost/db -e 'probe begin { printf("%d", 1) exit() }'
	finish
	exit
fi
export HOME=$WORK
. "$TOP/tests/cli/mysql.inc"

# ---- the same trace as in SQLite ----

record 'global n probe timer.ms(1) {
		printf("n=%d big=%p pid=%d name=%s\n", n, -1 - n, n * 2, sprintf("\"%d'\''\xff\\x", n))
		if (n++ == 99) exit() }
	probe end { log("bye") warn("careful") printf("run=%d\n", n) println(n / (n - 100)) }'
INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" --to "$url" -
holds 'SELECT count(*), count(DISTINCT hit), sum(n), sum(pid), min(big), count(hit_pid) FROM timer_ms_1' \
	'100|100|4950|9900|-100|100'
holds 'SELECT name FROM timer_ms_1 WHERE n = 7' "\"7'\\xff\\x"
holds 'SELECT hit_run > 0, run FROM end' '1|100'
holds 'SELECT max(abs(unix_timestamp(at) - realtime / 1e9)) < 100000 FROM timer_ms_1 JOIN stap_runs USING (run)' 1
holds 'SELECT group_concat(kind ORDER BY hit) FROM stap_messages' log,warning,error
holds 'SELECT sum(hits), sum(delivered) FROM stap_books WHERE probe = 0' '100|100'
holds 'SELECT is_complete, stored FROM stap_runs' '1|109'
INPUT=stream check 1 '/the run is there already, complete: run 1' -- "$merge" --to "$url" -
check 0 -- "$STAP" --runtime=user --to "$url" -e 'probe begin { printf("a=%d", 5) exit() }'
check 0 -- "$STAP" --runtime=user --to "$url" -e 'probe begin { printf("a=%d b=%s", 6, "six") exit() }'
holds "SELECT a, coalesce(b, '-') FROM begin ORDER BY run" '5|-
6|six'

# ---- lket-b2a: the table of each hook, and those beside them; two traces are in the same tables ----

b2a=$(dirname "$STAP")/lket-b2a
sql 'CREATE DATABASE lket' > out
database=lket
for kind in raw 2006; do
	mkdir -p $kind
	(cd $kind && python3 "$TOP/tests/cli/lket.d/lket.py" make $kind) > out
	(cd $kind && "$b2a" --to="${url/db?/lket?}" [sr]*_*) > out 2> err ||
		say_wrong "lket-b2a --to: $kind: $(cat err)"
done
each_twice() { # TABLE ROW: the row of either run, and no other
	holds "SELECT * FROM \`$1\` ORDER BY run" "1|$2
2|$2"
}
judge_tables() {
	each_twice 3_1 '3|1|5|10|10|1|0|10|10|1|bash'
	each_twice 8_2 '8|2|2527880|77|77|-1|0|eth0|1500|-31011|2304|14|-1|me'
	each_twice 9_5 '9|5|100|10|10|1|1|3|-1081126904|32'
	each_twice 9_6 '9|6|2527880|10|10|1|1|100|-11'
	each_twice appNameMap '10|bash'
	each_twice trace_header '1|1|0|do_gettimeofday|64'
}
judge_tables
holds 'SELECT table_name, table_desc FROM table_desc WHERE run = 2 ORDER BY 1' '3_1|process_snapshot
8_2|netdev.transmit
9_5|iosyscall.read.entry
9_6|iosyscall.read.return'
holds 'SELECT * FROM loss' '1|begin|9|9|0|0'
holds "SELECT group_concat(column_name) FROM information_schema.statistics WHERE table_name = '9_5'" usec,process_id
(cd raw && check 1 '/the run is there already' -- "$b2a" --to="${url/db?/lket?}" raw_*)
# As if it had been killed after the last row: nothing comes twice.
sql 'UPDATE stap_runs SET is_complete = 0 WHERE run = 1' > out
(cd raw && check 0 -- "$b2a" --to="${url/db?/lket?}" raw_*)
judge_tables
holds 'SELECT probe, is_complete FROM loss JOIN stap_runs USING (run)' 'begin|1'
database=db

# ---- what is wrong, and what helps ----

wrong_url() { INPUT=stream check 1 "/$2" -- "$merge" --to "mysql:$1" -; }
wrong_url db 'not a URL; a database is named as in mysql://USER@HOST/DATABASE'
wrong_url //localhost 'a database is named as in mysql://USER@HOST/DATABASE, with .socket=FILE where it needs one'
wrong_url '//localhost/db?schema=a' 'it has no schemas, only databases'
wrong_url '//stap@localhost/db?socket=/nowhere' "Can't connect.*does the server run there. Check with mysqladmin ping"
wrong_url "//stap@localhost/none?socket=$server/socket" 'Unknown database.*CREATE DATABASE creates one'
sql "CREATE USER poor IDENTIFIED BY 'secret'; GRANT SELECT ON db.* TO poor" > out
wrong_url "//poor@localhost/db?socket=$server/socket" 'using password: NO.*ha[sv]e* the password'
wrong_url "//poor:wrong@localhost/db?socket=$server/socket" 'using password: YES.* is not accepted'
wrong_url "//poor:secret@localhost/db?socket=$server/socket" 'command denied.*GRANT .* gives the right'

# ---- many at once make the same tables ----

sql 'CREATE DATABASE many' > out
script='global n probe timer.ms(1) { printf("n=%d\n", n++) if (n == 200) exit() }'
check 0 -- "$STAP" --runtime=user -p4 -e "$script"
jobs=()
for ((i = 0; i < 8; i++)); do
	"$STAP" --runtime=user --to "${url/db?/many?}" -e "$script" > out.$i 2>&1 &
	jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || say_wrong "one of many failed: $(cat out.*)"; done
database=many
holds 'SELECT count(*), count(DISTINCT run, n), count(DISTINCT run) FROM timer_ms_1' '1600|1600|8'
database=db

# ---- it goes away ----

record 'global n probe timer.ms(2) { for (i = 0; i < 500; i++) printf("n=%d text=%s\n", n++, "something to carry")
	if (n >= 100000) exit() }'
feed stream 6 | "$merge" --to "$url" - > out 2> err &
job=$!
wait_until eval '[ "$(sql "SELECT count(*) FROM timer_ms_2" 2> /dev/null || echo 0)" -gt 0 ]'
for ((i = 0; i < 50; i++)); do
	sleep 0.05
	sql "SELECT concat('KILL ', id, ';') FROM information_schema.processlist WHERE id != connection_id()" > kills
	sql "$(cat kills)" 2> /dev/null
done
for signal in KILL TERM; do
	stop_server $signal
	start_server || exit 1
	sleep 0.5
done
wait $job || say_wrong 'the server was killed'
holds 'SELECT count(*), count(DISTINCT n), min(n), max(n) FROM timer_ms_2' '100000|100000|0|99999'
has err 'the database is away \(.*\); records wait in the spool' || say_wrong 'nothing said of it'
has err 'the database is back after [0-9]+ s' || say_wrong 'nothing said of its return'
finish

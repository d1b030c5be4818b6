# --to postgresql: the rows that staprun stores in a server's tables agree with the books, even if its connections are
# ended meanwhile; the password is in no arguments while the script runs.
# skip: no_program initdb psql setpriv
# guards: stapio lib trace
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
WORK=$PWD finished=1
fail() { cat err; echo "$1"; exit 1; }
say_wrong() { fail "$1"; }
. "$TOP/tests/cli/postgresql.inc"
run() { staprun "$@" -t -c "$TOP/build/guest/load 5000 2" "$MODULES/t_flood.ko" > out 2> err || fail "$*: status $?"; }
merged() { sed -n 's/^records: \([0-9]*\) merged.*/\1/p' err; }
site() { sql "SELECT table_name FROM information_schema.tables WHERE table_schema = '$1' AND table_name NOT LIKE 'stap%'"; }
rows() { sql "SELECT count(*), count(DISTINCT hit) FROM $1.\"$(site "$1")\""; }

run --to "$url&schema=live"
[ ! -s out ] || fail "text"
[ "$(rows live)" = "$(merged)|$(merged)" ] || fail "$(rows live) rows of $(merged)"
[ "$(sql 'SELECT sum(hits) - sum(delivered) FROM live.stap_books')" = 0 ] || fail "books"
[ "$(sql "SELECT count(*) FROM live.\"$(site live)\" WHERE tid IS NULL OR cpu NOT IN (0, 1)")" = 0 ] ||
	fail "not all rows have a task and a CPU"

while [ ! -e done ]; do
	sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stap'" > ended 2>&1 || :
	sleep 0.2
done &
ender=$!
run --to "$url&schema=ended"
: > done
wait $ender || :
[ "$(rows ended)" = "$(merged)|$(merged)" ] || fail "connections were ended: $(rows ended) rows of $(merged)"

run -b -M -o raw
stap-merge -w --to "$url&schema=raw" raw_* 2> err2 || fail "stap-merge --to: $(cat err2)"
[ "$(rows raw)" = "$(merged)|$(merged)" ] || fail "raw files: $(rows raw) rows of $(merged)"

cat > look <<-'END'
	#!/bin/bash
	for p in /proc/[0-9]*; do tr '\0' ' ' < "$p/cmdline" | grep 'stap@'; done 2> /dev/null
	env | grep geheim
	true
END
chmod +x look
staprun --to "${url/stap@/stap:geheim@}&schema=secret" -c ./look "$MODULES/t_flood.ko" > out 2> err || fail "a password"
cat out err > all
grep -q 'staprun .*stap@' all || fail "nothing was looked at: $(cat all)"
! grep -q geheim all || fail "the password is shown: $(cat all)"
end_server

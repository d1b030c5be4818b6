# --to: the database and the CTF trace made by staprun agree with the books, live and from raw files; packets are those
# that were sent; time off the CPU and allocations are flame graphs; by the user's rights; a sink that cannot be opened
# ends the run.
# skip: no_program sqlite3 babeltrace2 tcpdump
# guards: stapio lib trace
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
fail() { ls -l; cat err; echo "$1"; exit 1; }
run() { staprun "$@" -t -c "$TOP/build/guest/load 5000 2" "$MODULES/t_flood.ko" > out 2> err || fail "$*: status $?"; }
merged() { sed -n 's/^records: \([0-9]*\) merged.*/\1/p' err; }
site() { sqlite3 "$1" "SELECT name FROM sqlite_master WHERE name NOT LIKE 'stap%' AND type='table'"; }
rows() { sqlite3 "$1" "SELECT count(*) FROM \"$(site "$1")\""; }

run --to sqlite:live.db
[ ! -s out ] || fail "--to sqlite: text"
[ "$(rows live.db)" = "$(merged)" ] || fail "--to sqlite: $(rows live.db) rows of $(merged)"
[ "$(sqlite3 live.db "SELECT sum(hits) - sum(delivered) FROM stap_books")" = 0 ] || fail "--to sqlite: books"
[ "$(sqlite3 live.db "SELECT count(*) FROM \"$(site live.db)\" WHERE tid IS NULL OR cpu NOT IN (0, 1)")" = 0 ] ||
	fail "--to sqlite: not all rows have a task and a CPU"

run --to ctf:live
n=$(babeltrace2 live 2> warnings | wc -l)
[ "$n" = "$(merged)" ] || fail "--to ctf: $n events of $(merged)"
[ ! -s warnings ] || fail "--to ctf: $(cat warnings)"

# Rings run full while the reader stands still: what is there, and what is not, is the same live, in raw files and in
# what becomes of these.
floods() {
	staprun -s 1 --on-full=drop "$@" -t -c "p=\$PPID; kill -STOP \$p; (sleep 4; kill -CONT \$p) &
		exec $TOP/build/guest/load 60000 2" "$MODULES/t_flood.ko" > out 2> err || fail "$*: status $?"
}
lost() { awk '$1 == "total" { print $4 + $5 }' err; }
# discards TRACE: the sum of what babeltrace2 says
discards() {
	babeltrace2 "$1" 2>&1 > events | sed -n 's/.*discarded \([0-9]*\) event.*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
}
floods --to ctf:full
[ "$(lost)" -gt 1000 ] || fail "full rings: $(lost) lost"
[ "$(discards full)" = "$(lost)" ] || fail "--to ctf: $(discards full) discarded, $(lost) lost"
[ "$(wc -l < events)" = "$(merged)" ] || fail "--to ctf: $(wc -l < events) events of $(merged)"
floods -b -M -o little
[ "$(lost)" -gt 1000 ] || fail "full rings, raw files: $(lost) lost"
stap-merge -w little_* > text 2> err2 || fail "stap-merge: $(cat err2)"
stap-merge -w --to ctf:joined little_* 2> err2 || fail "stap-merge --to ctf: $(cat err2)"
[ "$(discards joined)" = "$(lost)" ] || fail "stap-merge --to ctf: $(discards joined) discarded, $(lost) lost"
sed 's/.*{ [a-z_]* = \([0-9]*\), [a-z_]* = \([0-9]*\), [a-z_]* = \([0-9]*\) }$/\1 \2 \3/' events |
	diff -q - text > /dev/null || fail "stap-merge: ctf and text differ"

run -b -M -o raw
stap-merge --to sqlite:raw.db raw_* 2> err2 || fail "stap-merge --to: $(cat err2)"
[ "$(rows raw.db)" = "$(merged)" ] || fail "stap-merge --to: $(rows raw.db) rows of $(merged)"
[ "$(sqlite3 raw.db "SELECT count(*) FROM \"$(site raw.db)\" WHERE tid IS NULL")" = 0 ] || fail "raw files: no task"

! staprun --to sqlite:live.db -c true "$MODULES/t_flood.ko" > out 2> err || fail "a database that is there is written"
grep -q 'live.db: it exists already' err || fail "nothing said of it"
! staprun --to sqlite:/nowhere/db -c true "$MODULES/t_flood.ko" > out 2> err || fail "a database in no directory"
! staprun --to tar:x -c true "$MODULES/t_flood.ko" > out 2> err || fail "a sink that is none"
grep -q 'sqlite:FILE' err || fail "no word of the sinks there are"

staprun --to pcap:sent.pcap -c "$TOP/build/guest/packets" "$MODULES/t_captured.ko" > out 2> err ||
	fail "pcap: status $?"
tcpdump -nqr sent.pcap 2> warnings | sed 's/^[^ ]* //; s/\.[0-9]* >/ >/' | sort | uniq -c | tr -s ' ' > packets
printf ' 5 IP 127.0.0.1 > 127.0.0.1.7001: UDP, length %d\n' 11 22 | diff - packets > err || fail 'other packets'

# Each stack has a weight: time that a program waits, and memory that is allocated for one.
flame() { staprun --to "flame:$1.svg" -c "$2" "$MODULES/t_$1.ko" > out 2> err || fail "$1: status $?"; }
flame waited 'sleep 0.3'
flame allocated 'dd if=/dev/zero of=file bs=64K count=20 status=none'
frame() { grep -Eq "data-name=\"$2\"" "$1.svg" || fail "$1: no frame $2"; }
frame waited sleep
frame waited 'schedule(\+[^"]*)?'
frame allocated dd
frame allocated '(do_syscall_64|entry_SYSCALL_64[a-z_]*)'

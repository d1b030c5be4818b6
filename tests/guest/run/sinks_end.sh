# What --to has stored when its process is killed, or the disk is full: the messages, the books and the database agree,
# the end is reported once, and the run ends. The records sent by a killed stapio remain.
# skip: no_program sqlite3
# guards: lib stapio staprun runtime/user trace
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
m=t_ticking
ulimit -c 0
fail() { cat err; echo "$1"; exit 1; }
rows() { sqlite3 "$1" 'SELECT count(*) FROM timer_us_500'; }
large() { [ "$(cat "$1"* 2> /dev/null | wc -c)" -gt 30000 ]; }
# is_true DATABASE: what is said of it
is_true() {
	local given=0 stored=0 missing=0 total=0 row=0
	read -r given stored < <(sed -n 's/^records: .* \([0-9]*\) given, \([0-9]*\) stored$/\1 \2/p' err) || :
	read -r missing < <(sed -n 's/^ERROR: sqlite:.*[:;] \([0-9]*\) records were not stored, [0-9]* were$/\1/p' \
		err) || :
	read -r total < <(awk '$1 == "total" { print $6 }' err) || :
	read -r row < <(awk '$1 == "timer.us(500)" { print $6 }' err) || :
	[ "$given" -gt 0 ] && [ $((stored + missing)) = "$given" ] ||
		fail "$stored stored, $missing missing, $given given"
	[ "$total" = "$stored" ] && [ "$row" = "$stored" ] || fail "the column: $row, $total; $stored stored"
	[ "$(rows "$1")" = "$stored" ] || fail "$(rows "$1") rows, $stored stored"
	! grep -q "^$m " /proc/modules || fail 'still loaded'
	[ "$(grep -c '^ERROR' err)" = "$2" ] || fail "not $2 errors"
}

staprun -t --timeout=3 --to=sqlite:whole "$MODULES/$m.ko" > out 2> err || fail "status $?"
is_true whole 0

for signal in SEGV KILL; do
	staprun -t --to=sqlite:$signal "$MODULES/$m.ko" > out 2> err & run=$!
	wait_until large $signal
	kill -$signal "$(pidof stap-merge)"
	status=0; wait $run || status=$?
	[ $status = 1 ] || fail "killed: status $status"
	grep -q "^ERROR: sqlite:$signal: stap-merge was killed by signal $(kill -l $signal); [0-9]* records were not stored" err ||
		fail 'its death is not named'
	is_true $signal 1
done

mkdir small
mount -t tmpfs -o size=400k small small
status=0; staprun -t --timeout=60 --to=sqlite:small/db "$MODULES/$m.ko" > out 2> err || status=$?
cp small/db* .
umount small
[ $status = 1 ] || fail "full disk: status $status"
grep -qE '^ERROR: small/db: (database or disk is full|disk I/O error)' err || fail 'full disk: not said'
is_true db 2

# Nobody waits for stap-merge then.
staprun -t --to=sqlite:left "$MODULES/$m.ko" > out 2> err & run=$!
wait_until large left
sink=$(pidof stap-merge)
kill -KILL "$(pidof stapio)"
wait $run && fail 'stapio killed: status 0'
wait_until [ ! -e "/proc/$sink" ]
stored=$(sed -n 's/^ERROR: standard input: \([0-9]*\) records are stored$/\1/p' err)
[ "$(rows left)" = "$stored" ] && [ "$stored" -gt 0 ] || fail "stapio killed: $(rows left) rows, '$stored' stored"

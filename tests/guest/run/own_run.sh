# in_target() is false for the processes of the run: stapio, staprun and stap, but not for others that called them. With
# -x it is true for the named process, even if that is stap. The command of -c is never seen as stapio.
set -eu
. "$TOP/tests/wait.inc"
dir=$(mktemp -d)
fail() { echo "$1:"; cat "$dir/out" "$dir/err"; exit 1; }
row() { grep -qx -- "$1" "$dir/out" || fail "not there: $1"; }
no_row() { ! grep -Ex -- "$1" "$dir/out" || fail "$2"; }
ln -s "$(command -v bash)" "$dir/stap"
ln -s "$(command -v bash)" "$dir/other"

# run NAME OPTION…: a program NAME starts staprun and waits; all of them do system calls meanwhile
run() {
	local name=$1 run reader
	shift
	rm -f "$dir/heard"; : > "$dir/err"
	"$dir/$name" -c 'trap "echo > '"$dir"'/heard" USR2; staprun -v -o '"$dir/out $*"' "$0" & wait; wait; wait' \
		"$MODULES/t_own_run.ko" 2> "$dir/err" & run=$!
	wait_until grep -q "probes are in place" "$dir/err"
	reader=$(pgrep -x stapio)
	kill -USR2 $run
	kill -USR1 "$(pgrep -x staprun)"
	cat /etc/hostname > /dev/null
	wait_until [ -e "$dir/heard" ]
	pkill -TERM -x staprun
	wait $run || true
	[ ! -e /proc/$reader ] || fail "stapio goes on"
}

run stap
row "cat 110"; row "stapio 001"; row "staprun 001"; row "stap 001"
run other
row "cat 110"; row "stapio 001"; row "staprun 001"; row "other 110"
run stap -x '$$'
row "cat 000"; row "stapio 111"; row "staprun 111"; row "stap 111"

staprun -o "$dir/out" -c "cat /etc/hostname" "$MODULES/t_own_run.ko" > /dev/null 2> "$dir/err"
row "cat 110"; no_row "stapio 1.*" "the command of -c is called stapio"
staprun -o "$dir/out" -c "/bin/cat < /etc/hostname" "$MODULES/t_own_run.ko" > /dev/null 2> "$dir/err"
row "cat 110"; row "sh 110"; no_row "stapio 1.*" "the command of -c is called stapio"

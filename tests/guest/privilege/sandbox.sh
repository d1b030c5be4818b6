# stapio keeps only the system calls that it needs; the commands that it runs for the user are not restricted, and run
# in order.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
fail() { cat "$out" "$out.err"; echo "$1"; exit 1; }
filter() { awk '/^(Seccomp|NoNewPrivs):/ { printf "%s ", $2 }' "/proc/$1/status"; }

staprun "$MODULES/t_commands.ko" > "$out" 2> "$out.err" || fail "status $?"
[ "$(tr -s '\n\t' '  ' < "$out")" = 'NoNewPrivs: 0 Seccomp: 0 one two three ' ] || fail "system()"
# Beside data they write to stderr.
staprun --json "$MODULES/t_commands.ko" > "$out" 2> "$out.err" || fail "--json: status $?"
! grep -v '^{' "$out" && has "$out.err" '^three$' || fail "--json: what commands print is among the data"
staprun -c "grep -E '^(Seccomp|NoNewPrivs):' /proc/self/status" "$MODULES/t_commands.ko" > "$out" 2> "$out.err" ||
	fail "-c: status $?"
[ "$(grep -c 'Seccomp:.0' "$out")" -ge 1 ] && ! grep -q 'Seccomp:.2' "$out" || fail "-c"

staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
wait_until has "$out" tick
stapio=$(pgrep -x stapio)
[ "$(filter "$stapio")" = '1 2 ' ] || fail "stapio: $(filter "$stapio")"
# The processes of a run: none of them but stapio has the module's files open, and no one is left.
[ "$(find /proc/[0-9]*/fd -lname '/proc/stap-*/ctl' 2> /dev/null | cut -d/ -f3)" = "$stapio" ] ||
	fail "ctl is open elsewhere"
# The script runs no commands: there is nobody who could start one, no socket, and no capability.
! pgrep stapio-starter || fail "a starter"
! ls -l "/proc/$stapio/fd" | grep socket: || fail "sockets: $(ls -l "/proc/$stapio/fd")"
grep -q '^CapEff:.0*$' "/proc/$stapio/status" || fail "capabilities: $(grep ^Cap "/proc/$stapio/status")"
kill -TERM $run
wait $run || fail "status $?"
# What is refused, call by call and name by name, is a test of the host's; this kernel has filters and Landlock.
[ ! -x $B/unit/sandbox ] || { $B/unit/sandbox > "$out" && ! grep skipped "$out"; } || fail "the filter"
! pgrep 'stapio|staprun' || fail "processes are left"

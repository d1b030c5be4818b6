# stapio killed with -9: staprun says so, fails, and the module is gone. staprun killed: its guard removes the module when stapio has ended. All of them: staprun -d does.
set -eu
gone() { for _ in $(seq 50); do grep -q '^t_endless ' /proc/modules || return 0; sleep 0.1; done; echo "still loaded"; return 1; }
wait_for() { for _ in $(seq 100); do grep -q "$1" "$2" 2>/dev/null && return 0; sleep 0.1; done; echo "no '$1' in $2"; return 1; }
out=$(mktemp)

staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
wait_for tick "$out"
pkill -9 -x stapio
status=0; wait $run || status=$?
[ $status = 1 ] || { echo "status $status after stapio was killed"; exit 1; }
grep -q 'stapio was killed' "$out.err" || { cat "$out.err"; exit 1; }
gone

: > "$out"
staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
wait_for tick "$out"
kill -9 $run
sleep 0.5
grep -q '^t_endless ' /proc/modules || { echo "stapio did not go on"; exit 1; }
pkill -9 -x stapio
gone
! pgrep staprun || { echo "a process is left"; exit 1; }
[ ! -e /sys/kernel/debug/stap/t_endless ]

# Its guard killed as well: then the module stays, idle.
: > "$out"
staprun -o "$out" "$MODULES/t_endless.ko" 2> "$out.err" & run=$!
wait_for tick "$out"
pkill -9 staprun
pkill -9 -x stapio
sleep 0.5
grep -q '^t_endless ' /proc/modules || { echo "the module is gone by itself?"; exit 1; }
staprun -d t_endless
gone
[ ! -e /sys/kernel/debug/stap/t_endless ]

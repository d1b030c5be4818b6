# kill -9 of stapio, staprun, both, and these with staprun's guard in turn, at points spread over a run from its first
# instruction to its end: no module, file or process is left, and memory returns to where it was. Where the guard is
# killed as well, the next staprun removes the module. 8 points; 201 with SLOW=1.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
points=8
[ -z "${SLOW-}" ] || points=${POINTS:-201}
m=t_short
cd "$(mktemp -d)"
fail() { cat err; echo "$1"; exit 1; }
no_process() { ! pgrep 'staprun|stapio' > /dev/null; }
none_left() { ! grep -q "^$m " /proc/modules && no_process; }
gone() { wait_until none_left; }
# What the kernel has allocated for itself, in kB: buffers are virtual memory, the books are each CPU's, the rest is in
# slabs.
allocated() { awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { sum += $2 } END { print sum }' /proc/meminfo; }
left=0
run() {
	staprun -s 1 -o out "$MODULES/$m.ko" 2> err & run=$!
}

run; wait $run || fail "status $?"
gone || fail "the first run: left"
taken=$(date +%s%N); run; wait $run; taken=$((($(date +%s%N) - taken) / 1000))
gone && before=$(allocated)
for i in $(seq $points); do
	: > out
	run
	usleep $((taken * i / points)) 2> /dev/null || sleep "$(printf '0.%06d' $((taken * i / points % 1000000)))"
	case $((i % 4)) in
	0) kill -9 $run || : ;;
	1) pkill -9 -x stapio || : ;;
	2) kill -9 $run || :; pkill -9 -x stapio || : ;;
	3) pkill -9 '^stap(run|io)' || : ;;
	esac 2> /dev/null
	wait $run 2> /dev/null || :
	if [ $((i % 4)) = 3 ]; then
		wait_until no_process # they end when they can: until then the module is theirs
		left=$((left + $(grep -c "^$m " /proc/modules || :)))
		staprun "$MODULES/t_params.ko" > /dev/null 2> err || fail "point $i of $points: the next run: status $?"
	fi
	gone || fail "point $i of $points, case $((i % 4)): left: $(grep -o "^$m " /proc/modules
		pgrep -l 'staprun|stapio')"
	! ls /proc | grep -q ^stap- && [ ! -e /proc/systemtap/$m ] || fail "point $i: files are left"
	[ ! -s /sys/kernel/debug/kprobes/list ] ||
		fail "point $i: probes are left: $(head -n 2 /sys/kernel/debug/kprobes/list)"
done
run; wait $run || fail "afterwards: status $?"
[ "$(tail -n 1 out)" = ended ] || fail "afterwards: output: $(head -n 2 out) ... $(tail -n 3 out)"
gone
# The kernel gives back when it likes: a run's buffers may be on their way.
is_given_back() { lost=$(($(allocated) - before)) && [ $lost -lt $((2048 + points * 20)) ]; }
wait_until is_given_back || fail "memory is lost: $lost kB"
echo "$points points, $left modules left for the next run, $lost kB more than before"

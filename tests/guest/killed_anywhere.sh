# kill -9 of stapio, staprun, and both in turn, at points spread over a run from its first instruction to its end: no module, file or process is left, and memory returns to where it
# was. 12 points; 201 with SLOW=1.
set -eu
points=12
[ -z "${SLOW-}" ] || points=201
m=t_short
cd "$(mktemp -d)"
fail() { echo "$1"; cat err; exit 1; }
gone() { for _ in $(seq 200); do ! grep -q "^$m " /proc/modules && ! pgrep 'staprun|stapio' > /dev/null && return; sleep 0.05; done; return 1; }
unclaimed() { echo 3 > /proc/sys/vm/drop_caches; awk '/^MemAvailable/ { print $2 }' /proc/meminfo; }
run() {
	staprun -s 1 -o out "$MODULES/$m.ko" 2> err & run=$!
}

run; wait $run || fail "status $?"
gone || fail "the first run: left"
taken=$(date +%s%N); run; wait $run; taken=$((($(date +%s%N) - taken) / 1000))
gone && before=$(unclaimed)
for i in $(seq $points); do
	: > out
	run
	usleep $((taken * i / points)) 2> /dev/null || sleep "$(printf '0.%06d' $((taken * i / points % 1000000)))"
	case $((i % 3)) in
	0) kill -9 $run || : ;;
	1) pkill -9 -x stapio || : ;;
	2) kill -9 $run; pkill -9 -x stapio || : ;;
	esac 2> /dev/null
	wait $run 2> /dev/null || :
	gone || fail "point $i of $points, case $((i % 3)): left: $(grep -o "^$m " /proc/modules) $(pgrep -l 'staprun|stapio')"
	[ -z "$(ls /sys/kernel/debug/stap)" ] && [ ! -e /proc/systemtap/$m ] || fail "point $i: files are left"
	[ ! -s /sys/kernel/debug/kprobes/list ] || fail "point $i: probes are left: $(head -n 2 /sys/kernel/debug/kprobes/list)"
done
run; wait $run || fail "afterwards: status $?"
[ "$(tail -n 1 out)" = ended ] || fail "afterwards: output: $(head -n 2 out) ... $(tail -n 3 out)"
gone
lost=$((before - $(unclaimed)))
echo "$points points, $lost kB less than before"
# The kernel gives back when it likes: a run's buffers and more may be on their way.
[ $lost -lt $((16384 + points * 40)) ] || fail "memory is lost: $lost kB"

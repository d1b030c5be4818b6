# examples/process/timeline.stp, recorded for Perfetto, as protoc reads it: who ran where, and each call of the load as
# a slice of its thread that ends. With a target it has the calls of that alone.
# skip: no_program protoc python3
set -eu
cd "$(mktemp -d)"
fail() { head -n 20 err events 2> /dev/null; echo "$1"; exit 1; }
read_trace() {
	[ ! -s err ] || fail 'it has something to say'
	protoc --decode=Trace -I "$TOP/tests/cli/sinks.d" perfetto.proto < trace > decoded 2> err || fail protoc
	[ ! -s err ] || fail 'protoc has something to say'
	python3 "$TOP/tests/cli/sinks.d/timeline.py" < decoded > events 2> err || fail timeline.py
}

staprun --to perfetto:trace -c 'dd if=/dev/zero of=/dev/null bs=1000 count=200 status=none' \
	"$MODULES/t_machine_timeline.ko" > out 2> err || fail "staprun: status $?"
read_trace
for call in read write; do
	begun=$(grep -c "^thread(dd) slice_begin $call" events) || :
	ended=$(grep -c "^thread(dd) slice_end $call" events) || :
	[ "$begun" -ge 200 ] && [ "$begun" = "$ended" ] || fail "$call: $begun begin, $ended end"
done
grep -q '^thread(dd) slice_begin openat .*result=-\?[0-9]*$' events || fail 'no result'
! grep -q ' switch ' events || fail 'switches with a target'

# The whole machine, for a time.
rm trace
staprun --to perfetto:trace "$MODULES/t_machine_timeline.ko" > out 2> err & run=$!
sleep 2
for i in 1 2 3; do cat /proc/version > /dev/null; done
sleep 1
kill -INT $run
wait $run || fail "staprun: status $?"
read_trace
grep -q '^thread(cat) slice_begin read' events || fail 'no call of the machine'
grep -q '^cpu [0-9]* switch .*next_comm=cat ' events || fail 'cat runs nowhere'
[ "$(sed -n 's/^cpu \([0-9]*\) switch.*/\1/p' events | sort -u | wc -l)" = "$(nproc)" ] || fail 'not every CPU'

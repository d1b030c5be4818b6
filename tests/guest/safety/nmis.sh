# Non-maskable interrupts come in floods, on all processors, while probes run in them and in what they interrupt, on the
# same variables, locks and output. Nothing hangs; each of the function's calls is among its probe's hits, and each hit
# delivered, dropped or skipped. Twice 200 for each processor; 50 times 400 with SLOW=1.
# arch: x86_64
set -eu
. "$TOP/tests/wait.inc"
rounds=2 number=200
[ -z "${SLOW-}" ] || { rounds=50 number=400; }
cd "$(mktemp -d)"
fail() { head -n 40 err; echo "$1"; exit 1; }
insmod "$MODULES/kernel/nmis.ko"
(while :; do cat /etc/hostname; done) > /dev/null & load=$!
trap 'kill $load; rmmod nmis' EXIT
staprun -v -t -o out "$MODULES/t_nmis.ko" 2> err & run=$!
wait_in_place err $run || fail 'it does not begin'
before=$(cat /sys/module/nmis/parameters/taken)
for _ in $(seq $rounds); do
	echo $number > /sys/module/nmis/parameters/send
	cat /etc/hostname /proc/systemtap/t_nmis/seen > seen || : # EAGAIN: its handler met a lock
done
taken=$(($(cat /sys/module/nmis/parameters/taken) - before))
kill -INT $run
wait $run || fail "status $?"
# column N POINT: of the probe's line in the books: 2 its hits, then delivered, dropped, skipped
column() { awk -v n="$1" -v point="nmis_take[^)]*[)]$2\$" '$1 ~ point { print $n; exit }' err; }
for point in '' '[.]return'; do
	hits=$(column 2 "$point")
	[ "$hits" -ge $taken ] || fail "$taken were taken, $point has $hits hits"
done
awk '$1 == "total" && $2 != $3 + $4 + $5 { exit 1 }' err || fail 'the books do not add up'
[ "$(column 3 '')" -gt 0 ] || fail 'none was delivered'
grep -q '^ended entry 1 ' out && ! grep -q '^ended entry 0 ' out || fail "they were no such: $(tail -n 12 out)"
grep -q ' 0 out of order$' err || fail 'out of order'
[ "$taken" -gt $((rounds * number / 2)) ] || fail "only $taken were taken"
echo "$taken were taken; $(grep -E '^(skipped|total)' err | tr -s ' ')"

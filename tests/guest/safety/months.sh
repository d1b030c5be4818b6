# A script with bounded data runs for 2,000,000 hits (SLOW=1: ten times that; EVENTS=N: N, for most scripts 1000000000
# are months). Meanwhile the clock is set, a processor goes and comes back, a driver with probes is loaded again, the
# disk is full for a while, and files are rotated. At the end, the memory of the kernel and of the reader is the same as
# after a tenth of the hits, and the books and the script have each hit.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
. "$TOP/tests/clock.inc"
cd "$(mktemp -d)"
each=$((${EVENTS:-$((2000000 * TIMES))} / 4)) online=/sys/devices/system/cpu/cpu1/online drivers=0
fail() { tail -n 30 err; echo "$1"; exit 1; }
mkdir disk
mount -t tmpfs -o size=8m small disk
trap 'turn_on; restore_clock; umount -l disk' EXIT
staprun -v -t -o disk/out -S 1,3 --on-disk-full=wait "$MODULES/t_months.ko" 2> err & run=$!
wait_in_place err $run || fail 'it does not begin'
# What the kernel has given away and cannot take back, and what the reader has, in kB.
memory() {
	echo 3 > /proc/sys/vm/drop_caches
	sleep 1
	awk '/^(SUnreclaim|VmallocUsed|PageTables|KernelStack):/ { sum += $2 } END { print sum }' /proc/meminfo
	awk '/^Rss:/ { print $2 }' "/proc/$(pgrep -x stapio)/smaps_rollup"
}
nothing() { :; }
turn_off() { [ ! -w $online ] || echo 0 > $online; }
turn_on() { [ ! -w $online ] || echo 1 > $online; }
ahead() { date -s "@$((now + 86400 * 365 * 5))" > /dev/null; }
behind() { date -s "@$((now - 3600))" > /dev/null; }
drive() {
	modprobe softdog 2> /dev/null || return 0
	drivers=$((drivers + 1))
	wait_until [ -e /dev/watchdog0 ]
	printf V > /dev/watchdog0
	rmmod softdog watchdog
}
waits() { has err 'No space left on device: waiting for room'; }
fill() { head -c 8m /dev/zero > disk/ballast 2> /dev/null || :; }
make_room() { wait_until waits && rm disk/ballast; }
# A tenth of the calls while each of them happens.
for happens in nothing ahead behind restore_clock turn_off turn_on drive drive fill make_room; do
	"$MODULES/load" $((each / 10)) 2 & load=$!
	$happens
	wait $load
	[ $happens != nothing ] || memory > first
done
memory > last
kill -TERM $run
wait $run || fail "status $?"
has err 'there is room again' || fail 'the disk was not full, or it waits still'
read -r _ calls _ reads _ started _ ticks <<< "$(grep -h '^calls ' disk/out*)"
[ "$calls $reads $ticks" = "$((2 * each)) $((2 * each)) 1" ] && [ "$started" -ge "$drivers" ] &&
	[ $((drivers ? started % drivers : started)) = 0 ] ||
	fail "the script counts $calls calls, $reads reads, $started starts in $drivers rounds"
[ "$(ls disk | wc -l)" -le 3 ] || fail "$(ls disk)"
awk -v least=$((2 * each)) '/getppid|sys_read/ && $2 < least { print; wrong = 1 }
	/^total/ && ($2 != $3 + $4 + $5 || $5) { print; wrong = 1 } END { exit wrong }' err || fail 'the books'
# The reader's buffers are touched when they are filled for the first time, while the disk is full.
paste first last |
	awk '$2 - $1 > (NR == 1 ? 1 : 4) * 1024 { print $1 " kB, then " $2 " kB"; grown = 1 } END { exit grown }' ||
	fail 'memory grows'
paste -s -d' ' first last
awk '/getppid|_read/ { print $NF " ns a hit" }' err

# A user whom root gave as much of the kernel's memory as there is takes all of it: loads are refused with a message and
# release their memory, some memory stays free, no process is killed, other users' programs work, and afterwards all
# memory is free again.
# guards: staprun runtime tests/guest/privilege.inc
. "$TOP/tests/guest/privilege.inc"
mkdir -p "$place" /etc/stap
install -m 644 "$MODULES"/t_for_everybody.ko "$place"
m=t_for_everybody
conf=/etc/stap/limits.conf
printf 'RUNS=unlimited\nMEMORY=unlimited\n' > $conf
count() { ls -d /proc/stap-$m* 2> /dev/null | wc -l; }
field() { awk -v field="$1:" '$1 == field { print $2 }' /proc/meminfo; }
# What the kernel has allocated for itself, in kB
allocated() { awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { sum += $2 } END { print sum }' /proc/meminfo; }
clear() { usr staprun -d '*' > out 2> err || fail "-d *: status $?"; }
killed() { dmesg | grep -c 'Killed process' || :; }

usr staprun -R -L -s 1 $m 2> err || fail "the first: status $?"
clear
before=$(allocated) available=$(field MemAvailable) killed=$(killed)
# fill MB: loads modules with buffers of that size until one is refused
fill() {
	local i status was
	for i in $(seq 300); do
		was=$(allocated) status=0
		usr staprun -R -L -s "$1" $m > out 2> err || status=$?
		[ $status != 0 ] || continue
		[ $status = 4 ] && grep -q 'ERROR: .*: it needs more of the kernel' err &&
			grep -q 'the machine has not enough memory available' err ||
			fail "run $i with buffers of $1 MB: status $status"
		[ $(($(allocated) - was)) -lt 1024 ] || fail "$(($(allocated) - was)) kB are not given back"
		return
	done
	fail "300 runs with buffers of $1 MB, and none was refused"
}
for mb in 64 8 1; do
	fill $mb
	echo "$mb MB: $(count) runs, $(field MemAvailable) of $available kB are left"
done
[ "$(count)" -gt 4 ] && [ $(($(field MemAvailable) * 5)) -lt "$available" ] &&
	[ $(($(field MemAvailable) * 24)) -gt "$available" ] || fail 'the memory is not exhausted'
# Others go on: they start programs, which take memory and write files.
for i in 1 2 3; do
	as 6002 6002 python3 -c 'text = "x" * (4 << 20); print(len(text))' > out 2> err ||
		fail "another user: status $?"
	[ "$(cat out)" = $((4 << 20)) ] || fail 'what another user prints'
	head -c 1000000 /dev/zero > file || fail 'a file'
done
# The same member's modules answer, and so does staprun.
[ "$(usr staprun --status '*' 2> err | grep -c $m)" -ge "$(count)" ] || fail '--status'
n=$(count)
clear
[ "$(count)" = 0 ] && ! grep -q '^t_' /proc/modules || fail "left: $(ls -d /proc/stap-*)"
[ "$(killed)" = "$killed" ] || fail "killed: $(dmesg | grep 'Killed process')"
! dmesg | grep -E 'page allocation failure|BUG:|WARNING:|stall' || fail "the kernel's log"
lost=$(($(allocated) - before)) now=$(field MemAvailable)
echo "$n runs, $lost kB more than before, $now of $available kB available"
[ $lost -lt 8192 ] && [ $now -gt $((available - available / 10)) ] || fail 'memory is lost'
rm -f $conf

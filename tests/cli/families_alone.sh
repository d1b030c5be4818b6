# SPDX-License-Identifier: GPL-2.0-or-later
# A module links when one family is all that its script uses: no other brings the part of the runtime that it needs; and when it uses all of them.
cd "$WORK" || exit
status=0 all=
for point in begin 'timer.s(1)' timer.profile 'timer.profile.freq.hz(99)' perf.sw.cpu_clock \
	'perf.hw.cpu_cycles.sample(10000)' 'kernel.data("jiffies").write' 'kernel.trace("sched_switch")' \
	'kernel.function("vfs_read")' 'kernel.function("vfs_read").return' 'procfs("x").read' process.begin; do
	all+="probe $point { println(1) } "
	"$STAP" -r "$KERNEL" -p4 -m alone -e "probe $point { println(1) }" > out 2>&1 || { echo "$point:"; cat out; status=1; }
done
"$STAP" -r "$KERNEL" -p4 -m together -e "$all" > out 2>&1 || { echo "all:"; cat out; status=1; }
exit $status

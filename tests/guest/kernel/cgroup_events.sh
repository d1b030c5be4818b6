# SPDX-License-Identifier: GPL-2.0-or-later
# --cgroup at probes of performance counters, of the profile's clock and of packets: hits of tasks outside are counted
# as filtered, and none as lost.
set -eu
. tests/guest/ends.inc
m=t_cgroup_events root=/sys/fs/cgroup
export load=$TOP/build/guest/load packets=$TOP/build/guest/packets
mountpoint -q $root && [ "$(stat -fc %T $root)" = cgroup2fs ] || mount -t cgroup2 none $root
mkdir -p $root/events $root/events_of_others

# work GROUP: faults, time and packets of a new task, from its first instruction in the group
work() {
	echo $BASHPID > /sys/fs/cgroup/$1/cgroup.procs
	"$load" 20000
	exec "$packets"
}
both_work() { (work events); (work events_of_others); }
others_work() { (work events_of_others); }
export -f work both_work others_work

# run COMMAND OPTION…: none of its hits is lost
run() {
	staprun -t "${@:2}" -c "bash -c $1" "$MODULES/$m.ko" > out 2> err || fail "$*: status $?"
	awk '$1 == "total" { exit $4 + $5 != 0 }' err || fail "$*: hits are lost"
}
# groups KIND: those of its hits
groups() { sed -n "s/^$1 \([^ ]*\) .*/\1/p" out | xargs; }
# expect KIND… GROUPS: hits of these kinds are of these groups
expect() {
	local kind
	for kind in "${@:1:$#-1}"; do
		[ "$(groups $kind)" = "${*: -1}" ] || { cat out; fail "$kind: not of: ${*: -1}"; }
	done
}

run both_work
expect fault profile packet '/events /events_of_others'
! grep -q filtered err || fail 'without a filter something is filtered'
run both_work --cgroup events
expect fault profile packet /events
grep -qx 'packet /events 5' out || { cat out; fail 'packets of the group'; }
run others_work --cgroup events
expect fault profile packet ''
filtered=$(sed -n 's/^filtered: \([0-9]*\) of tasks outside.*/\1/p' err)
[ "${filtered:-0}" -ge 20 ] || fail "filtered: $filtered"

# SPDX-License-Identifier: GPL-2.0-or-later
# --cgroup and --container: the run is restricted to the tasks of one control group and those below it, for probes of
# all kinds; the script's own timers continue. Hits of others are counted as filtered.
# guards: runtime translator/module container
set -eu
# Programs run outside of guests, too: what is mounted and made there goes with the test.
if [ "${RUNTIME-}" = bpf ] && [ "${1-}" != alone ]; then
	exec unshare -m bash "$0" alone
fi
. tests/guest/ends.inc
m=t_cgroups root=/sys/fs/cgroup
load=$TOP/build/guest/load
if [ "${RUNTIME-}" = bpf ]; then
	mount -t tmpfs none /var/lib
	tidy() {
		find $root/{outer,other,$box,user.slice/${box##*/}} -depth -type d -exec rmdir {} + 2> /dev/null || :
	}
	trap tidy EXIT
fi
mountpoint -q $root && [ "$(stat -fc %T $root)" = cgroup2fs ] || mount -t cgroup2 none $root
id=$(printf '%064d' 0 | tr 0 c)
box=system.slice/docker-$id.scope
mkdir -p $root/outer/inner/leaf $root/other $root/$box

# in_group GROUP COMMAND…: a new task, from its first instruction in the group
in_group() {
	local group=$1
	shift
	sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$root/$group" "$@"
}
all_work() {
	in_group . "$load" 50
	in_group other "$load" 60
	in_group outer "$load" 100
	in_group outer/inner "$load" 20
	in_group outer/inner/leaf "$load" 30
	in_group $box "$load" 40
}
export -f in_group all_work
export root load box

seen() { sed -n "s/^$1 //p" out | tr '\n' ';'; }

# same WANTED SEEN: the same groups with the same counts. A kernel that lets programs of --runtime=bpf lose the CPU
# misses hits, which the books have: these may be absent.
same() {
	local lost=0
	[ "$1" != "$2" ] || return 0
	[ "${RUNTIME-}" = bpf ] && lost=$(awk '$1 == "total" { print $5 }' err) && [ "$lost" -gt 0 ] &&
		diff <(tr ';' '\n' <<< "$1") <(tr ';' '\n' <<< "$2") | awk -v lost="$lost" '
			$1 == "<" { wanted[$2] = $3 }
			$1 == ">" { seen[$2] = $3 }
			END {
				for (group in seen)
					if (!(group in wanted))
						exit 1
				for (group in wanted)
					if (seen[group] > wanted[group] || seen[group] < wanted[group] - lost)
						exit 1
			}'
}

# expect NAME WANTED OPTION…: runs all work, and compares what was seen in which groups
expect() {
	local name=$1 wanted=$2 kind
	shift 2
	staprun -t -c 'bash -c all_work' "$@" "$MODULES/$m.ko" > out 2> err || fail "$name: status $?"
	for kind in entry function return tracepoint mine task; do
		same "$wanted" "$(seen $kind)" || { cat out; fail "$name: $kind: not $wanted"; }
	done
	same "$all" "$(seen unfiltered)" || { cat out; fail "$name: unfiltered: not $all"; }
	[ "$(sed -n 's/^program \([^ ]*\) .*/\1/p' out)" = "$(tr ';' '\n' <<< "${wanted%;}" | cut -d' ' -f1)" ] ||
		{ cat out; fail "$name: programs"; }
	grep -q '^begun 1 ticked 1 id 1' out || { cat out; fail "$name: the script's own probes"; }
}
all="/ 50;/other 60;/outer 100;/outer/inner 20;/outer/inner/leaf 30;/$box 40;"
expect all "$all"
grep -qx 'restricted 0 has target 1' out || { cat out; fail 'restricted without --cgroup'; }
! grep -q filtered err || fail 'without a filter something is filtered'
expect outer '/outer 100;/outer/inner 20;/outer/inner/leaf 30;' --cgroup outer
grep -qE '^filtered: [0-9]{3,} of tasks outside' err || fail 'nothing is counted as filtered'
grep -qx 'restricted 1 has target 1' out || { cat out; fail 'not restricted'; }
grep -qx 'same 1' out || fail 'of a task and of the current one'
expect inner '/outer/inner 20;/outer/inner/leaf 30;' --cgroup /outer/inner/
expect leaf '/outer/inner/leaf 30;' --cgroup=$root/outer/inner/leaf
expect id "/$box 40;" --container "${id:0:12}"
mkdir -p "/var/lib/docker/containers/$id"
echo '{"Name": "/web"}' > "/var/lib/docker/containers/$id/config.v2.json"
grep -qx "container $id 1" out || { cat out; fail 'container_id'; }
expect name "/$box 40;" --container web

# The group goes while the run is about it, and a task moves in and out again.
mkdir $root/short
staprun -v --cgroup short "$MODULES/$m.ko" > out 2> err &
run=$!
wait_for in_place err
in_group short "$load" 10
sh -c 'echo $$ > $root/short/cgroup.procs; "$load" 7; echo $$ > $root/cgroup.procs; "$load" 7'
wait_until rmdir $root/short 2> /dev/null
"$load" 5
kill -INT $run
wait $run || fail "the group went: status $?"
grep -qx 'function /short 17' out || { cat out; fail 'a task that moves'; }
gone 'after the group went'

# refuse REGEX OPTION…
refuse() {
	local want=$1
	shift
	! staprun "$@" -c true "$MODULES/$m.ko" > err 2>&1 || fail "$*: taken"
	grep -qE -- "$want" err || fail "$*: not: $want"
	gone "$*"
}
refuse 'no control group nowhere below /sys/fs/cgroup' --cgroup nowhere
refuse 'no control group ../../../tmp below' --cgroup ../../../tmp
refuse 'no control group /tmp below' --cgroup /tmp
refuse 'exclude each other' --cgroup outer --container web
refuse "no running container 'db'" --container db
refuse "no running container '-l'" --container=-l
# Somebody who may make groups somewhere makes one of the same id.
mkdir -p "$root/user.slice/docker-$id.scope"
refuse "'web' means several containers" --container web
mkdir -p /tmp/one
if mount -t cgroup -o none,name=one none /tmp/one 2> /dev/null; then
	refuse '/tmp/one: a control group of version 1' --cgroup /tmp/one
	umount /tmp/one
fi

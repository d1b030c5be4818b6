# kill -9 at points of a run that are counted by system calls, not by time: of staprun, its guard, stapio, its helper,
# the command of -c and stap, alone, and each fourth time with all of stap's at once. Afterwards no module, process,
# file or probe is left (when all were killed, the next staprun removes the module, nobody stap's directory), and the
# next run works. 8 points, spread over all; 1,200 with SLOW=1, or POINTS.
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
points=${POINTS:-8}
[ -z "${SLOW-}" ] || points=${POINTS:-1200}
cd "$(mktemp -d)"
mkdir tmp
export TMPDIR=$PWD/tmp
fail() { cat err; echo "$1"; exit 1; }
is_loaded() { grep -qE '^(t_everything|t_killed) ' /proc/modules; }
none_left() { ! is_loaded && ! pgrep '^(stap|head)' > /dev/null && [ -z "$(ls -A tmp)" ]; }
is_quiet() { ! pgrep '^(stap|head)' > /dev/null; }
only_module_left() { is_quiet && [ -z "$(ls -A tmp)" ]; }
left() { grep -oE '^t_(everything|killed) ' /proc/modules; pgrep -l '^(stap|head)'; ls -A tmp; }
allocated() { awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { sum += $2 } END { print sum }' /proc/meminfo; }

command='head -c 10 /dev/zero'
of_staprun() { "$@" staprun -o out -c "$command" "$MODULES/t_everything.ko" > command 2> err; }
of_stap() {
	"$@" stap -m t_killed -o out -c "$command" -e 'global n
		probe begin { println("begun") }
		probe kernel.function("vfs_read") { n++ }
		probe end { println("ended ", n) }' > command 2> err
}

# clean WHAT: all has gone, but a module and a directory that nobody was left to remove
clean() {
	if [[ $1 = of_stap,*+* ]] && wait_until is_quiet > /dev/null; then
		rm -rf tmp/stap??????
	fi
	if wait_until only_module_left > /dev/null && is_loaded && [[ $1 = *+* ]]; then
		left=$((left + 1))
		staprun "$MODULES/t_params.ko" > /dev/null 2> err || fail "$1: the next run: status $?"
	fi
	wait_until none_left > /dev/null || fail "$1: left: $(left)"
	! ls /proc | grep -q ^stap- && [ -z "$(ls /proc/systemtap 2> /dev/null)" ] ||
		fail "$1: files are left"
	[ ! -s /sys/kernel/debug/kprobes/list ] ||
		fail "$1: probes are left: $(head -n 2 /sys/kernel/debug/kprobes/list)"
}

works() {
	"$1" || fail "$2: status $?"
	[ "$(head -n 1 out)" = begun ] && tail -n 1 out | grep -q '^ended' || fail "$2: $(head -n 3 out)"
	clean "$2"
}

# kill_at_points RUN COUNT REGEX: at COUNT points of the processes whose names match
kill_at_points() {
	local run=$1 count=$2 all who n i=0 before lines
	works "$run" "$run, before"
	"$run" "$MODULES/kill_at" report nobody 0 || fail "$run, counting: status $?"
	clean "$run, counting"
	grep -E "$3" report > processes
	all=$(awk '{ all += $2 } END { print all }' processes)
	[ "$all" -gt 100 ] || fail "$run has $all points: $(cat processes)"
	[ "$count" -le "$all" ] || count=$all
	awk -v count="$count" -v all="$all" '{
		for (i = 1; i <= $2; i++)
			if (int(++n * count / all) > int((n - 1) * count / all))
				print $1 (++chosen % 4 ? "" : "+"), i
	}' processes > chosen
	while read -r who n; do
		rm -f out report
		"$run" "$MODULES/kill_at" report "$who" "$n" < /dev/null || fail "$run, $who $n: status $?"
		clean "$run, $who $n: $(cat report)"
		! grep -q ^killed report || reached=$((reached + 1))
		[ $((++i % 50)) != 0 ] || works "$run" "after $who $n"
	done < chosen
	works "$run" "$run, afterwards"
	echo "$run: $(wc -l < chosen) of $all points of: $(xargs < processes)"
}

left=0 reached=0
of_staprun || fail "status $?"
clean first
before=$(allocated)
kill_at_points of_staprun $((points * 9 / 10)) '^(stap|head)'
[ -n "${TEST_ARCH-}" ] || # whose guests cannot translate
	kill_at_points of_stap $((points - points * 9 / 10)) '^stap[:-]'
# The kernel gives back when it likes: a run's buffers may be on their way.
is_given_back() { lost=$(($(allocated) - before)) && [ $lost -lt $((8192 + points * 20)) ]; }
wait_until is_given_back || fail "memory is lost: $lost kB"
echo "killed at $reached points; $left modules left for the next run; $lost kB more than before"
[ $reached -gt $((points / 2)) ]

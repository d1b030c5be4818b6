# Allocations of the kernel fail at random while a module with one probe of each kind is loaded, started and stopped:
# including those of kprobes, tracepoints, events and files, which are not the module's own. It runs or it is refused,
# and nothing of it remains. 40 times; 400 with SLOW=1.
# skip: no_config FAILSLAB "not here: a kernel with"
set -eu
. "$TOP/tests/wait.inc"
m=t_everything knobs=/sys/kernel/debug/failslab
[ -e $knobs ] || mount -t debugfs none /sys/kernel/debug
cd "$(mktemp -d)"
set_knob() { echo "$2" > $knobs/"$1"; }
set_knob task-filter Y
set_knob ignore-gfp-wait N
set_knob verbose 0
set_knob times -1
set_knob interval 1
trap 'set_knob probability 0' EXIT
fail() { echo "round $i, status $status: $1"; cat out err; exit 1; }
unloaded() { ! grep -q "^$m " /proc/modules && [ ! -e /proc/stap-$m ] && [ ! -e /proc/systemtap/$m ]; }
ran=0 refused=0 killed=0
for i in $(seq $((40 * TIMES))); do
	# From one in a hundred to one in a thousand: both early and late ones are met.
	set_knob interval $((1 + i % 10))
	set_knob probability 1
	status=0
	(echo 1 > /proc/self/make-it-fail; exec staprun -c true "$MODULES/$m.ko") > out 2> err || status=$?
	set_knob probability 0
	# The kernel ends a process that it finds no memory for: then another staprun clears up.
	[ $status -lt 128 ] || unloaded || staprun -d $m 2> /dev/null || :
	wait_until unloaded || fail 'it stays'
	case $status in
	0) ran=$((ran + 1)); [ "$(grep -c ended out)" = 1 ] || fail 'it has not ended' ;;
	126 | 127 | 1[3-9]?) killed=$((killed + 1)) ;;
	*) refused=$((refused + 1)); [ -s err ] || fail 'nothing says why' ;;
	esac
done
said="$ran ran, $refused were refused, $killed were killed"
[ $refused -gt $((4 * TIMES)) ] && [ $ran -gt 0 ] || fail "$said"
echo "$said"

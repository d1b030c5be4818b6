# A user's own module, loaded before the probes and, the second time, unloaded while they are in place.
# skip: no_config KALLSYMS_ALL "not here: a kernel with"
set -eu
out=$(mktemp)
insmod "$MODULES/kernel/probed.ko"
staprun -o "$out" -c "echo 5 > /sys/module/probed/parameters/walk" "$MODULES/t_own_module.ko" 2> "$out.err" || {
	cat "$out.err"
	exit 1
}
diff - "$out" <<'END'
from outside 1
walk 1 2 -3 origin 7 name 5
next last 1
{.x=10, .y=-3, .z=100, <union>={...}, .next=0x0}
globals 0 2 100
line 30 1
cast 1 1
return 149, 5 times
twice 2 11, lines right
END
[ ! -s "$out.err" ] || { cat "$out.err"; exit 1; }

staprun -o "$out" \
	-c "rmmod probed; sleep 0.2; insmod $MODULES/kernel/probed.ko; echo 5 > /sys/module/probed/parameters/walk" \
	"$MODULES/t_own_module.ko" 2> "$out.err" || {
		cat "$out.err"
		exit 1
	}
rmmod probed
grep -qx "from outside 1" "$out" || { cat "$out" "$out.err"; exit 1; }
# What lies there now is another module, though it looks like the first.
! grep -q '^walk' "$out" || { cat "$out" "$out.err"; exit 1; }

# The last function of a module's code is probed, or a message tells why not: if the page after it does not exist, the
# kernel (6.4 and later) reads it nevertheless while it decodes the zeros after the function.
set -eu
out=$(mktemp)
insmod "$MODULES/kernel/last_even.ko"
insmod "$MODULES/kernel/last_odd.ko"
staprun -o "$out" -c "rmmod last_even last_odd" "$MODULES/t_last_functions.ko" 2> "$out.err" || {
	cat "$out.err"
	exit 1
}
for name in even odd; do
	grep -qx $name "$out" ||
		grep -q "module(\"last_$name\").*leave: the kernel would read past the end of its module's code; skipped" "$out.err" || {
			cat "$out" "$out.err"
			exit 1
		}
done

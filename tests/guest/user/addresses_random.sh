# A program at random addresses: its functions have their names at each start. Emulated guests run all other tests
# without random addresses (vm/stap-vm says why).
set -eu
setting=/proc/sys/kernel/randomize_va_space
was=$(cat $setting)
trap 'echo "$was" > $setting' EXIT
echo 2 > $setting
for n in 1 2 3; do
	staprun -c "$MODULES/stacks" "$MODULES/t_addresses_random.ko" > "/tmp/stacks.$n" ||
		{ echo "status $?"; exit 1; }
	tr '\n' ' ' < "/tmp/stacks.$n" | grep -q ': leaf+0x0.* : compare+.* : sorts+.* : main+' ||
		{ echo "run $n:"; cat "/tmp/stacks.$n"; exit 1; }
done
places=$(sed -n 's/^ \(0x[0-9a-f]*\) : leaf+0x0.*/\1/p' /tmp/stacks.[123] | sort -u)
[ "$(echo "$places" | wc -l)" = 3 ] || { echo "leaf was at $places"; exit 1; }

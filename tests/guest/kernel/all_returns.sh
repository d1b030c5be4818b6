# The returns of thousands of functions are probed and released again: the kernel does not get a request for each of
# them, no handler runs and no processor is stuck meanwhile, and each return belongs to the right function. With SLOW=1
# all of the kernel's functions. Limits are in processor time, and generous: emulators are slow.
set -eu
m=t_all_returns
out=$(mktemp)
limit=120
[ -z "${SLOW-}" ] || limit=600
cat > "$out.inside" <<END
grep -c . /sys/kernel/debug/kprobes/list > $out.kprobes
grep -ao 'kernel.function(' /proc/stap-$m/probes | wc -l > $out.functions
cat /proc/self/mounts /proc/interrupts > /dev/null
END
times=$(TIMEFORMAT=%S
	{ time staprun -o "$out" -c "sh $out.inside" "$MODULES/$m.ko" > /dev/null 2> "$out.err"; } 2>&1) || {
	tail "$out.err"
	exit 1
}
functions=$(cat "$out.functions") kprobes=$(cat "$out.kprobes")
echo "$functions functions, $kprobes kprobes, $times s"
grep -qE 'ended, 0 wrong, 0 while attaching' "$out" || { cat "$out"; grep -v skipped "$out.err"; exit 1; }
[ "$functions" -gt 3000 ] && [ "$kprobes" -lt $((functions * 3 / 4)) ] && [ "${times%.*}" -lt $limit ]
! dmesg | grep 'soft lockup' || exit 1
# On processors of AMD's some kernels return by way of it; its symbol is a megabyte long.
! grep -q ' srso_alias_safe_ret$' /proc/kallsyms ||
	grep -q 'srso_alias_safe_ret: .*not called as functions are; skipped' "$out.err"
# ppfunc() calls no function of the kernel's that calls another for each byte: both are probed here.
! nm -u "$MODULES/$m.ko" | grep -w strstr

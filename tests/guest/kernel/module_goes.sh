# A module is unloaded while its functions are being attached, and another is loaded at its place: its functions are not
# taken for those of the first.
set -eu
out=$(mktemp)
cd "$MODULES/kernel"
cat > "$out.work" <<'END'
until [ -e /sys/module/coming/parameters/work ]; do sleep 0.1; done
echo 1 > /sys/module/coming/parameters/work
END
where() { awk -v name="$1" '$3 == name { print $1 }' /proc/kallsyms; }
# While some probes stand, and others do not yet.
replace() {
	until [ "$(head -n 100 /sys/kernel/debug/kprobes/list | wc -l)" = 100 ]; do sleep 0.01; done
	until rmmod going 2> /dev/null; do sleep 0.01; done
	insmod coming.ko
}
rounds=0 same=0
while [ $rounds -lt 6 ] && [ $same -lt 1 ]; do
	insmod going.ko
	before=$(where going_work)
	replace & replaces=$!
	staprun -o "$out" -c "sh $out.work" "$MODULES/t_module_goes.ko" 2> "$out.err" || { cat "$out.err"; exit 1; }
	wait $replaces
	[ "$before" != "$(where coming_work)" ] || same=$((same + 1))
	rmmod coming
	printf 'begun\nended 1\n' | diff - "$out" || { cat "$out.err"; exit 1; }
	rounds=$((rounds + 1))
done
[ $same -gt 0 ] || { echo "in $rounds rounds the second module has never come to where the first was"; exit 1; }

# Wildcards leave out functions that only a breakpoint reaches, and say how many they are, and which; not those that a
# probe names in full, and none with --all-places. The function tracer's own list tells which they are.
set -eu
dir=$(mktemp -d)
fail() { cat "$dir/err"; echo "$1"; exit 1; }

# run MODULE OPTION…: functions: those of its points; kprobes: those that it has
run() {
	local m=$1
	shift
	cat > "$dir/inside" <<END
tr '\0' '\n' < /proc/stap-$m/probes | grep -ao 'function("[^"]*")' | cut -d'"' -f2 | sort -u > $dir/functions
sed -E 's/.*[[:space:]]([^[:space:]+]+)\+0x.*/\1/' /sys/kernel/debug/kprobes/list | sort -u > $dir/kprobes
cut -d' ' -f1 /sys/kernel/tracing/available_filter_functions | sort -u > $dir/traced
END
	staprun "$@" -o "$dir/out" -c "sh $dir/inside" "$MODULES/$m.ko" 2> "$dir/err" || fail "$m: status $?"
	comm -23 "$dir/functions" "$dir/traced" > "$dir/left"
}

what='that only a breakpoint reaches are left out of wildcards'
run t_left_out
grep -qx '1 by the wildcard, 1 by name' "$dir/out" || fail "output: $(cat "$dir/out")"
n=$(($(wc -l < "$dir/left") - 1)) # without strcmp, which is named
[ $n -gt 2 ] && grep -qx strcmp "$dir/left" || fail "expected more functions to leave out than $n"
grep -q "^WARNING: $n functions $what: [a-z].*; --all-places probes them \[man warning::pass5\]\$" "$dir/err" ||
	fail "no warning of $n functions"
[ "$(cat "$dir/kprobes")" = strcmp ] || fail "kprobes: $(xargs < "$dir/kprobes")"
run t_left_out -v
sed -n 's/^WARNING: left out: \(.*\) \[man warning::pass5\]$/\1/p' "$dir/err" | tr -d ' ' | tr , '\n' | sort \
	> "$dir/names"
grep -vx strcmp "$dir/left" | diff - "$dir/names" > "$dir/differs" || fail "names: $(cat "$dir/differs")"
run t_left_out_all
! grep -q "$what" "$dir/err" || fail '--all-places: some are left out'
[ "$(wc -l < "$dir/kprobes")" -gt 2 ] || fail "--all-places: kprobes: $(xargs < "$dir/kprobes")"

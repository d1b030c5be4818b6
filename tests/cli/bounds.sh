# SPDX-License-Identifier: GPL-2.0-or-later
# One hit takes no more than 20 million instructions, whatever its handler does within the default limits: each line of
# bounds.d/cases is repeated until the budget ends it. Usual operations on large arrays stay within the budget:
# bounds.d/common.stp. Instructions are counted in a separate guest (qemu -icount: a nanosecond is an instruction).
. "$TOP/tests/cli/expect.inc"
most=20000000
dir=$TOP/tests/cli/bounds.d
bash "$dir/script" "$dir/cases" > bounds.stp
cp "$dir/common.stp" .
for name in bounds common; do
	"$STAP" -r "$KERNEL" -p4 -g -m "t_$name" -DMAXERRORS=100 -DSTP_NO_OVERLOAD $name.stp -d /bin/bash \
		> $name.p4 2>&1 || say_wrong "$name.stp: $(tail -n 20 $name.p4)"
done
[ $wrong = 0 ] || finish
# over: the handlers that took more than they may, of the last run.
over() { awk -v most="$most" '/^took / && $2 > most' out.bounds; }
# What the other processor or an interrupt did is in a figure now and then: a handler is over the limit in each of three
# runs, or it is not.
for try in 1 2 3; do
	watched --cpu 600 "$TOP/build/bin/stap-vm" --release "$KERNEL" --icount --smp 2 --share "$WORK" -- \
		bash "$dir/inside" "$TOP" "$WORK" > vm.log 2>&1 || say_wrong "the guest: $(tail -n 20 vm.log)"
	over | cut -d ' ' -f 3- > over.$try
	[ -s over.$try ] || break
done
[ "$try" != 3 ] || over | while read -r _ took text; do
	! grep -qFx -- "$text" over.1 || ! grep -qFx -- "$text" over.2 || echo "$took instructions in one hit: $text"
done > always
[ ! -s always ] || say_wrong "$(cat always)"

cases=$(grep -c '^[a-z]* | ' "$dir/cases")
[ "$(grep -c '^took ' out.bounds)" = "$cases" ] ||
	say_wrong "$(grep -c '^took ' out.bounds) of $cases handlers were measured"
ended=$(grep -c '^ERROR: MAXACTION exceeded' err.bounds)
[ "$ended" = "$cases" ] && ! grep '^ERROR: ' err.bounds | grep -v 'MAXACTION exceeded' ||
	say_wrong "$ended of $cases handlers were ended by the budget, and nothing else: $(grep -v MAXACTION err.bounds)"
grep -q "MAXACTION exceeded at array 'big', which has 108000 elements (-DMAXACTION=N allows more than 10000)" \
	err.bounds || say_wrong "no error names the array"
diff "$dir/common.out" out.common > out ||
	say_wrong "what users do with large arrays is not within the budget: $(cat err.common)"
# The figures, for who wants to see them.
[ -z "${BOUNDS_SHOW-}" ] || sort -k2n out.bounds >&2
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# Each function and macro of surface_functions.txt exists, with these types and this number of arguments. docs.sh checks
# that a test calls each of them.
. "$TOP/tests/cli/expect.inc"
list=$TOP/tests/cli/surface_functions.txt

"$STAP" --dump-functions > functions || say_wrong '--dump-functions failed'
sed -E 's,/\*.*,,; s/:unknown \(/ -(/; s/:long \(/ d(/; s/:string \(/ s(/; s/[a-zA-Z_0-9]+:long/d/g; s/[a-zA-Z_0-9]+:string/s/g; s/[, ]+$//; s/, //g' \
	functions |
	sed 's/ *$//' | sort -u > here
sed -n 's/^! \([^:]*\):.*/\1/p' "$list" | tr ' ' '\n' > absent
while read -r shape names; do
	for name in $names; do
		! grep -qxF -- "$name" absent || continue
		echo "$name $shape"
	done
done < <(grep -E '^[ds-]\(' "$list") | sort -u > wanted
comm -23 wanted here > missing
[ ! -s missing ] || say_wrong "functions that are not here, or otherwise: $(tr '\n' ';' < missing)"
[ "$(wc -l < wanted)" -ge 500 ] || say_wrong "only $(wc -l < wanted) functions are looked for"
# Those that are said to be absent are.
while read -r name; do
	! grep -q "^$name " here || say_wrong "$name is here; take it from the absent ones"
done < absent

# A macro that is given too many arguments says how many it takes.
macros=0
while read -r count names; do
	for name in $names; do
		macros=$((macros + 1))
		$STAP --runtime=user -p1 -e "probe begin { @$name(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1) }" > out 2>&1
		case ${count#@} in
		0) ! grep -q 'no operator or macro' out ;;
		*) grep -qE "'?@?$name'? takes ${count#@} argument" out ;;
		esac || say_wrong "@$name: not a macro with ${count#@} arguments"
	done
done < <(grep '^@' "$list")
[ $macros -ge 50 ] || say_wrong "only $macros macros are looked for"
finish

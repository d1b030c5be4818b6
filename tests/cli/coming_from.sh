# SPDX-License-Identifier: GPL-2.0-or-later
# stap-coming-from(7): each row has an example, which is translated here, or says that there is no equivalent.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-coming-from.7stap
PATH=${STAP%/*}:$PATH # for its own marks
mkdir rows && (cd rows && awk -f "$TOP/tests/cli/page.awk" -v as=examples "$page") ||
	say_wrong 'the page cannot be read'
awk '
	/^\.TP$/ { if (row && !has) print row; getline row; has = 0 }
	/^\.\\" (example|nothing)/ { has = 1 }
	/^\.SH / { if (row && !has) print row; row = "" }' "$page" > out
[ ! -s out ] || say_wrong 'rows with neither an example nor the word that there is nothing'
for there in BPFTRACE DTRACE SYSTEMTAP PERF FTRACE; do
	[ "$(awk -v s="FROM $there" '/^\.SH / { inside = $0 ~ s } inside && /^\.TP/' "$page" | wc -l)" -ge 12 ] ||
		say_wrong "fewer than 12 rows are about $there"
done

# Not each distribution's Python has marks.
without_marks=$(cd "$TOP" && . tests/lib.sh && no_marker /usr/bin/python3 function__entry)
# Translates a row: statements get a probe.
try() { # N
	local kind script=rows/$1.stp options=(--runtime=user -p3)
	kind=$(cat "rows/$1.kind")
	if [ "$kind" = command ]; then
		[ -n "$KERNEL" ] || return 0
		[ -z "$without_marks" ] || ! grep -q -- '--example python-calls' "$script" || return 0
		sed -E "s|^stap |&-r '$KERNEL' |; s|-r '$KERNEL' (.*--runtime)|\1|; / -p4 /! s/ (-e|--example) / -p2&/" \
			"$script" > "rows/$1.sh"
		watched bash "rows/$1.sh" > "rows/$1.out" 2>&1 < /dev/null || cat "$script" "rows/$1.out"
		return
	fi
	if [ "$kind" = kernel ]; then
		[ -n "$KERNEL" ] || return 0
		options=(-g -r "$KERNEL" -p3)
	fi
	grep -qE '^(probe|global|function|@define)' "$script" ||
		printf 'probe begin {\n%s\n}\n' "$(cat "$script")" > "$script.new" && ! [ -e "$script.new" ] ||
		mv "$script.new" "$script"
	watched $STAP -w "${options[@]}" "$script" > "rows/$1.out" 2>&1 || cat "$script" "rows/$1.out"
}
ls rows | sed -n 's/\.kind$//p' | sort -n > numbers
[ "$(wc -l < numbers)" -ge 120 ] || say_wrong 'the page has lost rows'
while read -r n; do try "$n"; done < numbers > out 2>&1
[ ! -s out ] || say_wrong "rows that are not translated"
fits_terminal "$page"
finish

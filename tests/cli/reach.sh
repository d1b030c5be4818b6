# Features that each level of --privilege allows a script to use: every function of the library, every @operator,
# conversion of printf and kind of point with the lowest level, as listed in reach.txt. REACH=FILE: writes the list
# there, to be examined and kept.
# guards: translator runtime/uapi tapset tests/reach.inc lib stap
. "$TOP/tests/cli/expect.inc"
${CC:-gcc} -static -no-pie -g -O0 -o secret "$TOP/tests/guest/programs/privilege/secret.c" || say_wrong "secret.c"
program=./secret
. "$TOP/tests/reach.inc"
reach_calls > calls
sed "s,PROGRAM,$program," "$TOP/tests/reach_points" > points

# refused LEVEL FILE: prints the numbers of the script's lines that the level refuses. Messages end after some: what is
# refused is taken out, and the rest looked at again.
refused() {
	cp "$2" rest.stp
	while ! $STAP -r "$KERNEL" -p2 --privilege="$1" rest.stp > out 2> err; do
		sed -nE 's/^rest.stp:([0-9]*):.*: .* (is not for --privilege=.*|it needs stap -g)$/\1/p' err |
			sort -u > lines
		[ -s lines ] || { say_wrong "$1: another error" >&2; break; }
		cat lines
		sed -i "$(sed 's/$/s,.*,,/' lines)" rest.stp
	done
}
# levels FILE: prints the least level for each line of the script behind the first
levels() {
	for level in stapusr stapsys; do refused $level "$1" | sed "s/^/$level /"; done > all_lines
	awk 'FNR == NR { refused[$1, $2] = 1; next }
		FNR == 1 { next }
		("stapsys", FNR) in refused { print "stapdev"; next }
		{ print (("stapusr", FNR) in refused) ? "stapsys" : "stapusr" }' all_lines "$1"
}
# level SCRIPT: prints the least level, of one thing at a time: a function or a point that brings probes of the library
# with it is refused in the library's file.
level() {
	local level=stapdev l
	for l in stapsys stapusr; do
		! $STAP -r "$KERNEL" -p2 --privilege=$l -e "$1" > /dev/null 2>&1 || level=$l
	done
	echo $level
}
brings='^(filter_by_pid|register_[a-z]*_events?|socket_in_target|cve_[a-z_]*|json_[a-z_]*|set_timing_method)/'
grep -vE "$brings" calls > alone
reach_script < alone > calls.stp
check 0 -- $STAP -r "$KERNEL" -g -p2 calls.stp
levels calls.stp | head -n "$(wc -l < alone)" | paste - alone > list
grep -E "$brings" calls | while IFS= read -r line; do
	echo "$line" | reach_script > one.stp
	printf '%s\t%s\n' "$(level "$(cat one.stp)")" "$line"
done >> list
while read -r point; do
	printf '%s\t%s\n' "$(level "probe $point { println(pn()) }")" "$point"
done < points >> list
sort list | grep -v '^stapdev' > kept
{
	echo '# What scripts may use, by the least level that may: LEVEL, NAME, EXPRESSION, TYPE. It is written by'
	echo '# REACH=FILE tests/run tests/cli/reach.sh. What a new function reaches is seen here: a line of stapusr'
	echo '# must show nothing of others and no address.'
	cat kept
} > have
[ -z "${REACH-}" ] || cp have "$REACH"
diff "$TOP/tests/cli/reach.txt" have > out || say_wrong "not as in reach.txt"
# Something of each kind is refused.
for name in '%m' '%M' @cast/kernel @var/kernel '&@var/kernel' task_current/0 kernel_string/1; do
	! grep -q "^stapusr	$name	" have || say_wrong "stapusr may use $name"
done
finish

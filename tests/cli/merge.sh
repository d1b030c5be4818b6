# SPDX-License-Identifier: GPL-2.0-or-later
# stap-merge: output between two times, from raw files and from streams; conversion to raw files again; the bar on a
# terminal; files that are not dumps.
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge

ACTIONS=4000000 record '
	probe begin { for (i = 0; i < 30000; i++) for (k = 0; k < 10; k++) printf("%d a text of some length\n", i) }
	probe timer.ms(20) { if (n++ < 10) printf("tick %d at %d\n", n, gettimeofday_ns()) else exit() }
	global n'
"$merge" - < stream > text || say_wrong "the stream"
INPUT=stream check 0 -- "$merge" -b -o raw -
ls raw_slow > /dev/null || say_wrong "no raw files"
"$merge" raw_* > joined || say_wrong "raw files: $?"
cmp text joined || say_wrong "raw files have another text"

# From the third tick to the sixth, by each way to say a time.
at() { sed -n "s/^tick $1 at //p" text; }
realtime() { date -d "@$(($1 / 1000000000))" "+$2.$(printf %09d $(($1 % 1000000000)))"; }
from=$(($(at 3) - 5000000)) to=$(($(at 6) + 5000000))
grep -n '^tick' text | sed -n '3,6s/^[0-9]*://p' > wanted
[ "$(wc -l < wanted)" = 4 ] || say_wrong "ticks"
for how in '%F %T' %T; do
	"$merge" --from "$(realtime $from "$how")" --to-time "$(realtime $to "$how")" raw_* > part
	cmp part wanted || say_wrong "between $(realtime $from "$how") and $(realtime $to "$how")"
done
epoch() { echo "@$(($1 / 1000000000)).$(printf %09d $(($1 % 1000000000)))"; }
"$merge" --from "$(epoch $from)" --to-time "$(epoch $to)" - < stream > part
cmp part wanted || say_wrong "of a stream"
"$merge" -b -o cut --from "$(epoch $from)" --to-time "$(epoch $to)" raw_*
"$merge" -t cut_* > part 2> books || say_wrong "raw files of a part: $(cat books)"
cmp part wanted || say_wrong "raw files of a part"
awk '$1 == "total" { exit !($2 > 10) }' books || say_wrong "the books are not those of the run"
check 0 '!.' -- "$merge" --from 100000 raw_*
check 0 '!.' -- "$merge" --to-time 0 raw_*

# Times are found by marks: of these files most is not read.
bytes=$(cat raw_* | wc -c)
if type -P strace > /dev/null && strace -o /dev/null true 2> err; then
	read_for() {
		strace -f -o calls -e trace=pread64,read "$merge" "$@" raw_* > part
		awk '/= [0-9]+$/ && !/ELF/ { n += $NF } END { print n }' calls
	}
	n=$(read_for --from "$(epoch $from)" --to-time "$(epoch $to)")
	cmp part wanted || say_wrong 'between two times, under strace'
	[ "$n" -lt $((bytes / 3)) ] || say_wrong "between two times $n bytes of $bytes are read"
	n=$(read_for)
	[ "$n" -ge "$bytes" ] || say_wrong "strace has seen $n of $bytes bytes"
fi

check 1 '/raw_[0-9slow]*: it would be written over while it is read' -- "$merge" -b -o raw raw_*
"$merge" raw_* | cmp - text || say_wrong "they were written over"
for time in x 1x @ '25:00:00' '2026-13-01 00:00:00' ''; do
	check 2 "/a time is SECONDS since the start, @SECONDS of the epoch, HH:MM:SS, or 'YYYY-MM-DD HH:MM:SS'" -- \
		"$merge" --from "$time" raw_slow
done
check 2 '/-b cannot be combined with --json, --to or -v' -- "$merge" -b --json raw_slow
check 2 '/-o: %c is the CPU of a raw file, of -b' -- "$merge" -o 'x%c' raw_slow
check 2 "/--vmcore takes one module's name" -- "$merge" --vmcore raw_slow a b
check 1 "/raw_slow: not a dump of a machine's memory, neither of ELF nor of kdump's form" -- "$merge" --vmcore raw_slow
check 1 '/nothing: No such file or directory' -- "$merge" --vmcore nothing
check 1 '/: a dump is read from a file' -- "$merge" --vmcore /dev/null
check 1 '/stap: offset 16: an ELF file, but not a dump' -- "$merge" --vmcore "$STAP"
printf 'KDUMP   no more' > short
check 1 '/ERROR: short: ' -- "$merge" --vmcore short

if type -P script > /dev/null; then
	script -qec "'$merge' raw_* | { sleep 1; cat > out; }" /dev/null < /dev/null > seen
	cmp out text || say_wrong "on a terminal"
	grep -q '\[#.*%.* MB ' seen || say_wrong "no progress: $(head -c 300 seen)"
fi
"$merge" raw_* 2> seen | { sleep 1; cat > /dev/null; }
[ ! -s seen ] || say_wrong "progress where there is no terminal"
finish

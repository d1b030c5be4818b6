# SPDX-License-Identifier: GPL-2.0-or-later
# 10 GB of raw files of 64 CPUs: stap-merge converts them to text and data with constant memory, within its limit of
# processor time, and reads only a small part of them for a hundredth of a second. MB=N: uses N megabytes instead.
# skip: is_slow "10 GB of raw files are merged" || no_program strace
. "$TOP/tests/cli/expect.inc"

# Three forms of it are written, one after the other.
free=$(df -BM --output=avail "$TOP/build" | tail -n 1)
if [ "${free%M}" -lt $((${MB:-10240} * 4)) ]; then
	echo "of $free MB free $((${MB:-10240} * 4)) are needed: MB=N takes N MB"
	exit 1
fi
MB=${MB:-10240} "$TOP/tests/bench/merge" > out 2> err || say_wrong 'tests/bench/merge'
cat out
[ "$(grep -cE ' [0-9.]+ +[0-9.]+ +[0-9]+$' out)" = 8 ] || say_wrong 'not 8 rows'
awk '/ [0-9.]+ +[0-9.]+ +[0-9]+$/ {
	least = /^(raw|ctf|perfetto|sqlite)/ ? 2 : 1
	if ($NF > 64) print "more than 64 MB: " $0
	if ($(NF - 1) < least) print "less than " least " million a second: " $0
} / KB are read$/ && $(NF - 3) > 64 * 1024 { print "much is read: " $0 }' out > slow
[ ! -s slow ] || say_wrong "$(cat slow)"
finish

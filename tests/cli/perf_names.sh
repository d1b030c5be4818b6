# SPDX-License-Identifier: GPL-2.0-or-later
# Names for the kernel's counters have the numbers of linux/perf_event.h, and all counters of the processor in it have a
# name.
. "$TOP/tests/cli/expect.inc"
$STAP --dump-probe-aliases > all
{
	echo '#include <linux/perf_event.h>'
	echo '#define CACHE(cache, op, result) ((cache) | (op) << 8 | (result) << 16)'
	echo '_Static_assert(1'
	sed -nE 's/^perf\.(hw|sw)\.([a-z_0-9]+) = perf\.type\(([0-9]+)\)\.config\(([0-9]+)\).*/\1 \2 \3 \4/p' all |
		while read -r kind name type config; do
		[ $kind = hw ] && is=HARDWARE || is=SOFTWARE
		echo "&& PERF_TYPE_$is == $type && PERF_COUNT_${kind^^}_${name^^} == $config"
	done
	sed -nE 's/^perf\.hw_cache\.([a-z0-9]+)\.([a-z]+)\.([a-z]+) = perf\.type\(([0-9]+)\)\.config\(([0-9]+)\).*/\1 \2 \3 \4 \5/p' \
		all |
		while read -r cache op result type config; do
		c=PERF_COUNT_HW_CACHE_
		echo "&& PERF_TYPE_HW_CACHE == $type && CACHE($c${cache^^}, ${c}OP_${op^^}, ${c}RESULT_${result^^}) == $config"
	done
	echo ', "a name has another number");'
} > names.c
[ "$(grep -c '^&&' names.c)" -ge 40 ] || say_wrong "only $(grep -c '^&&' names.c) names"
"${CC:-gcc}" -fsyntax-only names.c > out 2>&1 || say_wrong "$(head -n 20 out)"
echo '#include <linux/perf_event.h>' | "${CC:-gcc}" -E -P - | sed -n '/enum perf_hw_id/,/}/p' |
	grep -oE 'PERF_COUNT_[A-Z_]+' | grep -v _MAX > ids
for id in $(cat ids); do grep -qw "$id" names.c || echo "$id"; done > nameless
[ "$(wc -l < ids)" -ge 10 ] || say_wrong "the header has $(wc -l < ids) counters"
[ ! -s nameless ] || say_wrong "without a name: $(cat nameless)"
finish

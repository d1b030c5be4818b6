# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests whose threads hit probes at once, under ThreadSanitizer: what one processor writes under a lock is seen by
# the next one that takes it, in each of the ways to take it.
# guards: runtime/core
. "$TOP/tests/cli/expect.inc"
lib=${STAP%/bin/stap}
for unit in grow hit sets stat; do
	# Fences, which it does not know, are full barriers of the processor: they take nothing from what is checked.
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -fsanitize=thread -Wno-tsan -I"$TOP/runtime" \
		-I"$TOP/runtime/arch/$(uname -m)" -I"$TOP" -I"$TOP/translator" -o $unit "$TOP/tests/unit/$unit.c" \
		"$lib/trace.a" "$lib/cfi.a" "$lib/core.a" "$lib/lib.a" -lpthread -lelf -lzstd -ljansson > log 2>&1 || {
		say_wrong "$unit: $(tail -n 3 log)"
		continue
	}
	./$unit > log 2>&1 || say_wrong "$unit: status $?: $(grep -m 1 SUMMARY log) $(tail -n 1 log)"
done
finish

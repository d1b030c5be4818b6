# SPDX-License-Identifier: GPL-2.0-or-later
# Types that only the kernel's headers have: of the size that they have in a module.
. "$TOP/tests/cli/expect.inc"

size_of() { sed -n 's/.*STP_WRAP(0, +, \([0-9]*\)).*/\1/p' out; }

check 1 "/no type 'w1_master' in the BTF of the kernel" \
	-- $STAP -p2 -r "$KERNEL" -e 'probe begin { println(&@cast(0, "w1_master", "kernel")[1]) }'
check 0 \
	-- $STAP -p3 -r "$KERNEL" \
	-e 'probe begin { println(&@cast(0, "struct w1_master", "kernel<linux/list.h><linux/w1.h>")[1]) }'
size=$(size_of)
[ "${size:-0}" -gt 100 ] || say_wrong "no size: '$size'"
check 0 -- $STAP -p4 -g -r "$KERNEL" -e "%{ #include <linux/w1.h>
_Static_assert(sizeof(struct w1_master) == ${size:-0}, \"as in a module\"); %} probe begin { exit() }"
check 1 "/no type 'nothing_like_that' in <linux/w1.h>" \
	-- $STAP -p2 -r "$KERNEL" -e 'probe begin { println(@cast(0, "nothing_like_that", "kernel<linux/w1.h>")->x) }'
check 1 "/'<linux/nothing.h>' does not compile: linux/nothing.h: No such file" \
	-- $STAP -p2 -r "$KERNEL" \
	-e 'probe begin { println(@cast(0, "nothing_like_that", "kernel<linux/nothing.h>")->x) }'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the compiler split: a call counts once, at the beginning of the function.
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"

cat > apart.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int check(int *p)
{
	if (!p)
		return 0;
	for (int i = 0; i < *p; i++) {
		printf("%d of %d\n", i, *p);
		if (i > 1000)
			abort();
	}
	puts("a"); puts("b"); puts("c"); puts("d");
	return *p;
}
__attribute__((cold, noinline)) static void complain(void) { puts("bad"); }
__attribute__((noinline)) int one(int *p)
{
	if (p && *p > 1000) {
		complain();
		puts("cold");
		abort();
	}
	return check(p) + 1;
}
__attribute__((noinline)) int two(int *p) { return check(p) + 2; }
int main(int n, char **v) { return one(n > 5 ? 0 : &n) + two(&n) + two(0) == 99; }
END
check 0 -- gcc -g -O2 -fpartial-inlining -o apart apart.c
nm apart | grep -q 'check\.part\.0$' && nm apart | grep -q 'one\.cold$' || say_wrong "gcc took nothing apart"
cp apart bare
strip -g bare

# places FUNCTION: prints the number of breakpoints.
places() {
	$stap -p3 -e "probe process(\"./apart\").function(\"$1\") { println(pp()) }" |
		grep -c '^static const struct stp_point_uprobe'
}
for pair in check:2 check.part.0:1 'check*:2' one:1; do
	n=$(places "${pair%:*}")
	[ "$n" = "${pair#*:}" ] || say_wrong "${pair%:*} has $n places"
done
check 1 "/the beginning of 'check' is inlined where it is called: only the rest is a function of its own; probe that as 'check.part.0'" \
	-- $stap -p2 -e 'probe process("./apart").function("check").return { }'
check 1 "/the beginning of 'check' is inlined" -- $stap -p2 -e 'probe process("./apart").function("check").call { }'
check 0 '/function\("one"\)$' '!\.cold' -- $stap -l 'process("./bare").function("one*")'
check 0 '/function\("one\.cold"\)$' -- $stap -l 'process("./bare").function("one.cold")'
check 0 '/^process.*function..one\.cold..$' -- $stap -l 'process("./bare").function("*.cold")'
finish

# SPDX-License-Identifier: GPL-2.0-or-later
# With -mfentry, clang describes parameters only from the instruction after the call of __fentry__ on, as in kernels.
# At the entry they are where callers put them, unless the function is called in another way.
# skip: ! type -P clang > /dev/null && echo "clang is not installed"
. "$TOP/tests/cli/expect.inc"
cat > places.c <<'END'
#include <stdio.h>
void __fentry__(void);
__attribute__((noinline)) long described(long a, long b, long c)
{
	printf("%ld\n", b);
	return a * 3 + c;
}
static __attribute__((noinline)) long promoted(long gone, long kept)
{
	return puts("x") + kept;
}
__attribute__((naked, no_instrument_function)) void __fentry__(void)
{
	__asm__("ret");
}
int main(int argc, char **argv)
{
	return described(argc, argc + 1, 5) + promoted(7, argc) == 99;
}
END
clang -O2 -g -pg -mfentry -fcf-protection -o places places.c 2> said || say_wrong "clang: $(cat said)"
check 0 '/"described@.*\) \$a:long int \$b:long int \$c:long int$' -- \
	$STAP -L 'process("./places").function("described")'
# The same where no kernel is asked, of which the architecture would be known.
check 0 '/"described@' -- \
	$STAP --runtime=bpf -p2 -e 'probe process("./places").function("described") { println($$parms$$) }'
# The caller of promoted() leaves out the first argument: %rdi has the second.
check 0 '/"promoted@.*"\)$' -- $STAP -L 'process("./places").function("promoted")'
finish

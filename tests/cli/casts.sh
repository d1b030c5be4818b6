# SPDX-License-Identifier: GPL-2.0-or-later
# @cast without a module, in a function, means the type of the program whose probe calls the function, if the kernel has
# no such type.
. "$TOP/tests/cli/expect.inc"
cat > cast.c <<'END'
struct only_here { int x; struct only_here *next; };
__attribute__((noinline)) int work(struct only_here *p) { return p->x; }
int main(void) { struct only_here o = { 3, 0 }; return work(&o); }
END
${CC:-gcc} -g -O1 -o cast cast.c || say_wrong 'the program is not compiled'
function='function show(p) { return @cast(p, "only_here")->x }'
check 0 '/show:long \(p:long\)' -- $STAP -r "$KERNEL" -p2 -e "$function
	function deeper(p) { return show(p) } probe process(\"$PWD/cast\").function(\"work\") { println(deeper(\$p)) }"
check 1 "/no type 'only_here'" -- $STAP -r "$KERNEL" -p2 -e "$function probe begin { println(show(0)) }"
finish

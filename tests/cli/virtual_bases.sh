# SPDX-License-Identifier: GPL-2.0-or-later
# Virtual base classes of C++: where they are in an object is in its table of virtual functions. $x$$ shows them; a
# member of one is refused, as it has no fixed place.
# skip: ! command -v g++ > /dev/null && echo "g++ is not there"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

cat > bases.cpp << 'END2'
struct base {
	long id;
	virtual ~base() {}
};
struct left : virtual base {
	int l;
};
struct right : virtual base {
	int r;
};
struct both : left, right {
	int b;
};
__attribute__((noinline)) int show(both *b, left *l) { return b->b + l->l; }
int main()
{
	both b;

	b.id = 77;
	b.l = 1;
	b.r = 2;
	b.b = 3;
	return show(&b, &b) != 4;
}
END2
compilers=g++
! command -v clang++-19 > /dev/null || compilers+=' clang++-19'
no="'struct [a-z]*' has no member 'id' at a fixed place; those of its virtual base class 'base' are only shown with the object"
for compiler in $compilers; do
	$compiler -g -O0 -o "bases-$compiler" bases.cpp || say_wrong "$compiler: bases.cpp"
	check 1 "/$no" -- "$STAP" --runtime=bpf -p2 -e '
		probe process(@1).function("show") { println($b->id) }' "./bases-$compiler"
	check 1 "/$no" -- "$STAP" --runtime=bpf -p2 -e '
		probe process(@1).function("show") { println($l->id) }' "./bases-$compiler"
	check 0 -- "$STAP" --runtime=bpf -p2 -e '
		probe process(@1).function("show") { println($b->l, $b->r, $l->l) }' "./bases-$compiler"
done

[ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] || { finish; exit; }
needs_bpf 'probe process("./bases-g++").function("main") { exit() }'
for compiler in $compilers; do
	check 0 '/<right>=\{[^{]*.r=2, <base>=\{[^{]*.id=77\}\}, .b=3\} \{[^{]*.l=1, <base>=\{...\}\}$' -- \
		"$STAP" --runtime=bpf -c "./bases-$compiler" -e '
		probe process(@1).function("show") { println($b$$, " ", $l$) }' "./bases-$compiler"
done
finish

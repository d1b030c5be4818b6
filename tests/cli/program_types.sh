# SPDX-License-Identifier: GPL-2.0-or-later
# Types, enumerators and variables of programs whose debuginfo is in several units, in units of types, or indexed.
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
compilers=(gcc)
! command -v clang > /dev/null || compilers+=(clang)

# What one unit only declares, another one defines.
cat > user.c <<'END'
struct opaque;
union choice;
enum color { RED = 3, GREEN = 5, BLUE = -2 };
enum color g_color = GREEN;
static volatile int same = 1;
int read_it(struct opaque *o);
__attribute__((noinline)) int work(struct opaque *o, struct opaque **list, union choice *c, struct nowhere *n)
{
	enum inside { DEEP = 44 } d = DEEP;
	__asm__ volatile("" : "+r"(d) : : "memory");
	d += same++;
	return read_it(o) + (list != 0) + (c != 0) + d;
}
END
cat > owner.c <<'END'
struct opaque { int x; struct opaque *next; struct { int deep; } in; };
union choice { int i; long l; } spare;
enum elsewhere { FAR = 99 };
enum elsewhere e_far = FAR;
static volatile int same = 2;
struct opaque one;
int work(struct opaque *o, struct opaque **list, union choice *c, void *n);
int read_it(struct opaque *o) { return o->x + same++; }
int main(void) { struct opaque *p = &one; return work(p, &p, &spare, p); }
END
for cc in "${compilers[@]}"; do
	$cc -w -g -O1 -o units user.c owner.c || say_wrong "$cc cannot build units"
	check 0 -- $stap -p3 -e 'probe process("./units").function("work") {
		println($o->x, $o->next->in->deep, $o[1]->x, $list[1]->next->x, $c->l, $o$, $o$$)
		println($GREEN, $BLUE, @var("GREEN"), $FAR, @var("FAR"), @var("GREEN", "./units"))
		println(@enumname(5, "enum color"), @enumname(99, "elsewhere"), @enum("BLUE"), $DEEP)
	} probe process("./units").function("work").return { println($RED, @var("RED"), @var("same")) }'
	check 0 "/work@.*/user\.c:7" -- $stap -l 'process("./units").function("work@user.c")'
	check 1 "/'struct nowhere' is only declared: no unit of the debuginfo defines it" \
		-- $stap -p2 -e 'probe process("./units").function("work") { println($n->x) }'
	check 1 "/'work' has no variable '.GREEM' here" \
		-- $stap -p2 -e 'probe process("./units").function("work") { println($GREEM) }'
	check 0 "/ = 5;" "/GREEN" -- $stap -p3 \
		-e 'probe process("./units").function("work") { println($GREEN, @enumname(5, "color")) }'
	# Several files have the variable: the probed one's counts, else the first.
	for one in work:user.c read_it:owner.c main:owner.c; do
		$stap -p3 -e "probe process(\"./units\").function(\"${one%:*}\") { println(@var(\"same\")) }" > plain
		$stap -p3 -e "probe process(\"./units\").function(\"${one%:*}\") { println(@var(\"same@${one#*:}\")) }" > named
		[ "$(grep -c stp_load plain)" = 1 ] &&
			[ "$(grep stp_register plain -A1)" = "$(grep stp_register named -A1)" ] ||
			say_wrong "@var(\"same\") in ${one%:*} is not that of ${one#*:}"
	done
	$stap -p3 -e 'probe timer.s(1) { println(@var("same", "./units")) }' > plain
	$stap -p3 -e 'probe timer.s(1) { println(@var("same@user.c", "./units")) }' > named
	diff <(grep ' t[0-9]* = ' plain) <(grep ' t[0-9]* = ' named) || say_wrong "it is not the first"
done

# The kernel's enumerators.
check 0 '/ = 1;' -- $stap -p3 -e 'probe kernel.function("__task_pid_nr_ns") { println($PIDTYPE_TGID) }'
check 0 -- $stap -p2 -e 'probe kernel.function("vfs_read").return { println($PIDTYPE_PID, @var("PIDTYPE_PID")) }'
check 1 "/'vfs_read' has no (variable|parameter) '.PIDTYPE_PIG'" \
	-- $stap -p2 -e 'probe kernel.function("vfs_read") { println($PIDTYPE_PIG) }'
check 1 "/'Opt_size' is 5 in .*; write the number" \
	-- $stap -p2 -e 'probe kernel.function("vfs_read") { println($Opt_size) }'

# Types in units of their own, with signatures.
cat > types.c <<'END'
struct inner { int a; long l; };
struct node { struct inner in; struct node *next; enum color { RED = 3, GREEN = 5 } c; union { int i; float f; } u; };
typedef struct { int q; struct node *n; } anon_t;
enum color g = GREEN;
__attribute__((noinline)) int work(struct node *n, anon_t *t)
{
	__asm__ volatile("" ::: "memory");
	return n->in.a + t->q + g;
}
int main(void)
{
	struct node m = { { 1, 2 }, 0, RED, { 5 } };
	anon_t t = { 7, &m };

	return work(&m, &t);
}
END
cat > types.cpp <<'END'
namespace ns {
class K {
public:
	int x;
	int get() { return x; }
	struct In { int z; } in;
	static int s;
};
int K::s = 3;
template <class T> struct Box { T v; };
}
__attribute__((noinline)) int work(ns::K *k, ns::Box<long> *b)
{
	__asm__ volatile("" ::: "memory");
	return k->get() + b->v + ns::K::s++;
}
int main()
{
	ns::K k;
	ns::Box<long> b = { 9 };

	k.x = 4;
	k.in.z = 5;
	return work(&k, &b);
}
END
for cc in "${compilers[@]}"; do
	for dwarf in 4 5; do
		for how in -fdebug-types-section -fno-debug-types-section; do
			rm -f types typespp
			$cc -w -g -gdwarf-$dwarf -O1 $how -o types types.c || say_wrong "$cc cannot build types"
			check 0 '/\$n:struct node\* \$t:anon_t\*$' -- $stap -L 'process("./types").function("work")'
			check 0 -- $stap -p3 -e 'probe process("./types").function("work") {
				println($n->in->l, $n->next->c, $t->q, $t->n->u->i, @cast($n, "struct node")->in->a)
				println(@enum("GREEN"), $RED, @enumname($n->c), $n$, $t$$, $g, @var("g"))
			}'
			[ "$cc" = gcc ] && cc_plus=g++ || cc_plus=clang++
			$cc_plus -w -g -gdwarf-$dwarf -O1 $how -o typespp types.cpp ||
				say_wrong "$cc cannot build typespp"
			check 0 '/\$k:struct ns::K\* \$b:struct ns::Box<long( int)?>\*$' \
				-- $stap -L 'process("./typespp").function("work")'
			check 0 -- $stap -p3 -e 'probe process("./typespp").function("work") {
				println($k->x, $k->in->z, $b->v, @cast($k, "ns::K")->x, $k$$, @var("ns::K::s"))
			}'
		done
	done
done

# A number of 16 bytes is shown, but is not a long: the message names the way to its text.
cat > wide.c <<'EOF'
struct numbers { unsigned __int128 big; long double real; };
volatile __int128 sum;
__attribute__((noinline)) int work(__int128 n, struct numbers *all)
{
	__asm__ volatile("" : : "r"(all) : "memory");
	sum += n;
	return (int)n;
}
int main(int argc, char **argv) { struct numbers all = { 1, 2 }; return work(argc, &all) + work(3, &all); }
EOF
for cc in "${compilers[@]}"; do
	$cc -w -g -O1 -o wide wide.c || say_wrong "$cc cannot build wide"
	check 0 "/SHAPE_WIDE, 16, 0, 0" "/\.real=.*_SHAPE_FLOAT, 1[06]," \
		-- $stap -p3 -e 'probe process("./wide").function("work") { println($all$) }'
	check 1 "/\(16 bytes\) does not fit a long; print it with '.' at the end" \
		-- $stap -p2 -e 'probe process("./wide").function("work") { println($all->big) }'
done
gcc -w -g -O1 -o wide wide.c # clang does not describe a parameter in two registers
check 0 "/SHAPE_WIDE, 16, 0, 1" -- $stap -p3 -e 'probe process("./wide").function("work") { println($n$) }'
check 1 "/'__int128' is passed by value in more than one register; print it with '.' at the end" \
	-- $stap -p2 -e 'probe process("./wide").function("work") { println($n) }'
finish

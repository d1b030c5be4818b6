# SPDX-License-Identifier: GPL-2.0-or-later
# Parameters that optimised code stores in its frame only after its first instruction: they are read by the calling
# convention where the function certainly follows it, or refused; other probes of the function read the frame.
. "$TOP/tests/cli/expect.inc"

cat > unstored.cc <<'END'
#include <complex>
#include <memory>
#include <optional>
union number { int i; unsigned char b[8]; };
struct pair { int a, b; };
struct mixed { double d; int i; };
__attribute__((noinline, noipa)) void use(const void *p) { asm volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline, noipa)) int one(std::optional<int> o) { use(&o); return o.has_value(); }
__attribute__((noinline, noipa)) int two(union number u, int n) { use(&u); return n; }
__attribute__((noinline, noipa)) int second(double d, long k, struct pair p) { use(&p); use(&d); use(&k); return k; }
__attribute__((noinline, noipa)) int split(struct mixed m, union number late)
{
	use(&m);
	use(&late);
	return 0;
}
__attribute__((noinline, noipa)) std::unique_ptr<int> made(union number u) {
	use(&u);
	return nullptr;
}
int main()
{
	union number u = { 5 };
	return one({}) + two(u, 7) + second(1, 2, { 3, 4 }) + split({ 1, 2 }, u) + !made(u);
}
END
g++ -std=c++17 -O2 -g -o fast unstored.cc && g++ -std=c++17 -O0 -g -o slow unstored.cc || exit
stap="$STAP -r $KERNEL"

# reads PROGRAM POINT EXPRESSION REGEX…: the generated code has these lines
reads() {
	local program=$1 point=$2 expression=$3
	shift 3
	check 0 "$@" -- $stap -p3 -e "probe process(\"./$program\").$point { println($expression) }"
}
refused='the function has not stored it on the stack yet'
if [ "$(uname -m)" = x86_64 ]; then
	reads fast 'function("one")' '$o$' '/stp_register\(c, 5'
	reads fast 'function("two")' '$u->i' '/stp_register\(c, 5'
	reads fast 'function("second")' '$p->b' '/stp_register\(c, 4'
	reads fast 'function("two").return' '@entry($u->i)' '/stp_register\(c, 5'
	reads fast 'function("two").return' '$u->i' '/stp_register\(c, 5'
	# A hidden argument says where the result is put: a class with a destructor.
	reads fast 'function("made")' '$u->i' '/stp_register\(c, 4'
	reads slow 'function("made").return' '$u->i' 'stp_arg\(c, 1|/stp_register\(c, 4'
	# A structure without functions is passed as in C.
	reads fast 'function("split")' '$late->i' '/stp_register\(c, 4'
fi
# Before DWARF 5 gcc does not say which destructors are the compiler's own.
g++ -std=c++17 -gdwarf-4 -O2 -o old_fast unstored.cc && g++ -std=c++17 -gdwarf-4 -O0 -o old_slow unstored.cc || exit
check 1 "/'\\\$[a-z]*' of 'made' at .*: $refused.*" -- \
	$stap -p2 -e 'probe process("./old_fast").function("made") { println($u->i) }'
check 0 '/function\("made' '!u:union' -- $stap -L 'process("./old_fast").function("made")'
check 0 '/o:struct' -- $stap -L 'process("./slow").function("one").return'
check 0 '/o:struct' -- $stap -L 'process("./slow").function("one")'
check 1 "/'\\\$u' of 'made' at .*: $refused.*" -- \
	$stap -p2 -e 'probe process("./old_slow").function("made").return { println($u->i) }'
if command -v clang++-19 >/dev/null && clang++-19 -std=c++17 -O2 -g -o other unstored.cc 2>/dev/null; then
	if [ "$(uname -m)" = x86_64 ]; then
		reads other 'function("two")' '$u->i' '/stp_register\(c, 5'
		reads other 'function("split")' '$late->i' '/stp_register\(c, 4'
		reads other 'function("made")' '$u->i' '/stp_register\(c, 4'
	fi
fi
if command -v rustc >/dev/null; then
	echo '#[inline(never)]
fn held(o: std::rc::Rc<i32>) {
	std::hint::black_box(&o);
}
fn main() { held(std::rc::Rc::new(5)); }' > held.rs
	rustc -O -g -o held held.rs && check 1 "/'\\\$o' of 'held' at .*: $refused" -- \
		$stap -p2 -e 'probe process("./held").function("held") { println($o$) }'
	rustc -g -o held_slowly held.rs && check 0 -- \
		$stap -p2 -e 'probe process("./held_slowly").function("held") { println($o$) }'

	check 1 "/'\\\$o' of 'held' cannot be found at the entry: its language passes structures in ways of its own; keep it in a probe of the function, by thread" -- \
		$stap -p2 -e 'probe process("./held_slowly").function("held").return { println($o$) }'
	# Large structures are passed by hidden pointers, which debuginfo knows only after the first instructions.
	cat > hidden.rs <<'END'
struct Big { a: i64, b: i64, c: i64 }
#[inline(never)]
fn hidden(b: Big, n: i32, s: &str) -> i64 { b.a + b.b + b.c + n as i64 + s.len() as i64 }
#[inline(never)]
fn taken(v: Vec<i32>) -> usize { v.len() }
fn main() { println!("{}", hidden(Big { a: 1, b: 2, c: 3 }, 4, "abc") + taken(vec![1]) as i64); }
END
	rustc -g -o hidden hidden.rs && check 0 -- \
		$stap -p2 -e 'probe process("./hidden").function("hidden") { println($b$, $n, $s$) }' \
		-E 'probe process("./hidden").function("taken") { println($v$) }'
	# All parameters have slots at every level: the code tells whether it begins by storing them.
	cat > levels.rs <<'END'
use std::hint::black_box;
#[inline(never)]
fn twice(n: i64) -> i64 { black_box(n) * 2 }
#[inline(never)]
fn slots(n: i64, m: i64) -> i64 {
	if twice(n) > 8 { return 5; }
	black_box(&n);
	black_box(&m);
	n
}
#[inline(never)]
fn large(n: i64) -> i64 {
	let a = [n; 4000];
	black_box(&a);
	a[n as usize] + twice(n)
}
fn main() { println!("{}", slots(black_box(1), 2) + large(3)); }
END
	for level in 0 1 2 3 s; do
		rustc -g -C opt-level=$level -o levels_$level levels.rs || continue
		if [ $level = 0 ]; then
			check 0 -- $stap -p2 -e 'probe process("./levels_0").function("slots") { println($n, $m) }'
			check 0 -- $stap -p2 -e 'probe process("./levels_0").function("large") { println($n) }'
			continue
		fi
		check 1 "/'\\\$n' of 'slots' at .*levels.rs:5: $refused.* it can be read at lines? [0-9]" -- \
			$stap -p2 -e "probe process(\"./levels_$level\").function(\"slots\") { println(\$n) }"
	done
fi
finish
